export const alarmBrowsers = {
  'browser.intro':
    '浏览器可以像手机通知一样显示告警，关闭控制台页面后也能收到。请先添加浏览器，再在订阅中把自己列为成员，并选择“浏览器通知”。在此浏览器中退出登录后，不再显示通知。',
  'browser.name': '浏览器',
  'browser.name_hint': '便于在列表和发送记录中识别',
  'browser.added': '添加时间',
  'browser.last': '最近发送',
  'browser.current': '当前浏览器',
  'browser.add': '在此浏览器中接收告警',
  'browser.saved': '此浏览器可以接收告警了',
  'browser.remove': '移除',
  'browser.remove_named': '移除 {name}',
  'browser.remove_question': '移除后，该浏览器不再显示告警。',
  'browser.removed': '已移除 {name}',
  'browser.cannot_insecure':
    '浏览器只允许通过 HTTPS 打开的页面显示通知，而此控制台是通过 HTTP 打开的。请联系管理员为控制台配置证书。',
  'browser.cannot_unsupported':
    '此浏览器不支持推送通知，或当前为无痕模式。在 iPhone 和 iPad 上，请先把控制台添加到主屏幕，再从主屏幕打开。',
  'browser.cannot_denied': '此浏览器已禁止本站点的通知。请在浏览器的站点设置中允许通知，然后重新打开此页面。',
  'browser.not_allowed': '未获得通知权限。请重试，并在浏览器询问时选择允许。',
  'browser.untrusted':
    '浏览器不信任此控制台的证书，因此不允许通知。仅在浏览器中选择继续访问还不够，请安装受信任的证书。',
  'browser.no_service': '浏览器无法连接其推送服务。请检查网络；Chrome 需要能够访问 Google 的服务。',
} as const;
