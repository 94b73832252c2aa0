import type { Page } from 'playwright-core';

const at = '2026-11-22T04:00:00.000Z';
const hex = (number: number, digits: number) => number.toString(16).padStart(digits, '0');
const blank = { about: null, ip: null, apart: null, ports: [], reported_at: null, rssi: null, band: null, ssid: null };

export function campus() {
  const box = (id: string, kind: string, name: string, parent: string | null, port: string, more: object = {}) => ({
    ...blank,
    id,
    kind,
    name,
    mac: id,
    status: 'online',
    about: 'Sample',
    parent,
    reported_at: at,
    link: parent === null ? null : { source: 'lldp_up', port, child_port: 'WAN', speed: 1000 },
    ...more,
  });
  const switchOf = (index: number) => `02a1000000${hex(index % 20, 2)}`;
  const apOf = (index: number) => `02a20000${hex(index, 4)}`;
  const nodes = [
    box('02a000000001', 'gateway', 'Campus-Gateway', null, ''),
    box('02a000000002', 'switch', 'Core', '02a000000001', 'LAN1'),
    ...Array.from({ length: 20 }, (_, index) =>
      box(switchOf(index), 'switch', `Hall-${index + 1}`, '02a000000002', `Ethernet${index + 1}`),
    ),
    ...Array.from({ length: 480 }, (_, index) =>
      box(apOf(index), 'ap', `Room-${index + 1}`, switchOf(index), `Ethernet${Math.floor(index / 20) + 1}`, {
        status: index === 7 ? 'offline' : 'online',
      }),
    ),
    ...Array.from({ length: 10 }, (_, index) =>
      box(`02a30000000${index}`, 'ap', `Yard-${index + 1}`, null, '', { apart: 'unreported' }),
    ),
    ...Array.from({ length: 1500 }, (_, index) => ({
      ...blank,
      id: `sta:3c22fb00${hex(index, 4)}`,
      kind: 'station',
      name: `Phone-${index + 1}`,
      status: null,
      mac: `3c22fb00${hex(index, 4)}`,
      ip: `10.8.${index >> 8}.${index & 255}`,
      parent: apOf(index % 480),
      link: { source: 'wireless', port: null, child_port: null, speed: null },
      rssi: index % 50 === 0 ? -82 : -55,
      band: 5,
      ssid: 'Campus',
    })),
  ];
  return { as_of: at, remark: 'Campus', nodes, stations: 1500, left_out: 0 };
}

export async function answerCampus(page: Page): Promise<void> {
  await page.route('**/api/v3/topology/get', (route) =>
    route.fulfill({ json: { code: 2000, message: '', data: campus() } }),
  );
}
