import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Registered, startTestServer, type TestServer } from '../server.ts';
import { endDevices, enrol } from './device-client.ts';
import type { Json } from './peer/json.ts';
import { switchReport } from './peer/switch-report.ts';
import { configures, ethernet, silentWiring, switchFixture, usual, vlansOf, wiring } from './switch-fixture.ts';

let server: TestServer;
let owner: Registered;
const { call, portsOf, network, settled } = switchFixture(() => ({ server, owner }));

beforeAll(async () => {
  server = await startTestServer();
  owner = await server.register();
});
afterEach(endDevices);
afterAll(() => server.stop());

const path = '/api/v3/wireless_template';
const general = { leds: null, fast_roaming: null, neighbour_reports: null, minimum_rssi: null };
const rule = (ports: string, more: object = {}) => ({
  ports,
  enabled: true,
  poe: true,
  vlan: 30,
  tagged: [] as number[] | null,
  ...more,
});
const input = (name: string, rules: object[], locks: string[] = []) => ({
  name,
  ssids: [],
  radios: [],
  general: { ...general, ports: rules },
  locks,
});
const create = (name: string, rules: object[], locks: string[] = []) =>
  call<{ id: string }>(`${path}/create`, {
    kind: 'ac',
    ...input(name, rules, locks),
  });
const template = async (name: string, rules: object[], locks: string[] = []) =>
  (await create(name, rules, locks)).data.id;

interface Preview {
  totals: Json;
  unsupported: Json[];
}
const preview = async (id: string, targets: object) =>
  (await call<Preview>(`${path}/preview`, { id, ...targets })).data;
const plan = { canary: 0, share: 100, rest: 0, stop_above: 100 };
const apply = async (id: string, targets: object) =>
  (await call<{ change_id: string; devices: number }>(`${path}/apply`, { id, ...targets, plan })).data;
const done = (change_id: string) =>
  expect
    .poll(async () => (await call<{ open: boolean }>(`${path}/change/detail`, { change_id })).data.open)
    .toBe(false);
const portOf = async (serial: string, name: string) => (await portsOf(serial)).ports.find(({ port }) => port === name);

describe('rules for ports in an AC template', () => {
  it('are previewed, reach two switches, spare what one has of its own, and go again by a rollback', async () => {
    const gwid = await network('Shops');
    const [one, other] = [await settled(gwid), await settled(gwid)];
    const own = { ...usual('Ethernet1'), label: 'Printer', vlan: 40 };
    const { serial } = other.identity;
    await call('/api/v3/switch/port/save', { serial, version: 0, ports: [own] });
    await expect.poll(() => vlansOf(other.device).map(([id]) => id)).toEqual([1, 20, 40]);

    const id = await template('Cameras', [rule('0-1,48'), rule('0', { enabled: false, vlan: 1 })]);
    const given = await preview(id, { gwids: [gwid] });
    expect(given.totals).toMatchObject({ devices: 2, changed: 2, wrong: 0 });
    expect(given.unsupported).toContainEqual(
      expect.objectContaining({ code: 'port_uplink_kept', params: { ports: 'Ethernet48' }, devices: 2 }),
    );
    const { change_id, devices } = await apply(id, { gwids: [gwid] });
    expect(devices).toBe(2);
    await expect
      .poll(() => vlansOf(one.device))
      .toEqual([
        [1, 'un-tagged Ethernet0 Ethernet2 Ethernet48'],
        [20, 'tagged Ethernet2 Ethernet48'],
        [30, 'un-tagged Ethernet1'],
      ]);
    await expect
      .poll(() => ethernet(configures(other.device).at(-1)).Ethernet0)
      .toMatchObject({
        enabled: false,
      });
    expect(vlansOf(other.device)).toContainEqual([40, 'un-tagged Ethernet1']);
    expect(ethernet(configures(one.device).at(-1)).Ethernet48).toMatchObject({ enabled: true });

    const from = { layer: 'ac', id, name: 'Cameras', locked: false };
    expect(await portOf(one.identity.serial, 'Ethernet1')).toMatchObject({ vlan: 30, own: false, source: from });
    expect(await portOf(one.identity.serial, 'Ethernet48')).toMatchObject({
      vlan: 1,
      uplink: true,
      rule_gate: 'uplink',
      source: { layer: 'default' },
    });
    expect(await portOf(serial, 'Ethernet1')).toMatchObject({
      vlan: 40,
      own: true,
      label: 'Printer',
      source: { layer: 'device' },
    });

    await done(change_id);
    expect(await call(`${path}/rollback`, { change_id })).toMatchObject({ code: 2000, data: { devices: 2 } });
    await expect.poll(() => vlansOf(one.device).map(([vlan]) => vlan)).toEqual([1, 20]);
    await expect
      .poll(() => ethernet(configures(other.device).at(-1)).Ethernet0)
      .toMatchObject({
        enabled: true,
      });
    expect(vlansOf(other.device)).toContainEqual([40, 'un-tagged Ethernet1']);
  });

  it('that are locked go before what a switch has of its own', async () => {
    const gwid = await network('Locked');
    const { device, identity } = await settled(gwid);
    const { serial } = identity;
    const ports = [{ ...usual('Ethernet1'), label: 'Printer', vlan: 40 }];
    await call('/api/v3/switch/port/save', { serial, version: 0, ports });
    const id = await template('Locked', [rule('1')], ['general.ports']);
    const { change_id } = await apply(id, { serials: [serial] });
    await expect.poll(() => vlansOf(device)).toContainEqual([30, 'un-tagged Ethernet1']);
    await done(change_id);
    expect(await portOf(serial, 'Ethernet1')).toMatchObject({
      vlan: 30,
      label: 'Printer',
      own: true,
      source: { layer: 'ac', locked: true },
    });
  });

  it('can be overruled by a switch, and hold again once it has no settings of its own', async () => {
    const gwid = await network('Own');
    const { device, identity } = await settled(gwid);
    const { serial } = identity;
    await done((await apply(await template('Own', [rule('1')]), { serials: [serial] })).change_id);
    await expect.poll(() => vlansOf(device)).toContainEqual([30, 'un-tagged Ethernet1']);
    const save = (version: number, ports: object[]) => call('/api/v3/switch/port/save', { serial, version, ports });
    expect(await save(0, [usual('Ethernet1')])).toMatchObject({ code: 2000 });
    await expect.poll(() => vlansOf(device).map(([id]) => id)).toEqual([1, 20]);
    expect(await portOf(serial, 'Ethernet1')).toMatchObject({ vlan: 1, own: true, source: { layer: 'device' } });
    expect(await save(1, [])).toMatchObject({ code: 2000 });
    await expect.poll(() => vlansOf(device)).toContainEqual([30, 'un-tagged Ethernet1']);
  });

  it('are applied to no port while the uplink is not known, and by themselves once it is', async () => {
    const gwid = await network('Silent');
    const { device, identity } = await settled(gwid, silentWiring());
    const { serial } = identity;
    const id = await template('Silent', [rule('0-1'), rule('2', { vlan: 1, tagged: [50] })]);
    expect((await preview(id, { serials: [serial] })).unsupported).toContainEqual(
      expect.objectContaining({ code: 'port_uplink_unknown', params: { ports: 'Ethernet0, Ethernet1' } }),
    );
    await done((await apply(id, { serials: [serial] })).change_id);
    await expect
      .poll(() => vlansOf(device))
      .toEqual([
        [1, 'un-tagged Ethernet0 Ethernet1 Ethernet2 Ethernet48'],
        [20, 'tagged Ethernet0 Ethernet1 Ethernet48'],
        [50, 'tagged Ethernet2'],
      ]);
    expect(await portOf(serial, 'Ethernet0')).toMatchObject({ rule_gate: 'uplink_unknown' });
    device.state(switchReport(wiring(), 1060));
    await expect.poll(() => vlansOf(device)).toContainEqual([30, 'un-tagged Ethernet0 Ethernet1']);
  });

  it('reach switches by hand, model, tag and group, which a wireless template does not', async () => {
    const gwid = await network('Ways');
    const { identity } = await settled(gwid);
    const { serial } = identity;
    const ap = await enrol(server, owner, { gwid });
    const group = (await call<{ id: string }>('/api/v3/ap/group/create', { name: 'Floor' })).data.id;
    await call('/api/v3/ap/group/assign', { id: group, serials: [serial, ap.serial] });
    const { list } = (await call<{ list: { model: string }[] }>(`${path}/models`, { kind: 'ac' })).data;
    expect(list.map(({ model }) => model)).toContain('Edgecore ECS4150');
    const ac = await template('Ways', [rule('1')]);
    const wireless = (await call<{ id: string }>(`${path}/create`, { ...input('Ways', []), kind: 'wireless', general }))
      .data.id;
    const reached = async (id: string, targets: object) => (await preview(id, targets)).totals.devices;
    expect(await reached(ac, { serials: [serial] })).toBe(1);
    expect(await reached(ac, { group_ids: [group] })).toBe(2);
    expect(await reached(wireless, { serials: [serial] })).toBe(0);
    expect(await reached(wireless, { group_ids: [group] })).toBe(1);
  });

  it.each([
    ['a range that is none', [rule('1-4'), rule('8-5')], 'general.ports.1.ports'],
    ['the untagged VLAN among the tagged ones', [rule('1', { tagged: [30] })], 'general.ports.0.tagged'],
    ['a VLAN that is none', [rule('1', { vlan: 4095 })], 'general.ports.0.vlan'],
  ])('refuse %s beside its field', async (_name, rules, field) => {
    expect(await create('Refused', rules)).toMatchObject({ code: 422, errors: { [field]: [expect.any(String)] } });
  });

  it('stand in no wireless template', async () => {
    const given = { kind: 'wireless', ...input('Wireless', [rule('1')]) };
    expect(await call(`${path}/create`, given)).toMatchObject({
      code: 422,
      errors: { 'general.ports': [expect.any(String)] },
    });
  });
});
