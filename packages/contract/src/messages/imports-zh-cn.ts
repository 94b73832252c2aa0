/** What is wrong in the rows of a file. */
export const imports = {
  'import.unreadable': '这个文件无法读取，请使用 CSV（UTF-8 或 GBK）或 xlsx',
  'import.no_serial': '第一行没有“序列号”或“MAC”列',
  'import.no_name': '第一行没有“账号”列',
  'import.name_twice': '前面的行已有相同账号',
  'import.bad_password': '密码不正确：6–64 个字符，不含空格',
  'import.bad_devices': '设备数不正确：1–100',
  'import.bad_real_name': '姓名和身份证号需要同时填写；身份证号为 15 或 18 位，末位可以是 X',
  'import.bad_until': '日期不正确，格式为 2026-12-31',
  'import.bad_serial': '序列号或 MAC 不正确',
  'import.twice': '与前面的行重复',
  'import.bad_name': '名称不符合要求：1–64 个字母、数字、汉字、- _ , .',
  'import.bad_remark': "设备名称不符合要求：1–64 个字符，只能使用各种文字、数字、空格和 . , - _ ' & ( ) # / @ +",
  'import.bad_network': "网络名称不符合要求：1–64 个字符，只能使用各种文字、数字、空格和 . , - _ ' & ( ) # / @ +",
  'import.bad_tags':
    "标签不符合要求：最多 20 个，每个 1–32 个字符，只能使用各种文字、数字、空格和 . , - _ ' & ( ) # / @ +",
  'import.unknown_device': '这台设备还没有绑定到本账号',
  'import.no_network': '没有这个名称的网络',
  'import.network_twice': '有多个网络叫这个名称（不区分大小写和全角半角），请先改名',
  'import.is_gateway': '它是所在网络的网关，请先在那里替换或解绑',
} as const;
