import type { ConfigurationDocument } from '@yunxun/contract/device';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { judge } from './box/accept.ts';
import { factoryConfigurations } from './box/defaults.ts';
import { type BoxRole, hardwareOf } from './box/hardware.ts';
import { wirelessDocument, workbench } from './testing.ts';

const upstream = { role: 'upstream', ethernet: [{ 'select-ports': ['WAN*'] }] };
const withSsid = (ssid: Record<string, unknown>): ConfigurationDocument => ({
  uuid: 5,
  radios: [{ band: '2G' }],
  interfaces: [{ ...upstream, ssids: [ssid] }],
});
const access = hardwareOf['access-point'];

describe('what the renderer of an access point refuses', () => {
  it.each<[string, Record<string, unknown>, string]>([
    ['no interface at all', {}, 'at least one valid upstream interface'],
    ['only a downstream interface', { interfaces: [{ ...upstream, role: 'downstream' }] }, 'upstream'],
    ['an upstream interface without ports', { interfaces: [{ role: 'upstream', ethernet: [{}] }] }, 'upstream'],
    ['interfaces that are no list', { interfaces: {} }, '(In /interfaces) Value must be of type array'],
    ['an unknown role', { interfaces: [{ role: 'sideways' }] }, '(In /interfaces/0/role) Value must be one of'],
    [
      'an unknown band',
      { radios: [{ band: '7G' }], interfaces: [upstream] },
      '(In /radios/0/band) Value must be one of',
    ],
    ['a channel beyond 233', { radios: [{ band: '5G', channel: 300 }], interfaces: [upstream] }, '/radios/0/channel'],
    [
      'too much power',
      { radios: [{ band: '5G', 'tx-power': 31 }], interfaces: [upstream] },
      'lower than or equal to 30',
    ],
    ['a nameless network', withSsid({}), 'must have property "name"'],
    ['a name of 33 letters', withSsid({ name: 'x'.repeat(33) }), '/interfaces/0/ssids/0/name'],
    ['a short key', withSsid({ name: 'a', encryption: { proto: 'psk2', key: 'short' } }), 'encryption/key'],
    ['unknown security', withSsid({ name: 'a', encryption: { proto: 'wep' } }), 'encryption/proto'],
    ['a VLAN beyond 4050', { interfaces: [{ ...upstream, vlan: { id: 4051 } }] }, '/interfaces/0/vlan/id'],
    ['a broken subnet', { interfaces: [{ ...upstream, ipv4: { subnet: '10.0.0.999/24' } }] }, 'valid IPv4 CIDR'],
    [
      'reports every second',
      { interfaces: [upstream], metrics: { statistics: { interval: 1 } } },
      'statistics/interval',
    ],
    [
      'two captive portals',
      {
        interfaces: [
          { ...upstream, services: ['captive'] },
          { ...upstream, services: ['captive'] },
        ],
      },
      'single interface',
    ],
  ])('%s', (_name, document, words) => {
    const { errors } = judge({ uuid: 5, ...document }, access);
    expect(errors.join('\n')).toContain(words);
    expect(errors.every((error) => error.startsWith('[E] '))).toBe(true);
  });

  it('leaves out what the hardware cannot do, with a warning; strict makes that an error', () => {
    const document = { ...wirelessDocument(5), radios: [{ band: '2G' }, { band: '6G' }] };
    const findings = judge(document, access);
    expect(findings).toEqual({
      errors: [],
      warnings: ["[W] (In /radios/1) Can't find any suitable radio phy for band 6G settings"],
    });
    expect(judge({ ...document, strict: true }, access).errors).toHaveLength(1);
  });

  it('passes unknown keys in silence', () => {
    const document = { ...wirelessDocument(5), bogus: { anything: 1 } };
    expect(judge(document, access)).toEqual({ errors: [], warnings: [] });
  });

  it.each(Object.keys(hardwareOf) as BoxRole[])('a %s accepts its factory configuration', (role) => {
    expect(judge(factoryConfigurations[role], hardwareOf[role])).toEqual({ errors: [], warnings: [] });
  });
});

describe('any document', () => {
  const bands = fc.constantFrom('2G', '5G', '6G', '5G-lower', 7);
  const ssid = fc.record(
    {
      name: fc.oneof(fc.string({ maxLength: 40 }), fc.jsonValue()),
      'wifi-bands': fc.array(bands),
      encryption: fc.jsonValue(),
    },
    { requiredKeys: [] },
  );
  const anInterface = fc.record(
    {
      role: fc.constantFrom('upstream', 'downstream', 'sideways'),
      ethernet: fc.oneof(fc.constant([{ 'select-ports': ['WAN*'] }]), fc.jsonValue()),
      ipv4: fc.oneof(fc.record({ subnet: fc.constantFrom('10.0.0.1/24', 'auto/24', '10.0.0.1/33') }), fc.jsonValue()),
      ssids: fc.oneof(fc.array(ssid, { maxLength: 3 }), fc.jsonValue()),
    },
    { requiredKeys: [] },
  );
  const document = fc.record(
    {
      uuid: fc.integer({ min: 1, max: 2_147_483_647 }),
      radios: fc.oneof(fc.array(fc.record({ band: bands, channel: fc.jsonValue() })), fc.jsonValue()),
      interfaces: fc.oneof(fc.array(anInterface, { maxLength: 3 }), fc.jsonValue()),
      metrics: fc.jsonValue(),
      unit: fc.jsonValue(),
    },
    { requiredKeys: ['uuid'] },
  );

  it.each(['access-point', 'gateway', 'switch'] as const)('leaves a %s with a state to report', (role) => {
    const counts = { 'access-point': { aps: 1 }, gateway: { gateways: 1 }, switch: { switches: 1 } }[role];
    const bench = workbench(counts);
    const [box] = bench.boxes;
    fc.assert(
      fc.property(document, (any) => {
        const result = box?.apply(any as ConfigurationDocument);
        box?.goOnAir();
        bench.pass(1);
        expect(result?.error === 2 ? result.rejected.length > 0 : box?.running?.uuid === any.uuid).toBe(true);
        expect(box?.state(bench.clock.now()).version).toBe(1);
      }),
      { numRuns: 150 },
    );
  });
});

describe('after a configuration was applied', () => {
  const names = (bench: ReturnType<typeof workbench>) =>
    new Set(
      bench.boxes[0]
        ?.state(bench.clock.now())
        .interfaces?.flatMap((entry) => entry.ssids ?? [])
        .map((ssid) => ssid.ssid),
    );

  it('the next state has its networks and no others', () => {
    const bench = workbench({ aps: 1 });
    bench.boxes[0]?.apply(wirelessDocument(3, ['Lobby', '会议室', 'IoT']));
    expect(names(bench)).toEqual(new Set(['Lobby', '会议室', 'IoT']));
  });

  it('a refused one changes nothing', () => {
    const bench = workbench({ aps: 1 });
    const before = bench.boxes[0]?.running;
    expect(bench.boxes[0]?.apply({ uuid: 3, interfaces: [] })).toMatchObject({ error: 2 });
    expect(bench.boxes[0]?.running).toBe(before);
  });

  it('stations of networks that stay are not disturbed, those of a renamed one have to come again', () => {
    const bench = workbench({ aps: 1 });
    bench.pass(30);
    const [box] = bench.boxes;
    if (box === undefined) throw new Error('no box');
    const on = (ssid: string) => box.place.at(box.serial).filter((station) => station.association?.bss.ssid === ssid);
    const [corp, guest] = [on('Corp'), on('Guest')];
    expect(Math.min(corp.length, guest.length)).toBeGreaterThan(0);
    box.apply(wirelessDocument(3, ['Corp', 'Visitors']));
    expect(on('Corp')).toEqual(corp);
    expect(on('Guest')).toEqual([]);
  });

  it('stations of a restarted network are back at once, but not those whose key changed', () => {
    const bench = workbench({ aps: 1 });
    bench.pass(30);
    const box = bench.boxes[0]!;
    const on = (ssid: string) => box.place.at(box.serial).filter(({ association }) => association?.bss.ssid === ssid);
    const changed = (uuid: number, name: string, change: object): ConfigurationDocument => {
      const document = wirelessDocument(uuid);
      const [wan] = document.interfaces as { ssids: { name: string }[] }[];
      const ssids = wan!.ssids.map((ssid) => (ssid.name === name ? { ...ssid, ...change } : ssid));
      return { ...document, interfaces: [{ ...wan, ssids }] };
    };
    const guests = on('Guest').length;
    expect(guests).toBeGreaterThan(5);
    box.apply(changed(3, 'Guest', { services: ['captive'] }));
    expect(on('Guest')).toEqual([]);
    bench.pass(0.5);
    expect(on('Guest').length).toBeGreaterThan(guests / 2);
    const staff = on('Corp').length;
    expect(staff).toBeGreaterThan(2);
    box.apply(changed(4, 'Corp', { encryption: { proto: 'psk2', key: 'another horse' } }));
    bench.pass(0.5);
    expect(on('Corp').length).toBeLessThan(staff / 2);
  });

  it('a newly denied station goes and stays away, the others stay', () => {
    const bench = workbench({ aps: 1 });
    const denying = (uuid: number, macs: readonly string[]): ConfigurationDocument => {
      const document = wirelessDocument(uuid);
      const [wan] = document.interfaces as { ssids: object[] }[];
      const ssids = wan!.ssids.map((ssid) => ({
        ...ssid,
        'access-control-list': { mode: 'deny', 'mac-address': macs },
      }));
      return { ...document, interfaces: [{ ...wan, ssids }] };
    };
    const box = bench.boxes[0]!;
    box.apply(denying(3, []));
    bench.pass(30);
    const before = box.place.at(box.serial);
    const [denied, ...others] = before;
    expect(others.length).toBeGreaterThan(0);
    const { mac } = denied!;
    box.apply(denying(4, [mac.toUpperCase()]));
    expect(box.place.at(box.serial)).toEqual(others);
    bench.pass(30);
    expect(box.place.at(box.serial).map((station) => station.mac)).not.toContain(mac);
  });

  it('interfaces that take no address have none', () => {
    const bench = workbench({ aps: 1 });
    const document = wirelessDocument(3);
    const vlan = { ...upstream, vlan: { id: 30 }, ssids: [{ name: 'Guest', 'wifi-bands': ['2G'] }] };
    bench.boxes[0]?.apply({ ...document, interfaces: [...(document.interfaces as unknown[]), vlan] });
    const [main, guest] = bench.boxes[0]?.state(bench.clock.now()).interfaces ?? [];
    expect(main?.ipv4?.addresses).toHaveLength(1);
    expect(guest).toMatchObject({ name: 'up1v30', ipv4: {} });
    expect(guest?.ipv4?.addresses).toBeUndefined();
  });

  it('a network without its key does not go on the air', () => {
    const bench = workbench({ aps: 1 });
    const document = withSsid({ name: 'Open door', encryption: { proto: 'psk2' } });
    expect(bench.boxes[0]?.apply({ ...document, metrics: wirelessDocument(1).metrics })).toMatchObject({ error: 1 });
    expect(names(bench)).toEqual(new Set());
  });
});
