import { expect, it } from 'vitest';
import { install } from '../../../app/i18n.ts';
import { en, zh } from '../../../messages/all.ts';
import { fileColumns } from '../../../ui/table/file-columns.ts';
import type { DeviceRow } from './device-actions.ts';
import { deviceColumns } from './device-columns.tsx';

const may = { write: true, readSettings: true };
const row = {
  serial: '020000000001',
  remark: 'Lobby-1',
  network: 'Shop',
  group: { id: 'g', name: 'Front' },
  model: 'AX',
  ip: '192.0.2.7',
  version: '23.05',
  tags: ['A', 'B'],
  down_bps: 1200.4,
  up_bps: null,
  cpu: 12,
  radios: [
    { band: '2G', channel: 6, width: 20, power_dbm: 20, util_pct: 31, ssids: ['Guests', 'House'] },
    { band: '5GL', channel: 36, width: 80, power_dbm: 23, util_pct: 5, ssids: ['House'] },
    { band: '5GU', channel: 149, width: 80, power_dbm: 23, util_pct: 9, ssids: ['House'] },
  ],
} as unknown as DeviceRow;

const file = (shown: readonly string[]) => {
  const all = deviceColumns('ap', may, true, false);
  const columns = fileColumns(
    all,
    all.filter(({ key }) => shown.includes(key)),
  );
  return Object.fromEntries(columns.map(({ title, text }) => [title, text?.(row)]));
};

it('says which device each row is, whatever is shown, under heads that the import knows', () => {
  install('en', en);
  expect(file([])).toEqual({
    Serial: '02:00:00:00:00:01',
    Name: 'Lobby-1',
    Network: 'Shop',
    Group: 'Front',
    Model: 'AX',
    'Public address': '192.0.2.7',
    Firmware: '23.05',
  });
  install('zh-CN', zh);
  expect(Object.keys(file([]))).toEqual(expect.arrayContaining(['序列号', '名称', '所属网络']));
});

it('has numbers as numbers with their unit in the head, and a separator between several values', () => {
  install('en', en);
  expect(file(['tags', 'cpu', 'rate', 'radio_2G', 'radio_5G', 'util'])).toMatchObject({
    Tags: 'A; B',
    'CPU (%)': 12,
    'Rate, 5 min: Download (bit/s)': 1200,
    'Rate, 5 min: Upload (bit/s)': null,
    '2.4 GHz: Channel': 6,
    '2.4 GHz: Width (MHz)': 20,
    '2.4 GHz: SSID': 'Guests; House',
    '5 GHz: Channel': '36; 149',
    'Utilization: 2.4 GHz (%)': 31,
    'Utilization: 6 GHz (%)': null,
  });
});
