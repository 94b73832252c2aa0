/** Of the frame around a device's own page. */
export const remotePages = {
  'remotePage.frame': '设备“{target}”的网页',
  'remotePage.of_device': '以下内容由该设备提供',
  'remotePage.left': '剩余 {minutes} 分钟',
  'remotePage.console': '控制台',
  'remotePage.reload': '重新加载',
  'remotePage.end': '结束会话',
  'remotePage.over_title': '会话已结束',
  'remotePage.over': '请在控制台重新打开该设备的网页。',
  'remotePage.unreachable_title': '设备没有响应',
  'remotePage.unreachable': '网关无法访问 {address}：{reason}',
  'remotePage.slow_title': '设备响应超时',
  'remotePage.slow': '{address} 在 2 分钟内没有应答，请重新加载或稍后再试。',
  'remotePage.other_port_title': '设备要求使用另一个端口',
  'remotePage.other_port':
    '该网页要跳转到 {address}。会话只能访问登记的端口：请在外设的“Web 端口”中填写 {port}，然后重新打开。',
  'remotePage.elsewhere_title': '该网页要跳转到其他地址',
  'remotePage.elsewhere': '{address} 不属于这台设备，会话不会访问它。',
  'remotePage.busy_title': '连接数过多',
  'remotePage.busy': '该页面同时打开的连接过多，请关闭一些后重试。',
} as const;
