import type { Association, Counters, State } from '@yunxun/contract/device';
import { isRandomMac } from '@yunxun/contract/device';
import { describe, expect, it } from 'vitest';
import type { Box } from './box/box.ts';
import { wirelessDocument, workbench } from './testing.ts';

const associationsOf = (state: State): readonly Association[] =>
  (state.interfaces ?? []).flatMap((entry) => (entry.ssids ?? []).flatMap((ssid) => ssid.associations ?? []));
const firstOf = (boxes: readonly Box[], role: string): Box => {
  const found = boxes.find((box) => box.hardware.role === role);
  if (found === undefined) throw new Error(`no ${role}`);
  return found;
};

describe('state of a simulated access point', () => {
  it('is 10 to 60 KB with a realistic crowd', () => {
    const { boxes, pass, clock } = workbench({ aps: 20, gateways: 2, switches: 2 });
    pass(90);
    for (const box of boxes) {
      const state = box.state(clock.now());
      expect(JSON.stringify(state).length, box.hardware.role).toBeGreaterThan(10_000);
      expect(JSON.stringify(state).length, box.hardware.role).toBeLessThan(60_000);
      expect(associationsOf(state).length).toBeLessThan(60);
    }
    const everyone = boxes.flatMap((box) => associationsOf(box.state(clock.now())));
    expect(everyone.length).toBeGreaterThan(150);
    const privateShare = everyone.filter((entry) => isRandomMac(entry.station ?? '')).length / everyone.length;
    expect(privateShare).toBeGreaterThan(0.2);
    expect(privateShare).toBeLessThan(0.8);
    for (const { rssi = 0, tx_rate: rate } of everyone) {
      expect(rssi).toBeGreaterThanOrEqual(-90);
      expect(rssi).toBeLessThanOrEqual(-25);
      expect(rate?.bitrate).toBeGreaterThan(1000);
    }
  });

  it('has the shape of the firmware: sections, references, places in the configuration', () => {
    const { boxes, pass, clock } = workbench({ aps: 4, gateways: 1, switches: 1 });
    pass(30);
    const box = firstOf(boxes, 'access-point');
    const state = box.state(clock.now());
    expect(Object.keys(state).toSorted()).toEqual([
      'interfaces',
      'link-state',
      'lldp-peers',
      'radios',
      'unit',
      'version',
    ]);
    const [up] = state.interfaces ?? [];
    expect(up).toMatchObject({ name: 'up0v0', location: '/interfaces/0', ipv4: { addresses: [expect.any(String)] } });
    expect(up?.ssids?.map(({ ssid, band, location, radio }) => [ssid, band, location, radio?.$ref])).toEqual([
      ['Corp', '5G', '/interfaces/0/ssids/0', '#/radios/0'],
      ['Corp', '2G', '/interfaces/0/ssids/0', '#/radios/1'],
      ['Guest', '5G', '/interfaces/0/ssids/1', '#/radios/0'],
      ['Guest', '2G', '/interfaces/0/ssids/1', '#/radios/1'],
    ]);
    expect(state.radios?.map((radio) => radio.band)).toEqual([['5G'], ['2G']]);
    expect(state.radios?.[1]).toMatchObject({ channel: 6, frequency: [2437], channel_width: 20 });
    expect(state['link-state']?.upstream?.WAN).toMatchObject({ carrier: 1, duplex: 'full' });
    expect(state['lldp-peers']?.upstream?.WAN?.[0]?.name).toContain('Switch');
    expect(up?.clients?.some((client) => client.ports?.[0] === 'WAN')).toBe(true);
  });

  it('leaves out the sections that the configuration does not ask for', () => {
    const { boxes, clock } = workbench({ aps: 1 });
    const box = firstOf(boxes, 'access-point');
    const bare = { ...wirelessDocument(3), metrics: { statistics: { interval: 60, types: [] } } };
    box.apply(bare);
    const [up] = box.state(clock.now()).interfaces ?? [];
    expect(up).not.toHaveProperty('ssids');
    expect(up).not.toHaveProperty('clients');
  });

  it('counts upwards only, and its deltas add up to the absolutes', () => {
    const { boxes, pass, clock } = workbench({ aps: 2, gateways: 1 });
    const box = firstOf(boxes, 'gateway');
    const wan = (state: State) => state['link-state']?.upstream?.WAN;
    let last: Counters = {};
    let sum = 0;
    for (let report = 0; report < 20; report += 1) {
      pass(1);
      const { counters = {}, delta_counters: delta = {} } = wan(box.state(clock.now())) ?? {};
      for (const key of Object.keys(counters) as (keyof Counters)[]) {
        expect(counters[key] ?? 0).toBeGreaterThanOrEqual(last[key] ?? 0);
      }
      sum += delta.rx_bytes ?? 0;
      last = counters;
    }
    expect(sum).toBe(last.rx_bytes);
    expect(sum).toBeGreaterThan(1_000_000);
  });

  it('a gateway leases addresses and sees what its access points see', () => {
    const { boxes, pass, clock } = workbench({ aps: 3, gateways: 1 });
    pass(60);
    const stations = boxes.flatMap((box) => associationsOf(box.state(clock.now()))).map((entry) => entry.station);
    const lan = firstOf(boxes, 'gateway')
      .state(clock.now())
      .interfaces?.find((entry) => entry.name === 'down1v0');
    expect(lan?.ipv4?.addresses).toEqual(['192.168.1.1/24']);
    const leased = new Map(lan?.ipv4?.leases?.map((lease) => [lease.mac, lease.address]));
    for (const station of stations) expect(leased.get(station)).toMatch(/^192\.168\.1\.\d+$/);
    expect(new Set(leased.values()).size).toBe(leased.size);
  });

  it('a switch reports its ports, their power and the addresses behind them', () => {
    const { boxes, pass, clock } = workbench({ switches: 1 });
    pass(5);
    const state = firstOf(boxes, 'switch').state(clock.now());
    expect(Object.keys(state['link-state']?.upstream ?? {})).toHaveLength(26);
    expect(state['link-state']?.upstream?.Ethernet0).toMatchObject({ carrier: true, speed: 10_000 });
    expect(state['link-state']?.upstream?.Ethernet1?.poe).toMatchObject({ status: 'searching' });
    expect(state.unit?.poe).toMatchObject({ 'max-power-budget': 370, 'power-consumed': 0 });
    expect(Object.keys(state['mac-forwarding-table'] ?? {}).length).toBeGreaterThan(5);
  });
});

describe('the simulated world', () => {
  it('is the same for the same seed and another for another', () => {
    const report = (seed: string) => {
      const { boxes, pass, clock } = workbench({ aps: 3, gateways: 1, switches: 1 }, seed);
      pass(120);
      return JSON.stringify(boxes.map((box) => box.state(clock.now())));
    };
    const first = report('a');
    expect(report('a')).toBe(first);
    expect(report('b')).not.toBe(first);
  });

  it('is full by day and empty by night where people work', () => {
    const crowd = (hourUtc: number, leastShare = 0) => {
      const { places, pass } = workbench({ aps: 20, leastShare }, 'hours', Date.UTC(2026, 10, 20, hourUtc));
      pass(30);
      return places[1]?.present().filter((station) => station.person.habit.comesAndGoes).length ?? 0;
    };
    const [tenInTheMorning, threeAtNight] = [crowd(2), crowd(19)];
    expect(tenInTheMorning).toBeGreaterThan(50);
    expect(threeAtNight).toBeLessThan(tenInTheMorning / 4);
    expect(crowd(19, 0.35)).toBeGreaterThan(50);
  });

  it('reports every join and leave, with the final traffic', () => {
    const { boxes, pass, clock, places } = workbench({ aps: 4 });
    const events: { type: string; payload: Record<string, unknown> }[] = [];
    for (const box of boxes) box.listener = { event: (_at, type, payload) => events.push({ type, payload }) };
    const before = places[0]?.present().length ?? 0;
    pass(180);
    const count = (type: string) => events.filter((event) => event.type === type).length;
    expect(count('client.join')).toBeGreaterThan(20);
    expect(before + count('client.join') - count('client.leave')).toBe(places[0]?.present().length);
    const leaves = events.filter((event) => event.type === 'client.leave');
    expect(leaves.some(({ payload }) => Number(payload.tx_bytes) > 1_000_000)).toBe(true);
    for (const { payload } of leaves) expect(payload).toMatchObject({ connected_time: expect.any(Number) });
    const [first] = boxes;
    expect(associationsOf(first?.state(clock.now()) ?? {}).length).toBe(places[0]?.at(first?.serial ?? '').length);
  });

  it('has clients that roam between access points', () => {
    const { boxes, pass } = workbench({ aps: 6 });
    const where = new Map<string, Set<string>>();
    for (const box of boxes) {
      box.listener = {
        event: (_at, type, payload) => {
          if (type !== 'client.join') return;
          const seen = where.get(String(payload.client)) ?? new Set();
          where.set(String(payload.client), seen.add(box.serial));
        },
      };
    }
    pass(120);
    expect([...where.values()].filter((serials) => serials.size > 1).length).toBeGreaterThan(10);
  });
});

describe('one network', () => {
  it('is seen alike by its gateway, its switch and its access points', () => {
    const { boxes, places, pass, clock } = workbench({ aps: 3, gateways: 1, switches: 1 });
    pass(5);
    const machines = places[0]?.machines.map((machine) => machine.mac) ?? [];
    const seenBy = (role: string) => {
      const state = firstOf(boxes, role).state(clock.now());
      return new Set((state.interfaces ?? []).flatMap((entry) => entry.clients ?? []).map((client) => client.mac));
    };
    for (const role of ['gateway', 'switch', 'access-point']) {
      const seen = seenBy(role);
      expect(machines.every((mac) => seen.has(mac))).toBe(true);
    }
  });

  it('plugs each access point into one of its switches, which both sides report', () => {
    const { boxes, pass, clock } = workbench({ aps: 4, gateways: 1, switches: 2 });
    pass(5);
    const seen = boxes
      .filter(({ hardware }) => hardware.role === 'switch')
      .map((box) => ({ box, macs: new Set(macsBehind(box.state(clock.now()))) }));
    for (const { mac, uplink } of boxes.filter(({ hardware }) => hardware.role === 'access-point'))
      expect(seen.filter(({ macs }) => macs.has(mac)).map(({ box }) => box.mac)).toEqual([uplink?.mac]);
  });

  it('passes traffic of its access points through the switch and the gateway', () => {
    const { boxes, pass } = workbench({ aps: 2, gateways: 1, switches: 1 });
    pass(30);
    const wireless = boxes.reduce((sum, box) => sum + (box.ports.traffic('WAN')?.txBytes ?? 0), 0);
    const gateway = firstOf(boxes, 'gateway');
    const uplink = firstOf(boxes, 'switch').ports.traffic('Ethernet0');
    expect(wireless).toBeGreaterThan(0);
    expect(gateway.ports.traffic('LAN1')?.txBytes).toBe(uplink?.rxBytes);
    expect(gateway.ports.traffic('WAN')?.rxBytes).toBeGreaterThanOrEqual(uplink?.rxBytes ?? 0);
  });
});

function macsBehind(state: State): string[] {
  const table = (state['mac-forwarding-table'] ?? {}) as Record<string, Record<string, string[]>>;
  return Object.values(table).flatMap((vlans) => Object.values(vlans).flat());
}
