import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { terminalEventOf } from './events.ts';
import { extract } from './index.ts';
import { maxStations } from './stations.ts';

const edge = (yunxun: unknown) => extract({ state: { yunxun, interfaces: [] } }).edge;
const event = (type: string, payload: object) =>
  terminalEventOf({ data: { event: [1_790_000_000, { type, payload }] } });

describe('what our own agent says', () => {
  test('is kept as it is', () => {
    const line = { interface: 'up0v0', address: '198.51.100.3', gateway: '198.51.100.1', alive: true };
    const [lines, disk] = [
      [{ ...line, latency_ms: 12.345, loss_pct: 1.25, since: 1_790_000_000 }],
      { total: 9, free: 4 },
    ];
    const mac = '3c:22:fb:00:00:01';
    const reported = edge({
      connections: 71,
      connections_max: 262_144,
      lines,
      disk,
      flow: { lost: 0 },
      stations: [{ mac, rx_bytes: 5, tx_bytes: 7 }],
    });
    expect(reported?.kept).toEqual({
      counts: true,
      connections: 71,
      connections_max: 262_144,
      disk,
      leases: [],
      sdwan: [],
      lines: [{ ...lines[0], latency_ms: 12.35, loss_pct: 1.3 }],
    });
    expect([...reported!.stations!]).toEqual([['3c22fb000001', { rx: 5, tx: 7 }]]);
  });

  test('gives the worst of the WANs that are up, and all leases', () => {
    const lines = [
      { interface: 'a', alive: true, latency_ms: 180, loss_pct: 0 },
      { interface: 'b', alive: null, latency_ms: 9, loss_pct: 25 },
      { interface: 'c', alive: false, latency_ms: 999, loss_pct: 100 },
    ];
    const lan = (address: string, count: number) => ({
      ipv4: { addresses: [address], leases: Array.from({ length: count }, () => ({})) },
    });
    const interfaces = [lan('192.168.1.1/24', 3), lan('192.168.2.1/24', 4)];
    const report = extract({ state: { interfaces, yunxun: { lines } } });
    expect(report.levels).toMatchObject({ wanLatency: 180, wanLoss: 25, leases: 7 });
    expect(extract({ state: { interfaces } }).levels).toMatchObject({ wanLatency: null, wanLoss: null, leases: null });
  });

  test('counts the leases of its LANs and the tunnels of its SD-WAN networks', () => {
    const lan = { name: 'down1v0', ipv4: { addresses: ['192.168.1.1/24'], leases: [{}, {}, {}] } };
    const sdwan = {
      networks: [{ id: 'n1', peers: [{ alive: true }, { alive: false }, { alive: null }, 7] }, { peers: 1 }],
    };
    const reported = extract({
      state: { interfaces: [lan, { ipv4: { addresses: ['x'], leases: [{}] } }, 5], yunxun: { sdwan } },
    });
    expect(reported.edge?.kept).toMatchObject({
      leases: [{ subnet: '192.168.1.1/24', count: 3 }],
      sdwan: [{ id: 'n1', tunnels: 2, up: 1 }],
    });
  });

  test('is nothing where it says nothing, and null where it does not know', () => {
    expect(edge(undefined)).toBeNull();
    expect(edge('yes')).toBeNull();
    expect(edge({ connections: null })).toEqual({
      kept: { connections: null, connections_max: null, lines: [], disk: null, leases: [], sdwan: [], counts: false },
      stations: null,
    });
  });

  test('that cannot be is left out', () => {
    const lines = [
      { interface: 'a', alive: 'yes', latency_ms: -1, loss_pct: 101, since: 1e15, address: '<b>\u0000' },
      { interface: 'a', alive: true },
      { interface: '\u0007' },
      null,
      ...Array.from({ length: 1000 }, (_, n) => ({ interface: `up${n}` })),
    ];
    const stations = Array.from({ length: maxStations + 1 }, (_, n) => ({ mac: n.toString(16).padStart(12, '0') }));
    const report = extract({
      state: {
        yunxun: { connections: -1, connections_max: 1e300, lines, stations, flow: {}, disk: { total: 1, free: 2 } },
        interfaces: [],
      },
    });
    const { kept, stations: counted } = report.edge!;
    expect([kept.connections, kept.connections_max, kept.disk, counted]).toEqual([null, null, null, null]);
    expect(kept.lines).toHaveLength(13);
    expect(kept.lines[0]).toMatchObject({ interface: 'a', alive: null, latency_ms: null, loss_pct: null, since: null });
    expect(report.clamped).toBe(988 + maxStations + 1);
  });

  test('never throws, and fits its column', () => {
    const names = [
      'connections',
      'connections_max',
      'lines',
      'stations',
      'disk',
      'interface',
      'mac',
      'since',
      'total',
      'free',
    ];
    const any = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        fc.jsonValue(),
        fc.string({ unit: 'binary' }),
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(fc.constantFrom(...names), tie('value'), { maxKeys: 5 }),
      ),
    })).value;
    fc.assert(
      fc.property(any, (yunxun) => {
        const reported = edge(yunxun);
        expect(JSON.stringify(reported?.kept ?? null)).not.toMatch(/\\u(0000|d[89a-f])/i);
        for (const { since } of reported?.kept.lines ?? []) if (since !== null) new Date(since * 1000).toISOString();
      }),
      { numRuns: 300 },
    );
  });
});

describe('joins and leaves of wired clients', () => {
  test('is on no band and no network, at a socket', () => {
    const client = '3c:22:fb:00:00:01';
    expect(event('client.join', { client, port: 'LAN1' })).toMatchObject({
      type: 'join',
      mac: '3c22fb000001',
      bssid: '',
      band: 0,
      port: 'LAN1',
      ssid: null,
    });
    expect(event('client.leave', { client, port: 'LAN1', tx_bytes: 9, connected_time: 60 })).toMatchObject({
      type: 'leave',
      band: 0,
      tx: 9,
      rx: null,
      connectedS: 60,
    });
  });

  test('are none without a socket or network', () => {
    const client = '3c22fb000001';
    for (const reported of [
      { client },
      { client, port: 7 },
      { client, port: ' ' },
      { client, bssid: 'x', port: 'LAN1' },
    ])
      expect(event('client.join', reported)).toBeNull();
  });
});
