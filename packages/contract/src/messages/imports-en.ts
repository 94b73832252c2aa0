import type * as source from './imports-zh-cn.ts';

export const imports = {
  'import.unreadable': 'This file cannot be read: CSV (UTF-8 or GBK) or xlsx is wanted',
  'import.no_serial': 'The first row has no column “serial” or “MAC”',
  'import.no_name': 'The first row has no column “name”',
  'import.name_twice': 'An earlier row has the same name',
  'import.bad_password': 'Not a password: 6–64 characters without spaces',
  'import.bad_devices': 'Not a number of devices: 1–100',
  'import.bad_real_name':
    'Real name and ID card are wanted together; an ID card has 15 or 18 digits, the last may be X',
  'import.bad_until': 'Not a day: write it as 2026-12-31',
  'import.bad_serial': 'No serial or MAC address',
  'import.twice': 'An earlier row names the same device',
  'import.bad_name': 'Not a name: 1–64 letters, digits, Chinese characters, - _ , .',
  'import.bad_remark': "Not a device name: 1–64 letters of any script, digits, spaces and . , - _ ' & ( ) # / @ +",
  'import.bad_network': "Not a network name: 1–64 letters of any script, digits, spaces and . , - _ ' & ( ) # / @ +",
  'import.bad_tags':
    "Not tags: at most 20, each of 1–32 letters of any script, digits, spaces and . , - _ ' & ( ) # / @ +",
  'import.unknown_device': 'This device is not bound to the account yet',
  'import.no_network': 'No network has this name',
  'import.network_twice':
    'Several networks have this name: letter case and full width do not tell them apart. Rename one first',
  'import.is_gateway': 'It is the gateway of its network: replace or unbind it there first',
} as const satisfies Readonly<Record<keyof typeof source.imports, string>>;
