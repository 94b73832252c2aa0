import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { endDevices } from '../../../test/conformance/device-client.ts';
import {
  call,
  ended,
  expectConfig,
  fixture,
  network,
  online,
  radio,
  running,
  save,
  ssid,
  startFixture,
  stopFixture,
} from '../configuration/testing/fixture.ts';
import { apply, device, path, settled, template } from './testing/templates.ts';

beforeAll(startFixture);
afterEach(endDevices);
afterAll(stopFixture);

const effective = async (serial: string) => {
  const { data } = await call<{
    fields: { field: string; value: unknown; source: { layer: string; name: string; locked: boolean } }[];
    ssids: { name: string; source: { layer: string; name: string } }[];
  }>('/api/v3/ap/effective/get', { serial });
  const fields = new Map(data.fields.map(({ field, ...rest }) => [field, rest]));
  return { ...data, of: (field: string) => fields.get(field) };
};

describe('layers', () => {
  it('lie on each other from the AC template to the device, locks hold, and each value says where it comes from', async () => {
    const { gwid, identity } = await network();
    const ap = await online(identity);
    const general = { leds: false, fast_roaming: true, neighbour_reports: null, minimum_rssi: -75 };
    const radios = [radio('5G', { channel: 36, width: 40 }), radio('2G', { power: 'low' })];
    const ac = await template([], {
      kind: 'ac',
      country: 'CN',
      general,
      radios,
      locks: ['general.leds', 'radios.5G.channel'],
    });
    const wifi = await template([ssid('Guests')], { radios: [radio('5G', { channel: 44, power: 'medium' })] });
    await ended(await save(gwid, 0, [ssid('Staff')], { radios: [radio('5G', { width: 80 })] }), 'applied');
    await settled((await apply(ac.id, { gwids: [gwid] })).data.change_id);
    await settled((await apply(wifi.id, { gwids: [gwid] })).data.change_id);
    await expectConfig(identity.serial, { state: 'in_sync' });
    const document = JSON.parse(running(ap)) as {
      unit: object;
      radios: { band: string }[];
      interfaces: { ssids?: { name: string; roaming?: object }[] }[];
    };
    expect(document.unit).toMatchObject({ 'leds-active': false });
    expect(document.radios.find(({ band }) => band === '5G')).toMatchObject({
      channel: 36,
      'channel-width': 80,
      country: 'CN',
    });
    const names = document.interfaces.flatMap(({ ssids }) => ssids ?? []);
    expect(names).toMatchObject([
      {
        name: 'Guests',
        roaming: { 'generate-psk': true },
        'quality-thresholds': { 'client-kick-rssi': -75 },
      },
      { name: 'Staff' },
    ]);
    const textOf = await effective(identity.serial);
    expect(textOf.of('radios.5G.channel')).toMatchObject({
      value: 36,
      source: { layer: 'ac', name: ac.name, locked: true },
    });
    expect(textOf.of('radios.5G.power')).toMatchObject({
      value: 'medium',
      source: { layer: 'wireless', name: wifi.name },
    });
    expect(textOf.of('radios.5G.width')).toMatchObject({ value: 80, source: { layer: 'network', name: 'Shop' } });
    expect(textOf.of('radios.5G.mode')).toMatchObject({ value: 'HE', source: { layer: 'default' } });
    expect(textOf.ssids).toMatchObject([
      { name: 'Guests', source: { layer: 'wireless', name: wifi.name } },
      { name: 'Staff', source: { layer: 'network', name: 'Shop' } },
    ]);
    const there = await call<{ defaults: Record<string, unknown>[]; templates: object }>(
      '/api/v3/network/wireless/get',
      {
        gwid,
      },
    );
    expect(there.data.defaults.find(({ band }) => band === '5G')).toMatchObject({
      channel: { value: 36, source: 'ac', locked: true },
      power: { value: 'medium', source: 'wireless', locked: false },
      width: { value: 40, source: 'ac', locked: false },
    });
    expect(there.data.templates).toMatchObject({
      country: { value: 'CN', source: { layer: 'ac', name: ac.name } },
      ssids: [{ name: 'Guests', source: { layer: 'wireless', name: wifi.name } }],
    });
    // a locked field overrides the device's own value
    const own = {
      serial: identity.serial,
      version: 0,
      ssids_off: [],
      radios: [radio('5G', { channel: 48, power: 'low' })],
    };
    await ended(await call<{ job_id: string }>('/api/v3/ap/override/save', own), 'applied');
    const after = await effective(identity.serial);
    expect(after.of('radios.5G.channel')).toMatchObject({ value: 36, source: { layer: 'ac' } });
    expect(after.of('radios.5G.power')).toMatchObject({ value: 'low', source: { layer: 'device' } });
  });

  it('of a group lie between network and device, also when the device comes to the group later', async () => {
    const { gwid, identity } = await network();
    const ap = await online({ ...identity, port: fixture.server.program.devicePort });
    await ended(
      await save(gwid, 0, [ssid('Staff')], { radios: [radio('5G', { width: 80, power: 'high' })] }),
      'applied',
    );
    const group = (await call<{ id: string }>('/api/v3/ap/group/create', { name: 'Outdoor' })).data.id;
    const given = {
      group_id: group,
      ssids: [ssid('Terrace')],
      radios: [radio('5G', { width: 40 })],
      locks: ['radios.5G.width'],
    };
    const none = await call<{ job_id: string }>('/api/v3/ap/group/settings/save', { ...given, version: 0 });
    expect(none).toMatchObject({ code: 2000, data: { version: 1 } });
    await call('/api/v3/ap/group/assign', { serials: [identity.serial], id: group });
    await expect.poll(() => running(ap)).toContain('Terrace');
    await expectConfig(identity.serial, { state: 'in_sync' });
    expect(running(ap)).toContain('Staff');
    const textOf = await effective(identity.serial);
    expect(textOf.of('radios.5G.width')).toMatchObject({ value: 40, source: { layer: 'group', locked: true } });
    expect(textOf.of('radios.5G.power')).toMatchObject({ value: 'high', source: { layer: 'network' } });
    const preview = await call<{ totals: object }>('/api/v3/ap/group/settings/preview', {
      ...given,
      radios: [],
      locks: [],
    });
    expect(preview.data).toMatchObject({ totals: { devices: 1, changed: 1 } });
    expect(await call('/api/v3/ap/group/settings/save', { ...given, version: 0 })).toMatchObject({ code: 4104 });
    await ended(
      await call<{ job_id: string }>('/api/v3/ap/group/settings/save', { ...given, version: 1, ssids: [] }),
      'applied',
    );
    expect(running(ap)).not.toContain('Terrace');
    const before = { group_id: group, to: 1 };
    const back = await call<{ totals: object }>('/api/v3/ap/group/settings/revert_preview', before);
    expect(back.data).toMatchObject({ totals: { devices: 1, changed: 1 } });
    await call('/api/v3/ap/group/update', { id: group, name: 'Terraces' });
    const logged = await call<{ list: { seq: number; action: string; undoable: boolean }[] }>(
      '/api/v3/log/action/list',
      { object_type: 'group', object_id: group },
    );
    const last = logged.data.list.find(({ action }) => action === 'group.settings.save')!;
    expect(last).toMatchObject({ undoable: true });
    await ended(await call<{ job_id: string }>('/api/v3/log/action/undo', { seq: last.seq }), 'applied');
    expect(running(ap)).toContain('Terrace');
    expect(await call('/api/v3/log/action/undo', { seq: last.seq })).toMatchObject({ code: 4104 });
    expect(await call('/api/v3/ap/group/settings/revert', { ...before, version: 2 })).toMatchObject({ code: 4104 });
    expect(await call('/api/v3/ap/group/settings/revert', { ...before, version: 3, to: 9 })).toMatchObject({
      code: 4116,
    });
    await call('/api/v3/ap/group/delete', { id: group });
    await expect
      .poll(async () => (await effective(identity.serial)).of('radios.5G.width'))
      .toMatchObject({
        value: 80,
        source: { layer: 'network' },
      });
  });

  it('give a device that joins the network later the assigned template', async () => {
    const { gwid } = await network();
    const { id } = await template([ssid('Guests')]);
    await settled((await apply(id, { gwids: [gwid] })).data.change_id);
    const { identity, device: ap } = await device(gwid);
    ap.state({ unit: { uptime: 1 }, interfaces: [{ name: 'up0v0' }] });
    await expectConfig(identity.serial, { state: 'in_sync' });
    expect(running(ap)).toContain('Guests');
    expect(
      (await call<{ list: { id: string }[] }>(`${path}/list`, { kind: 'wireless' })).data.list.find(
        (row) => row.id === id,
      ),
    ).toMatchObject({ devices: 2, networks: 1 });
    expect(await call(`${path}/delete`, { id })).toMatchObject({ code: 4109, data: { devices: 2, networks: 1 } });
  });
});
