export const peripherals = {
  'peripheral.unreadable': 'The file cannot be read. Save it as xlsx or as xls (Excel 97–2003) without a password.',
  'peripheral.no_name_column': 'The first row has no column “Name”',
  'column.mode': 'Detection',
  'column.group': 'Group',
  'column.detect_port': 'Detection port',
  'column.web_port': 'Web port',
  'column.shell_port': 'Shell port',
  'column.rtt_ms': 'Latency (ms)',
  'column.last_offline_at': 'Last offline',
  'column.offline_count_30d': 'Outages (30 days)',
  'column.availability_30d': 'Availability (30 days, %)',
} as const;
