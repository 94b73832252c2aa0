export const peripherals = {
  'peripheral.unreadable': '无法读取该文件，请另存为不带密码的 xlsx 或 xls（Excel 97–2003）',
  'peripheral.no_name_column': '第一行没有“名称”列',
  'column.mode': '检测方式',
  'column.group': '分组',
  'column.detect_port': '检测端口',
  'column.web_port': 'Web 端口',
  'column.shell_port': 'Shell 端口',
  'column.rtt_ms': '时延（ms）',
  'column.last_offline_at': '最近离线时间',
  'column.offline_count_30d': '离线次数（30 天）',
  'column.availability_30d': '可用率（30 天，%）',
} as const;
