export const portal = {
  'portal.codes_too_short': '至少需要 {min} 位：所有可能的上网码中，有效的不得超过百万分之一。',
  'portal.device_not_waiting': '该设备已不在认证页等待，请在设备上重新打开认证页。',
  'portal.codes_not_kept': '该批次生成时未保存上网码，无法重新打印。',
  'portal.no_such_code': '这一批次没有这个上网码，或已作废。',
} as const;
