export const peripherals = {
  'peripheral.unreadable': 'The file cannot be read. Save it as xlsx or as xls (Excel 97–2003) without a password.',
  'peripheral.no_name_column': 'The first row has no column “Name”',
  'peripheral.no_camera': 'Only cameras give a picture',
  'peripheral.no_web_port': 'It has no web port',
  'peripheral.rdp_port':
    'Port 3389 is RDP, for which no open client runs in a page without a gateway program. Install a VNC server on the device.',
  'column.mode': 'Detection',
  'column.group': 'Group',
  'column.detect_port': 'Detection port',
  'column.web_port': 'Web port',
  'column.shell_port': 'Shell port',
  'column.rtt_ms': 'Latency (ms)',
  'column.last_offline_at': 'Last offline',
  'column.offline_count_30d': 'Outages (30 days)',
  'column.availability_30d': 'Availability (30 days, %)',
  'validation.privateKey': 'Enter an RSA, ECDSA or Ed25519 private key in OpenSSH or PEM format',
  'validation.passphrase': 'This passphrase does not open the key',
  'validation.keyRounds':
    'The passphrase of this key takes {rounds} rounds. Use {max} at most, for example by ssh-keygen -p -a {max}',
} as const;
