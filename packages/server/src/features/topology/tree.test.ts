import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { KeptLinks, KeptPeer } from '../../telemetry/read/links.ts';
import type { Reporter } from './claims.ts';
import { type Sighting, treeOf } from './tree.ts';

const peer = (port: string, mac: string | null, more: Partial<KeptPeer> = {}): KeptPeer => ({
  port,
  up: /^wan/i.test(port),
  mac,
  name: null,
  far_port: null,
  description: null,
  roles: [],
  address: null,
  ...more,
});
const links = (more: Partial<KeptLinks> = {}): KeptLinks => ({ lldp: [], ports: [], macs: {}, own: [], ...more });
const box = (
  serial: string,
  kind: Reporter['kind'],
  reported: Partial<KeptLinks> | null,
  gateway = false,
): Reporter => ({
  serial,
  macs: [serial],
  gateway,
  kind,
  links: reported && links(reported),
});
const at = (mac: string, serial: string, band: number, more: Partial<Sighting> = {}): Sighting => ({
  mac,
  serial,
  band,
  port: null,
  since: 0,
  ...more,
});

function drawn(reporters: readonly Reporter[], sightings: readonly Sighting[] = []): string[] {
  return treeOf(reporters, sightings).nodes.map(({ id, parent, link, apart }) =>
    parent ? `${id}<${parent} ${link!.source} ${link!.port}` : `${id}: ${apart ?? 'root'}`,
  );
}

const [gate, core, ap1, ap2] = ['g0', 's0', 'a1', 'a2'];

describe('the tree', () => {
  test('is gateway, switch, access points and clients, each from the most reliable source', () => {
    expect(
      drawn(
        [
          box(gate, 'gateway', { macs: { LAN1: [core, ap1, ap2, 'pc', 'phone'] } }, true),
          box(core, 'switch', {
            ports: [{ name: 'Ethernet0', up: true, carrier: true, speed: 1000 }],
            lldp: [peer('Ethernet0', gate, { far_port: 'LAN1' })],
            macs: { Ethernet3: ['pc'], Ethernet2: [ap2] },
          }),
          box(ap1, 'ap', { lldp: [peer('WAN', core, { far_port: 'Ethernet1' })] }),
          // no LLDP, but in both tables above
          box(ap2, 'ap', {}),
        ],
        [at('phone', ap1, 5), at('phone', gate, 0, { port: 'LAN1' }), at('pc', core, 0, { port: 'Ethernet3' })].concat(
          at('pc', gate, 0, { port: 'LAN1' }),
        ),
      ),
    ).toEqual([
      `${ap1}<${core} lldp_up Ethernet1`,
      `${ap2}<${core} mac Ethernet2`,
      `${gate}: root`,
      `${core}<${gate} lldp_up LAN1`,
      `sta:pc<${core} mac Ethernet3`,
      `sta:phone<${ap1} wireless null`,
    ]);
  });

  test('separates devices without a reported uplink, and marks contradicting reports', () => {
    expect(
      drawn(
        [
          box(gate, 'gateway', {}, true),
          box(ap1, 'ap', null),
          box(ap2, 'ap', {}),
          box('s1', 'switch', { macs: { Ethernet1: [ap2] } }),
          box('s2', 'switch', { macs: { Ethernet7: [ap2] } }),
        ],
        [at('pc', 's1', 0, { port: 'Ethernet3' }), at('pc', 's2', 0, { port: 'Ethernet4' })],
      ),
    ).toEqual([
      `${ap1}: unreported`,
      `${ap2}: ambiguous`,
      `${gate}: root`,
      's1: unreported',
      's2: unreported',
      'sta:pc: ambiguous',
    ]);
  });

  test('keeps its direction where a switch names no uplink: the port that receives the gateway is the uplink', () => {
    expect(
      drawn(
        [
          box(gate, 'gateway', {}, true),
          box(core, 'switch', { macs: { Ethernet0: [gate, 'pc'], Ethernet5: [ap1] } }),
          box('s9', 'switch', { lldp: [peer('Ethernet0', gate)], macs: { Ethernet0: [core, ap1] } }),
          box(ap1, 'ap', {}),
        ],
        [at('pc', core, 0, { port: 'Ethernet0' })],
      ),
    ).toEqual([
      `${ap1}<${core} mac Ethernet5`,
      `${gate}: root`,
      `${core}: unreported`,
      `s9<${gate} lldp_up null`,
      'sta:pc: unreported',
    ]);
  });

  test('shows what only LLDP knows, with everything that hangs on it', () => {
    const foreign = peer('WAN', 'f0', { name: 'Core', far_port: 'gi0/3', roles: ['Bridge'] });
    const tree = treeOf(
      [
        box(gate, 'gateway', { lldp: [peer('LAN2', 'f0')] }, true),
        box(ap1, 'ap', { lldp: [foreign, peer('WAN', ap2)] }),
        box(ap2, 'ap', { lldp: [{ ...foreign, far_port: 'gi0/4' }] }),
      ],
      [],
    );
    expect(tree.equipment.get('mac:f0')).toMatchObject({ name: 'Core', roles: ['Bridge'] });
    expect(tree.nodes.map(({ id, parent, link }) => [id, parent, link?.port ?? null])).toEqual([
      [ap1, 'mac:f0', 'gi0/3'],
      [ap2, 'mac:f0', 'gi0/4'],
      [gate, null, null],
      ['mac:f0', gate, 'LAN2'],
    ]);
  });

  test('draws a box that is on the air of another as hanging on it', () => {
    expect(drawn([box(ap1, 'ap', {}), box(ap2, 'ap', {})], [at(ap2, ap1, 5)])).toEqual([
      `${ap1}: unreported`,
      `${ap2}<${ap1} wireless null`,
    ]);
  });
});

const name = fc.constantFrom('b0', 'b1', 'b2', 'b3', 'b4', 'b5');
const mac = fc.constantFrom('b0', 'b1', 'b2', 'b3', 'b4', 'b5', 'f0', 'f1', 'p0', 'p1', 'p2');
const port = fc.constantFrom('WAN', 'LAN1', 'LAN2', 'Ethernet0');
const given = fc.record({
  lldp: fc.array(
    fc
      .record({ port, up: fc.boolean(), mac: fc.option(mac), far: fc.option(port) })
      .map(({ port: on, up, mac: of, far }) =>
        peer(on, of, { up, far_port: far, name: of === null ? 'nameless' : null }),
      ),
    { maxLength: 4 },
  ),
  ports: fc
    .uniqueArray(port, { maxLength: 3 })
    .map((names) =>
      names.map((each) => ({ name: each, up: each === 'WAN' || each === 'Ethernet0', carrier: true, speed: 1000 })),
    ),
  macs: fc.dictionary(port, fc.uniqueArray(mac, { maxLength: 5 }), { maxKeys: 3 }),
  own: fc.constant<string[]>([]),
});
const reporter = fc
  .record({
    serial: name,
    kind: fc.constantFrom('ap' as const, 'switch' as const, 'gateway' as const),
    links: fc.option(given),
  })
  .map((one): Reporter => ({ ...one, macs: [one.serial], gateway: one.kind === 'gateway' && one.serial === 'b0' }));
const anyNetwork = fc.record({
  reporters: fc.uniqueArray(reporter, { selector: ({ serial }) => serial, maxLength: 6 }),
  sightings: fc.array(
    fc.record({ mac, serial: name, band: fc.constantFrom(0, 2, 5), port: fc.option(port), since: fc.nat(3) }),
    { maxLength: 12 },
  ),
});

describe('whatever is reported', () => {
  test('comes out as a forest: everything once, one parent at most, no ring, and no link without a word for it', () => {
    fc.assert(
      fc.property(anyNetwork, ({ reporters, sightings }) => {
        const { nodes } = treeOf(reporters, sightings);
        const byId = new Map(nodes.map((node) => [node.id, node]));
        expect(byId.size).toBe(nodes.length);
        for (const { serial } of reporters) expect(byId.has(serial)).toBe(true);
        for (const node of nodes) {
          expect(node.parent === null).toBe(node.link === null);
          expect(node.parent !== null && node.apart !== null).toBe(false);
          const passed = new Set([node.id]);
          for (let above = node.parent; above !== null; above = byId.get(above)!.parent) {
            expect(byId.has(above)).toBe(true);
            expect(passed.has(above)).toBe(false);
            passed.add(above);
          }
          if (node.link?.source === 'mac' && node.type === 'device') {
            const tables = reporters.find(({ serial }) => serial === node.parent)?.links?.macs ?? {};
            expect(Object.values(tables).flat()).toContain(node.id);
          }
        }
      }),
      { numRuns: 400 },
    );
  });

  test('is the same tree in whatever order it came', () => {
    fc.assert(
      fc.property(
        anyNetwork.chain(({ reporters, sightings }) =>
          fc.record({
            first: fc.constant({ reporters, sightings }),
            again: fc.record({
              reporters: fc.shuffledSubarray(reporters, { minLength: reporters.length }),
              sightings: fc.shuffledSubarray(sightings, { minLength: sightings.length }),
            }),
          }),
        ),
        ({ first, again }) => {
          const turned = again.reporters.map((one) => ({
            ...one,
            links: one.links && { ...one.links, lldp: one.links.lldp.toReversed() },
          }));
          expect(treeOf(turned, again.sightings).nodes).toEqual(treeOf(first.reporters, first.sightings).nodes);
        },
      ),
      { numRuns: 400 },
    );
  });
});
