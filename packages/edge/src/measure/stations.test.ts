import { describe, expect, it } from 'vitest';
import type { Layout } from './layout.ts';
import { Owners } from './owners.ts';
import { type Sighting, Stations } from './stations.ts';
import { WanHealth } from './wan-health.ts';

const layout: Layout = {
  interfaces: [
    {
      name: 'down1v0',
      location: '/interfaces/1',
      role: 'downstream',
      device: 'br0',
      ports: [
        { name: 'LAN1', device: 'lan1' },
        { name: 'LAN2', device: 'lan2' },
      ],
    },
  ],
  leases: null,
  queries: null,
  lines: [],
};
const mac = 'aabbcc000002';
const own = { device: 'br0', address: '10.1.0.1', prefix: 24 };

function sighting(at: number, silentS: number | null, more: Partial<Sighting> = {}): Sighting {
  const neighbours = [{ device: 'br0', address: '10.1.0.9', mac, confirmedS: silentS }];
  return { at, addresses: [own], neighbours, forwarding: [], leases: [], unplugged: new Set(), ...more };
}

describe('stations', () => {
  const timeouts = { ask: 45_000, gone: 150_000 };
  const hour = 3_600_000;

  it('join by a sign, are asked when silent, and leave when they do not answer', () => {
    const stations = new Stations(timeouts);
    expect(stations.look(layout, sighting(hour, 0)).joined).toMatchObject([{ mac, port: 'LAN1', ipv4: ['10.1.0.9'] }]);
    expect(stations.look(layout, sighting(hour + 15_000, 15))).toEqual({ joined: [], left: [], ask: [] });
    const { ask } = stations.look(layout, sighting(hour + 60_000, 60));
    expect(ask).toEqual([{ address: '10.1.0.9', mac, device: 'br0' }]);
    expect(stations.look(layout, sighting(hour + 75_000, 0))).toEqual({ joined: [], left: [], ask: [] });
    const { left } = stations.look(layout, sighting(hour + 225_000, 150));
    expect(left).toMatchObject([{ mac, joinedAt: hour }]);
    expect(stations.look(layout, sighting(hour + 240_000, 165)).joined).toEqual([]);
    expect(stations.look(layout, sighting(hour + 255_000, 1)).joined).toHaveLength(1);
  });

  it('are behind the port where their frames come from, and go with its cable', () => {
    const stations = new Stations(timeouts);
    const forwarding = [{ mac, port: 'lan2', seenS: 3 }];
    const leases = [{ expires: 0, mac, address: '10.1.0.9', hostname: 'lab-a' }];
    const { joined } = stations.look(layout, sighting(hour, 400, { forwarding, leases }));
    expect(joined).toMatchObject([{ port: 'LAN2', hostname: 'lab-a', lastSeen: hour - 3000 }]);
    const { left } = stations.look(layout, sighting(hour + 1, 0, { forwarding, unplugged: new Set(['lan2']) }));
    expect(left).toHaveLength(1);
  });

  it('are seen without an address too, and go with their interface', () => {
    const stations = new Stations(timeouts);
    const seen = sighting(hour, 0, { neighbours: [], forwarding: [{ mac, port: 'lan1', seenS: 0 }] });
    expect(stations.look(layout, seen).joined).toMatchObject([{ mac, port: 'LAN1', ipv4: [] }]);
    expect(stations.look({ ...layout, interfaces: [] }, sighting(hour, 0)).left).toHaveLength(1);
  });
});

describe("an address's owner", () => {
  it('is a station that was seen with it, for an hour after too; none outside the LAN; to be found on it', () => {
    const owners = new Owners();
    const { neighbours, addresses } = sighting(0, 0);
    owners.learn(layout, { at: 0, addresses, neighbours });
    expect(['10.1.0.9', '10.1.0.1', '10.1.0.8', '10.1.0.255', '192.0.2.1'].map((one) => owners.ownerOf(one))).toEqual([
      mac,
      'none',
      'later',
      'none',
      'none',
    ]);
    owners.learn(layout, { at: 3_599_999, addresses, neighbours: [] });
    expect(owners.ownerOf('10.1.0.9')).toBe(mac);
    owners.learn(layout, { at: 3_600_000, addresses, neighbours: [] });
    expect(owners.ownerOf('10.1.0.9')).toBe('later');
  });
});

describe('the health of a line', () => {
  it('changes only after as many probes in a row as were asked for', () => {
    const wan = new WanHealth(3, 2);
    expect(wan.state).toEqual({ alive: null, latencyMs: null, lossPct: null, since: null });
    expect(wan.probed(4, 1)).toBe(true);
    expect([wan.probed(null, 2), wan.probed(null, 3), wan.probed(6, 4)]).toEqual([false, false, false]);
    expect([wan.probed(null, 5), wan.probed(null, 6), wan.probed(null, 7)]).toEqual([false, false, true]);
    expect(wan.state).toEqual({ alive: false, latencyMs: 5, lossPct: 71, since: 7 });
    expect([wan.probed(1, 8), wan.probed(null, 9), wan.probed(1, 10), wan.probed(1, 11)]).toEqual([
      false,
      false,
      false,
      true,
    ]);
    expect(wan.state).toMatchObject({ alive: true, since: 11 });
    expect([wan.dead(12), wan.dead(13)]).toEqual([true, false]);
    expect(wan.state).toEqual({ alive: false, latencyMs: null, lossPct: null, since: 12 });
  });

  it('is decided at once by an answer, and by silence only after a while', () => {
    const wan = new WanHealth(2, 5);
    expect([wan.probed(null, 1), wan.probed(null, 2), wan.probed(null, 3)]).toEqual([false, true, false]);
    expect(wan.probed(1, 4)).toBe(true);
    expect(new WanHealth(2, 5).probed(1, 1)).toBe(true);
  });

  it('looks back at twenty probes', () => {
    const wan = new WanHealth(3, 2);
    for (let at = 0; at < 20; at += 1) wan.probed(at % 2 === 0 ? null : 10, at);
    expect(wan.state.lossPct).toBe(50);
    for (let at = 20; at < 40; at += 1) wan.probed(2, at);
    expect(wan.state).toMatchObject({ lossPct: 0, latencyMs: 2 });
  });
});
