import { expect, test } from 'vitest';
import { settingsChanges } from './changes.ts';
import type { Settings } from './draft.ts';

const wan = (name: string, port: string): Settings['lines'][number] => ({
  name,
  port,
  addressing: 'dynamic',
  address: null,
  gateway: null,
  dns: [],
  down_mbps: null,
  up_mbps: null,
  probe: [],
});
const shop: Settings = {
  confirm_s: 60,
  lines: [wan('Fibre', 'WAN1'), wan('LTE', 'WAN2')],
  networks: [],
  forwards: [],
  routes: [],
  limits: [],
  reboot: null,
};

test('two lines that change places are a change, although nothing in them is', () => {
  expect(settingsChanges(shop, { ...shop, lines: shop.lines.toReversed() })).toEqual([
    { field: ['line_order'], before: 'Fibre, LTE', after: 'LTE, Fibre' },
  ]);
});

test('lists the first settings completely, and omits unchanged ones', () => {
  expect(settingsChanges(null, shop).map(({ field }) => field.join('/'))).toContain('lines/Fibre/port');
  expect(settingsChanges(shop, structuredClone(shop))).toEqual([]);
});

test('days of a restart are no number of days', () => {
  const reboot: Settings['reboot'] = { days: ['mon'], at: '04:30', time_zone: 'Asia/Shanghai' };
  const [first] = settingsChanges(shop, { ...shop, reboot });
  expect(first?.field).toEqual(['reboot', 'weekdays']);
});
