import fc from 'fast-check';
import { expect, test } from 'vitest';
import { summarise } from './summary.ts';

const mac = (n: number) => `02:00:00:00:00:${n.toString(16).padStart(2, '0')}`;
const ssid = (band: unknown, ...stations: number[]) => ({
  band,
  associations: stations.map((n) => ({ station: mac(n) })),
});

test('stations count by band, each once, whatever form the band has', () => {
  const state = {
    interfaces: [
      { ssids: [ssid('2G', 1, 2), ssid(['5G-lower'], 3), ssid('6G', 4)] },
      {
        ssids: [
          ssid('2G', 2),
          ssid(undefined, 5),
          ssid('5G', 7),
          { frequency: [5955], associations: [{ station: mac(6) }] },
        ],
      },
    ],
  };
  expect(summarise({ state })).toMatchObject({ clients2g: 2, clients5g: 2, clients6g: 2, clientsTotal: 7 });
});

test('wired clients count, without the uplink’s and without announced switches', () => {
  const state = {
    'lldp-peers': { downstream: { LAN1: [{ mac: mac(9), capability: ['Bridge'] }] } },
    interfaces: [
      {
        clients: [
          { mac: mac(1), ports: ['WAN'] },
          { mac: mac(2), ports: [] },
        ],
      },
      {
        clients: [
          { mac: mac(3), ports: ['LAN1'] },
          { mac: mac(9), ports: ['LAN1'] },
          { mac: mac(4), ports: ['wlan0'] },
        ],
        ssids: [ssid('5G', 4)],
      },
    ],
  };
  expect(summarise({ state })).toMatchObject({ clients5g: 1, clientsTotal: 2 });
});

test('the router of the provider is no terminal, whichever socket the line is on', () => {
  const state = {
    interfaces: [
      { name: 'up0v0', clients: [{ mac: mac(1), ports: ['WAN1'] }] },
      { name: 'up103v0', clients: [{ mac: mac(2), ports: ['LAN3'] }] },
      // access points bridge LAN ports to the uplink
      { name: 'up1v0', clients: [{ mac: mac(3), ports: ['LAN1'] }] },
      { name: 'down2v0', clients: [{ mac: mac(4), ports: ['LAN3'] }] },
    ],
  };
  expect(summarise({ state })).toMatchObject({ clientsTotal: 2 });
});

test('a socket that carries a line in a VLAN and a LAN beside it has clients', () => {
  const interfaces = [
    { name: 'up0v41', clients: [{ mac: mac(1), ports: ['WAN1'] }] },
    { name: 'down1v0', clients: [{ mac: mac(2), ports: ['WAN1'] }] },
  ];
  expect(summarise({ state: { interfaces, yunxun: {} } })).toMatchObject({ clientsTotal: 1 });
  expect(summarise({ state: { interfaces } })).toMatchObject({ clientsTotal: 0 });
});

test('a switch has no wireless counts, and no total without clients', () => {
  expect(summarise({ state: { interfaces: [{}] } })).toMatchObject({ clients2g: null, clientsTotal: null });
  expect(summarise({ state: { interfaces: [{ clients: [] }] } })).toMatchObject({ clients2g: null, clientsTotal: 0 });
});

test('used memory excludes the cache', () => {
  const unit = {
    uptime: '77',
    cpu_load: [12.5, 20],
    load: [0.25],
    memory: { total: 1000, free: 300, cached: 200, buffered: 100 },
  };
  expect(summarise({ uuid: 9, state: { unit } })).toMatchObject({
    uuid: 9,
    uptimeS: 77,
    cpuPct: 12.5,
    load1: 0.25,
    memUsed: 400,
    memTotal: 1000,
  });
});

test('nothing that JSON can hold throws, and every number fits its column', () => {
  const column = { uuid: 2 ** 31, uptimeS: 2 ** 33, cpuPct: 100, load1: 10_000, memUsed: 2 ** 53, memTotal: 2 ** 53 };
  const state = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 5 },
      fc.jsonValue(),
      fc.dictionary(
        fc.constantFrom(
          'unit',
          'memory',
          'total',
          'free',
          'load',
          'cpu_load',
          'uptime',
          'interfaces',
          'ssids',
          'associations',
          'station',
          'clients',
          'ports',
          'band',
          'lldp-peers',
          '__proto__',
        ),
        tie('value'),
      ),
    ),
  })).value;
  fc.assert(
    fc.property(state, (value) => {
      const summary = summarise({ uuid: value, state: value });
      for (const [key, max] of Object.entries(column)) {
        const number = summary[key as keyof typeof column];
        expect(number === null || (number >= 0 && number <= max)).toBe(true);
      }
    }),
    { numRuns: 500 },
  );
});
