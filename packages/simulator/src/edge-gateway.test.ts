import { createHash } from 'node:crypto';
import type { EdgeSdwan, EdgeStateReport } from '@yunxun/contract/device';
import { describe, expect, it } from 'vitest';
import { factoryConfigurations } from './box/defaults.ts';
import { EdgeGatewayBox } from './box/edge-gateway.ts';
import { morning, workbench } from './testing.ts';

function gateway() {
  const bench = workbench({ aps: 2, edges: 1 });
  const box = bench.boxes.find((one) => one instanceof EdgeGatewayBox) as EdgeGatewayBox;
  return { ...bench, box, state: (): EdgeStateReport => box.state(bench.clock.now()) };
}

describe('a simulated gateway on our own agent', () => {
  it('refuses what the agent refuses, in its words', () => {
    const { box } = gateway();
    const routes = [{ to: '0.0.0.0/0', via: '192.168.1.9' }];
    const document = { ...factoryConfigurations.edge, uuid: 2, 'third-party': { yunxun: { routes } } };
    const { error, rejected } = box.apply(document);
    expect(error).toBe(2);
    expect(rejected.join()).toContain('a default route belongs to an upstream interface');
  });

  it('reports its WANs, its LAN and the clients behind it', () => {
    const { pass, state } = gateway();
    pass(30);
    const report = state();
    expect(report.yunxun.lines).toMatchObject([{ interface: 'up0v0', alive: true, address: expect.any(String) }]);
    const [wan, lan] = report.interfaces ?? [];
    expect(wan?.counters?.rx_bytes).toBeGreaterThan(0);
    expect(lan?.ipv4?.addresses).toEqual(['192.168.1.1/24']);
    expect(lan?.clients?.length).toBeGreaterThan(2);
    expect(lan?.ipv4?.leases?.length).toBeGreaterThan(2);
  });

  it('moves to the second WAN when the first loses its carrier', () => {
    const { box, clock, pass, state } = gateway();
    const [wan, lan] = factoryConfigurations.edge.interfaces as Record<string, unknown>[];
    const second = { ...wan, name: 'WAN2', ethernet: [{ 'select-ports': ['WAN2'] }], metric: 2 };
    expect(box.apply({ ...factoryConfigurations.edge, uuid: 2, interfaces: [wan, second, lan] }).error).toBe(0);
    box.cable('WAN1', false, clock.now());
    const before = state().interfaces?.[1]?.counters?.rx_bytes ?? 0;
    pass(10);
    const { yunxun, interfaces } = state();
    expect(yunxun.lines.map(({ alive }) => alive)).toEqual([false, true]);
    expect(interfaces?.[1]?.counters?.rx_bytes).toBeGreaterThan(before + 100_000);
  });

  it('gives every byte of its clients to an application once, and repeats a message until it is taken', () => {
    const { box, clock, pass, state } = gateway();
    let [down, up, seq] = [0, 0, 0];
    for (let round = 0; round < 5; round += 1) {
      pass(20);
      const message = box.flowMessage(clock.now());
      if (message === null) throw new Error('nothing was counted');
      expect(message.seq).toBeGreaterThan(seq);
      expect(box.flowMessage(clock.now() + 1000)).toBe(message);
      seq = message.seq;
      for (const row of message.rows) {
        expect(row.at).toBeGreaterThanOrEqual(morning / 1000);
        expect(row.at % 300).toBe(0);
        down += row.down;
        up += row.up;
      }
      box.flowTaken(seq);
    }
    const counted = state().yunxun.stations;
    expect(down).toBe(counted.reduce((sum, { tx_bytes: bytes }) => sum + bytes, 0));
    expect(up).toBe(counted.reduce((sum, { rx_bytes: bytes }) => sum + bytes, 0));
    expect(down).toBeGreaterThan(0);
  });

  it('carries nothing for a client that is blocked, and all for the others', () => {
    const { box, clock, pass, state } = gateway();
    pass(20);
    const bytes = (mac: string) => state().yunxun.stations.find((station) => station.mac === mac)?.tx_bytes ?? 0;
    const [blocked, other] = state()
      .yunxun.stations.toSorted((a, b) => b.tx_bytes - a.tx_bytes)
      .map(({ mac }) => mac);
    const list = { blocked: [blocked] };
    expect(box.apply({ ...factoryConfigurations.edge, uuid: 2, 'third-party': { yunxun: list } }).error).toBe(0);
    const before = [bytes(blocked!), bytes(other!)];
    for (let round = 0; round < 5; round += 1) {
      pass(20);
      box.flowTaken(box.flowMessage(clock.now())?.seq ?? 0);
    }
    expect(bytes(blocked!)).toBe(before[0]);
    expect(bytes(other!)).toBeGreaterThan(before[1]!);
  });

  it('answers for declared peripheral devices', () => {
    const { box, state } = gateway();
    const target = (id: string, address: string) => ({ id, address, port: 80 });
    const targets = [target('a', '192.168.1.64'), target('b', '192.168.1.254')];
    expect(box.useTool({ tool: 'watch', revision: 'r1', targets })).toMatchObject({ error: 0 });
    expect(state().yunxun.watch).toMatchObject({
      revision: 'r1',
      targets: [
        { id: 'a', alive: true },
        { id: 'b', alive: false, latency_ms: null },
      ],
    });
  });

  it('gives pictures of cameras, and says of found hosts what they tell', () => {
    const { box, clock } = gateway();
    const picture = (address: string) => box.useTool({ tool: 'snapshot', address, port: 80 }).tool?.snapshot;
    const shown = picture('192.168.1.64') as { picture: string };
    expect(Buffer.from(shown.picture, 'base64').subarray(0, 3)).toEqual(Buffer.from([0xff, 0xd8, 0xff]));
    expect(picture('192.168.1.65')).toEqual({ reason: 'password' });
    box.useTool({ tool: 'scan', act: 'start', id: 's' });
    clock.advance(10_000);
    box.place.advance(clock.now());
    const { hosts = [] } = box.useTool({ tool: 'scan', act: 'read', id: 's' }).tool?.scan ?? {};
    const sources = hosts.flatMap(({ findings = [] }) => findings.map(({ by }) => by));
    expect(new Set(sources)).toEqual(new Set(['onvif', 'ipp', 'mdns', 'snmp', 'ssdp']));
  });

  it('answers for a machine of the site until it is switched off', () => {
    const { box, clock, state } = gateway();
    const machine = box.place.machines.find(({ number }) => number !== null)!;
    const address = box.place.address(machine.number!)!;
    box.useTool({ tool: 'watch', revision: 'r1', targets: [{ id: 'a', address, port: 554 }] });
    expect(state().yunxun.watch?.targets).toMatchObject([{ id: 'a', alive: true }]);
    clock.advance(60_000);
    box.switchMachine(address, false, clock.now());
    const since = Math.floor(clock.now() / 1000);
    expect(state().yunxun.watch?.targets).toMatchObject([{ id: 'a', alive: false, latency_ms: null, since }]);
  });

  it('counts queries for listed domains until the console has taken them', async () => {
    const { box, pass, state } = gateway();
    const text = 'ads.example\npixel.example\n';
    const sha256 = createHash('sha256').update(text).digest('hex');
    let isAway = true;
    box.shield.fetch = async (path) => {
      if (isAway) throw new Error('no console');
      return path === '/shield/own' ? text : 'another list';
    };
    const shield = {
      mode: 'block',
      lists: [{ category: 'own', sha256, path: '/shield/own' }],
      allow: ['pixel.example'],
    };
    const document = { ...factoryConfigurations.edge, uuid: 2, 'third-party': { yunxun: { shield } } };
    expect(box.apply(document)).toEqual({ error: 0, rejected: [] });
    await expect.poll(() => state().yunxun.shield?.error).toContain('no console');
    isAway = false;
    pass(2);
    await expect.poll(() => state().yunxun.shield?.lists).toEqual([{ category: 'own', sha256, domains: 2 }]);
    pass(120);
    const take = (taken: string | null) => box.useTool({ tool: 'shield', taken }).tool?.shield;
    const batch = take(null);
    expect(batch?.rows.length).toBeGreaterThan(0);
    expect(new Set(batch?.rows.map(({ domain, blocked }) => `${domain} ${blocked}`))).toEqual(
      new Set(['ads.example true']),
    );
    expect(take(null)).toEqual(batch);
    expect(take(batch!.id)).toBeNull();
  });

  it('runs its tools, and refuses what the agent refuses', () => {
    const { box } = gateway();
    expect(box.useTool({ tool: 'ping', target: '9.9.9.9', count: 3 }).tool?.output).toContain('3 packets received');
    expect(box.useTool({ tool: 'dns', target: 'nowhere.invalid' }).tool?.dns).toMatchObject([{ error: 'ENOTFOUND' }]);
    const connect = (target: string) => box.useTool({ tool: 'connect', target, port: 443 }).tool?.connect;
    expect([connect('guests.example'), connect('nowhere.invalid')]).toEqual([{ error: null }, { error: 'ENOTFOUND' }]);
    expect(box.useTool({ tool: 'ping', target: '-f' })).toMatchObject({ error: 2 });
    const { speed } = box.useTool({ tool: 'speed', uri: 'https://console.example/speed' }).tool ?? {};
    expect(speed?.down?.bytes).toBeGreaterThan(speed?.up?.bytes ?? 0);
  });

  it('reports a tunnel that both documents name, and none that one side has lost', () => {
    const bench = workbench({ edges: 2 });
    const [hub, branch] = bench.boxes as [EdgeGatewayBox, EdgeGatewayBox];
    const keyOf = (box: EdgeGatewayBox) => box.state(bench.clock.now()).yunxun.sdwan!.public_key;
    const ends = new Map([hub, branch].map((box, at) => [box, { own: `100.64.0.${at + 1}`, lan: `10.7.${at}.0/24` }]));
    const give = (box: EdgeGatewayBox, other: EdgeGatewayBox, endpoint?: { host: string; port: number }) => {
      const [here, there] = [ends.get(box)!, ends.get(other)!];
      const peer = { public_key: keyOf(other), address: there.own, allowed: [`${there.own}/32`, there.lan] };
      const sdwan: EdgeSdwan = {
        id: 'n',
        revision: 'r1',
        address: here.own,
        forward: [],
        lans: [{ prefix: here.lan }],
        interfaces: [{ name: 'sd0', listen_port: 51_820, mtu: 1380, peers: [endpoint ? { ...peer, endpoint } : peer] }],
        routes: [{ prefix: there.lan, candidates: [{ interface: 'sd0', probe: there.own }] }],
        failover: { probe_ms: 500, fails: 3, recovers: 6, hold_s: 30, order: 'preferred' },
      };
      const yunxun = { sdwan: [sdwan] };
      expect(box.apply({ ...factoryConfigurations.edge, uuid: 2, 'third-party': { yunxun } }).rejected).toEqual([]);
    };
    const seen = () => branch.state(bench.clock.now()).yunxun.sdwan!.networks[0]!;
    give(branch, hub, { host: 'hub.example.net', port: 51_820 });
    expect(seen()).toMatchObject({ peers: [{ alive: false, handshake: null }], routes: [{ interface: null }] });
    give(hub, branch);
    bench.pass(1);
    expect(seen()).toMatchObject({
      id: 'n',
      revision: 'r1',
      error: null,
      routes: [{ prefix: '10.7.0.0/24', interface: 'sd0' }],
      peers: [{ public_key: keyOf(hub), alive: true, handshake: expect.any(Number), latency_ms: expect.any(Number) }],
    });
    const test = (target: string, sources: string[]) =>
      branch.useTool({ tool: 'path', target, count: 2, sources }) as { text: string; tool?: { output?: string } };
    const lan = ['192.168.1.0/24'];
    expect(test('10.7.0.10', lan).tool?.output).toContain('2 packets received');
    expect(test('10.8.0.10', lan).tool?.output).toContain('0 packets received');
    expect(test('10.7.0.10', ['10.7.1.0/24']).text).toContain('no address in 10.7.1.0/24');
    hub.apply({ ...factoryConfigurations.edge, uuid: 3 });
    expect(test('10.7.0.10', lan).tool?.output).toContain('0 packets received');
    expect(seen().peers[0]).toMatchObject({ alive: false, loss_pct: 100 });
  });

  it('reports that it moved prefixes to the other centre, and back', () => {
    const bench = workbench({ edges: 3 });
    const [main, bak, branch] = bench.boxes as [EdgeGatewayBox, EdgeGatewayBox, EdgeGatewayBox];
    const keyOf = (box: EdgeGatewayBox) => box.state(bench.clock.now()).yunxun.sdwan!.public_key;
    const failover = { probe_ms: 500, fails: 3, recovers: 6, hold_s: 30, order: 'preferred' } as const;
    const give = (
      box: EdgeGatewayBox,
      at: number,
      interfaces: EdgeSdwan['interfaces'],
      routes: EdgeSdwan['routes'],
    ) => {
      const own = { id: 'n', revision: 'r1', address: `100.64.0.${at}`, forward: [], lans: [] };
      const yunxun = { sdwan: [{ ...own, interfaces, routes, failover }] };
      expect(box.apply({ ...factoryConfigurations.edge, uuid: 2, 'third-party': { yunxun } }).rejected).toEqual([]);
    };
    const peer = (box: EdgeGatewayBox, at: number) => {
      return { public_key: keyOf(box), address: `100.64.0.${at}`, allowed: [`100.64.0.${at}/32`, '10.7.0.0/24'] };
    };
    const tunnel = (name: string, port: number, one: ReturnType<typeof peer>, host?: string) => ({
      name,
      listen_port: port,
      mtu: 1380,
      peers: [{ ...one, ...(host ? { endpoint: { host, port: 51_820 } } : {}) }],
    });
    for (const [box, at] of [
      [main, 1],
      [bak, 2],
    ] as const)
      give(box, at, [tunnel('sd0d', 51_820, peer(branch, 3))], []);
    const uplinks = [
      tunnel('sd0m', 51_821, peer(main, 1), 'a.example.net'),
      tunnel('sd0b', 51_822, peer(bak, 2), 'b.example.net'),
    ];
    const candidates = [
      { interface: 'sd0m', probe: '100.64.0.1' },
      { interface: 'sd0b', probe: '100.64.0.2' },
    ];
    give(branch, 3, uplinks, [{ prefix: '10.7.0.0/24', candidates }]);
    const reported: unknown[] = [];
    branch.listener = {
      event: (_at, type, payload) => {
        if (type === 'sdwan.path') reported.push(payload);
      },
    };
    bench.pass(2);
    expect(reported).toEqual([]);
    main.down();
    bench.pass(2);
    const move = { network: 'n', from: 'sd0m', to: 'sd0b', prefixes: ['10.7.0.0/24'] };
    expect(reported).toEqual([move]);
    main.boot(bench.clock.now());
    give(main, 1, [tunnel('sd0d', 51_820, peer(branch, 3))], []);
    bench.pass(2);
    expect(reported).toEqual([move, { ...move, from: 'sd0b', to: 'sd0m' }]);
  });

  it('begins its counters anew when it restarts', () => {
    const { box, clock, pass, state } = gateway();
    pass(10);
    box.boot(clock.now());
    expect(state().interfaces).toEqual([]);
    box.apply(factoryConfigurations.edge);
    expect(state().interfaces?.[0]?.counters).toBeUndefined();
  });
});
