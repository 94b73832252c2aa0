export const portal = {
  'validation.captive_second': 'AP 只能在一个 VLAN 上做访客认证，请选择同一 VLAN 的 SSID',
  'validation.captive_keys': '这个 SSID 的部分密码会把终端放进其他 VLAN，绕过认证',
  'validation.addressRange': '{range} 不是有效的地址范围：请填写“起始-结束”、不含主机位的网段，或单个地址',
  'validation.rangeOutside': '{range} 不在 {lan}（{subnet}）内',
  'validation.subnetUnknown': '尚不知道 {lan} 的网段：请先保存网关设置',
  'validation.rangeOverlap': '{range} 与 {other} 重叠',
  'validation.rangeLan': '地址范围只能属于已选择的网络，{lan} 未被选择',
  'validation.rangeOfSsid': 'SSID {ssid} 要求 {lan} 的所有终端认证：请删除该网络的地址范围，或取消该 SSID',
  'validation.exemptDevice': '{device} 不是终端的 MAC 或 IP 地址',
  'validation.captiveRanges': '网关上的代理程序版本过低，不支持地址范围和 IPv6 地址，请先升级。',
  'validation.ssidUntagged':
    'SSID {ssid} 没有 VLAN：其终端与 AP、有线设备同处一个网络。请为它设置网关上已有网络的 VLAN，或选择整个网络。',
  'validation.ssidNoLan': '网关上没有 SSID {ssid} 所用 VLAN {vlan} 的网络。请新建该网络，或为 SSID 换一个 VLAN。',
  'portal.codes_too_short': '至少需要 {min} 位：所有可能的上网码中，有效的不得超过百万分之一。',
  'portal.device_not_waiting': '该设备已不在认证页等待，请在设备上重新打开认证页。',
  'portal.codes_not_kept': '该批次生成时未保存上网码，无法重新打印。',
  'portal.no_such_code': '这一批次没有这个上网码，或已作废。',
} as const;
