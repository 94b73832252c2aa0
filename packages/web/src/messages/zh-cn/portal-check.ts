export const portalCheck = {
  'site_portal.check_about': '按访客认证的过程逐项检查。打开本页时，由云巡网关解析域名并连接认证页面的端口。',
  'site_portal.check_again': '重新检测',
  'site_portal.check_capture': '拦截',
  'site_portal.check_dns': 'DNS',
  'site_portal.check_port': '认证页面端口',
  'site_portal.check_garden': '白名单',
  'site_portal.check_payment': '支付',
  'site_portal.finding_pay_no_name':
    '已启用手机上的微信支付（H5 或 JSAPI），但控制台地址为 {name}。微信仅接受已登记且启用 HTTPS 的域名，JSAPI 还要求完成 ICP 备案。请设置 YUNXUN_PUBLIC_URL，或请安装管理员在“安装设置”的“支付”页停用这些方式。',
  'site_portal.finding_pay_closed':
    '访客认证前无法访问 {name}，只能用移动数据支付。请在“设置”中开启“认证前放行支付域名”；云巡网关需升级代理程序。',
  'site_portal.finding_pay_h5':
    '控制台无法查询登记情况。请确认商户平台已将 {name} 登记为 H5 支付域名，并用手机浏览器试付一笔。',
  'site_portal.finding_pay_jsapi':
    '控制台无法查询登记情况。请确认商户平台已将 https://{name}/pay/wechat/ 登记为支付授权目录，公众号已将 {name} 登记为网页授权域名，并在微信内试付一笔。',
  'site_portal.finding_pay_both':
    '控制台无法查询登记情况。请确认商户平台已将 {name} 登记为 H5 支付域名、将 https://{name}/pay/wechat/ 登记为支付授权目录，公众号已将 {name} 登记为网页授权域名，并在手机浏览器和微信内各试付一笔。',
  'site_portal.check_messages': '短信和邮件',
  'site_portal.check_grant': '放行',
  'site_portal.check_radius': 'RADIUS',
  'site_portal.check_state_ok': '正常',
  'site_portal.check_state_wrong': '异常',
  'site_portal.check_state_unknown': '未知',
  'site_portal.check_state_unneeded': '不需要',
  'site_portal.finding_page_off': '认证页面未开启，请在“设置”中开启。',
  'site_portal.finding_no_template': '没有选择已发布的模板。请在“设置”中选择，或发布所选模板。',
  'site_portal.finding_unable': '网关不能拦截访客，原因见“设置”。',
  'site_portal.check_exempt': '免认证设备',
  'site_portal.finding_ranges_version':
    '网关上的代理程序版本过低，不支持地址范围和免认证 IPv6 地址：设有地址范围的网络没有被拦截。请升级。',
  'site_portal.finding_range_outside': '没有终端会使用 {name} 内的地址：该网络的网段已变更。请修改地址范围。',
  'site_portal.finding_ssid_lost': 'SSID {name} 已删除，或网关上不再有其 VLAN 的网络：其终端无需认证。请重新选择。',
  'site_portal.finding_range_of_ssid':
    'SSID {name} 现在属于设有地址范围的网络：其范围之外的终端无需认证。请删除地址范围，或取消该 SSID。',
  'site_portal.finding_not_in_force': '网关没有上报认证状态：网关离线，或下发失败。请查看网关和最近一次下发。',
  'site_portal.finding_never_seen':
    '保存设置后，网关从未发来访客或请求。请把“查看网关设置”显示的设置填到网关上，并检查网关能否访问页面地址。',
  'site_portal.finding_silent':
    '网关已超过 5 分钟没有轮询。请检查 openNDS 是否运行、能否访问页面地址、是否信任其证书。',
  'site_portal.finding_wrong_secret': '网关使用的密钥与控制台不一致。请点击“查看网关设置”，并把设置填到网关上。',
  'site_portal.finding_other_secret': '有访客来自密钥与控制台不一致的 AP。各 AP 的进度见下方，下发失败的请重新下发。',
  'site_portal.finding_by_hand': '控制台无法向这种网关查询。请用未认证的终端检查域名能否解析、主机能否打开。',
  'site_portal.finding_no_answer': '网关没有响应。请让网关上线后重新检测。',
  'site_portal.finding_old_agent': '网关上的代理程序版本过低，无法测试端口。请升级。',
  'site_portal.finding_port_closed': '网关无法连接 {name}。请检查 YUNXUN_PORTAL_PORT，以及网关与控制台之间的防火墙。',
  'site_portal.finding_unresolved': '网关无法解析 {name}。请检查网关的 DNS 服务器，并确认域名存在。',
  'site_portal.finding_garden_cut': '白名单超过 64 个主机，网关只放行前 64 个。请精简白名单。',
  'site_portal.finding_address_moved':
    '认证页面的主机现在解析为 {name}，与上次显示的网关设置不同，访客会被网关拦住。请“查看网关设置”并重新填写；openNDS 10.2 及以上只需重启。',
  'site_portal.finding_settings_changed':
    '网关设置在上次显示之后有变化（例如白名单）。请“查看网关设置”，并填到网关上。',
  'site_portal.finding_sms_to_file':
    '模板使用短信验证码，但本平台没有配置短信服务：验证码留在发件箱（服务器数据目录的 outbox.ndjson 文件），认证页面会提示无法发送短信。请安装管理员在“安装设置”的“邮件与短信”页配置。',
  'site_portal.finding_mail_to_file':
    '模板通过邮件请接待人同意，但本平台没有配置邮件服务：请求写入服务器数据目录的 outbox.ndjson 文件，访客的页面会说明。请安装管理员在“安装设置”的“邮件与短信”页配置。',
  'site_portal.finding_not_taken':
    '网关没有接受最近一次放行。请检查网关是否在线；openNDS 检查级别和密钥，RADIUS 检查访客的浏览器能否访问网关。',
  'site_portal.finding_no_sign_in': '24 小时内没有访客认证。请用手机认证一次，再重新检测。',
  'site_portal.finding_no_nas': '本网络没有 RADIUS 客户端，请在 RADIUS 页面添加网关。',
  'site_portal.finding_nas_never': '网关还没有发来 RADIUS 报文。请检查服务器地址、1812 和 1813 端口以及防火墙。',
  'site_portal.finding_nas_refused': '最近一次 RADIUS 报文被拒绝，原因见 RADIUS 页面，最常见的是密钥不一致。',
  'site_portal.finding_no_accounting':
    '网关能认证访客，但没有发送计费。请填写计费服务器和 1813 端口，否则控制台无法得知会话结束，更换私有 MAC 的访客会因名额仍被占用而无法认证。',
  'site_portal.gate_step_document': '配置',
  'site_portal.gate_step_applied': '已生效',
  'site_portal.gate_step_read_back': '回读',
  'site_portal.gate_step_redirect': '签名有效的重定向',
  'site_portal.gate_step_radius': '管理连接上的 RADIUS',
  'site_portal.gate_finding_unable': '固件不支持认证，因此不发出这些 SSID。请升级固件或更换 AP。',
  'site_portal.gate_finding_left_out':
    '有 SSID 无法做认证而未发出：与第一个 SSID 不在同一 VLAN，或带有指向其他 VLAN 的密码。请在“设置”里调整。',
  'site_portal.gate_finding_no_ssid': '所选 SSID 在这台 AP 上都没有发出：已删除，或在网络或这台 AP 上停用。',
  'site_portal.gate_finding_waits': '正在下发，请一分钟后再检查。',
  'site_portal.gate_finding_offline': 'AP 离线，上线后下发。',
  'site_portal.gate_finding_refused': '下发失败，或 AP 正在运行其他配置。请查看这台 AP 的配置并重新下发。',
  'site_portal.gate_finding_not_reported': '最近一次上报属于其他配置。AP 每分钟上报一次，请稍后再检查。',
  'site_portal.gate_finding_no_redirect':
    '还没有访客从这台 AP 过来。请用手机连接其中一个 SSID；如果没有弹出页面，请检查 AP 能否访问认证页面地址，以及终端是否使用 AP 的 DNS。',
  'site_portal.gate_finding_no_radius':
    '还没有收到这台 AP 的计费报文。请用手机认证一次，计费在 10 秒内开始；如果认证被拒绝，原因见上面的“RADIUS”。',
  'site_portal.finding_no_redirect': '保存设置后还没有访客从 AP 过来，各 AP 的进度见下方。',
};
