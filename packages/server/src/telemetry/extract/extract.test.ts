import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { extract } from './index.ts';
import { maxStations } from './stations.ts';

const mac = (n: number) => n.toString(16).padStart(12, '0');
const ssid = (associations: unknown, more: object = {}) => ({
  ssid: 'S',
  bssid: mac(0xff),
  band: '5G',
  associations,
  ...more,
});

describe('counters', () => {
  test('are those of uplinks and networks; unreported ones are null', () => {
    const { counters } = extract({
      state: {
        interfaces: [
          {
            name: 'up0v0',
            counters: { rx_bytes: 5, tx_bytes: -1 },
            ssids: [ssid([], { counters: { tx_bytes: '7' } })],
          },
          { name: 'down1v0', counters: { rx_bytes: 9, tx_bytes: 9 } },
        ],
        'link-state': { upstream: { WAN: { counters: { rx_bytes: 1, tx_bytes: 1 } } } },
      },
    });
    expect([...counters!.wan]).toEqual([['up0v0', { rx: 5, tx: null }]]);
    expect([...counters!.bss]).toEqual([[mac(0xff), { rx: null, tx: 7, band: 5 }]]);
  });

  test('come from the sockets where there is no upstream interface, and from nowhere when nothing is shown', () => {
    const link = { upstream: { WAN: { counters: { rx_bytes: 1, tx_bytes: 2 } } } };
    expect([...extract({ state: { interfaces: [{ name: 'vlan1' }], 'link-state': link } }).counters!.wan]).toEqual([
      ['WAN', { rx: 1, tx: 2 }],
    ]);
    expect(extract({ state: { unit: {} } })).toMatchObject({ counters: null, stations: null });
  });
});

describe('terminals', () => {
  test('have what the report says of them in all its parts', () => {
    const { stations } = extract({
      state: {
        captive: { [mac(1)]: { status: 'Authenticated', username: 'anna' }, [mac(2)]: { status: 'Garden' } },
        interfaces: [
          {
            ssids: [
              ssid(
                [
                  {
                    station: mac(1),
                    connected: 60,
                    rssi: -61.4,
                    tx_bytes: 10,
                    rx_bytes: 20,
                    tx_rate: { bitrate: 866_000 },
                  },
                  { station: mac(2), rssi: 12, ipaddr_v4: { address: '10.0.0.9' }, fingerprint: { vendor: 'Apple' } },
                  { station: mac(1), rssi: -1 },
                ],
                { iface: 'wlan0' },
              ),
            ],
            ipv4: { leases: [{ mac: mac(1), address: '10.0.0.8', hostname: 'anna\u0007\n' }] },
            clients: [
              { mac: mac(1), ports: ['LAN1'] },
              { mac: mac(3), ports: ['LAN2'], ipv4_addresses: ['10.0.0.7'] },
              { mac: mac(4), ports: ['wlan0'] },
            ],
          },
        ],
      },
    });
    expect(stations).toMatchObject([
      {
        mac: mac(1),
        band: 5,
        rssi: -61,
        ip: '10.0.0.8',
        hostname: 'anna',
        authenticated: true,
        username: 'anna',
        txRate: 866_000,
      },
      { mac: mac(2), rssi: null, ip: '10.0.0.9', authenticated: false, guess: { vendor: 'Apple' } },
      { mac: mac(3), band: 0, bssid: '', port: 'LAN2', ip: '10.0.0.7' },
    ]);
  });

  test('are read up to a number that no access point has, the rest is counted', () => {
    const many = Array.from({ length: 5000 }, (_, n) => ({ station: mac(10_000 + n) }));
    const report = extract({ state: { interfaces: [{ ssids: [ssid(many)] }] } });
    expect(report.stations).toHaveLength(maxStations);
    expect(report.clamped).toBe(3000);
  });
});

test('nothing that JSON can hold throws, and every text is one that a column takes', () => {
  const value = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 6 },
      fc.jsonValue(),
      fc.string({ unit: 'binary' }),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(
        fc.constantFrom(
          'interfaces',
          'ssids',
          'associations',
          'station',
          'clients',
          'ports',
          'mac',
          'counters',
          'rx_bytes',
          'bssid',
          'ipv4',
          'leases',
          'hostname',
          'captive',
          'radios',
          'survey',
          'noise',
          'fingerprint',
          'vendor',
          'unit',
          'iface',
        ),
        tie('value'),
        { maxKeys: 4 },
      ),
    ),
  })).value;
  fc.assert(
    fc.property(value, (state) => {
      const { stations, levels, counters } = extract({ state });
      for (const number of Object.values(levels)) expect(number === null || Number.isFinite(number)).toBe(true);
      for (const name of [...(counters?.wan.keys() ?? []), ...(counters?.bss.keys() ?? [])])
        expect(name).not.toMatch(/[\p{Cc}\p{Cs}]/u);
      for (const observation of stations ?? [])
        for (const text of [
          observation.ssid,
          observation.hostname,
          observation.ip,
          observation.port,
          observation.username,
          observation.guess?.vendor,
        ])
          expect(text ?? '').not.toMatch(/[\p{Cc}\p{Cs}]/u);
    }),
    { numRuns: 500 },
  );
});
