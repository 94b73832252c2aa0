import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { enrol } from '../../../test/conformance/device-client.ts';
import { accessPointCapabilities } from '../../../test/conformance/peer/access-point.ts';
import { baselineLockKey } from '../../telemetry/ingest/unbind.ts';
import {
  call,
  config,
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
  wireless,
} from '../configuration/testing/fixture.ts';
import { connectGateway, gatewayNetwork, settings } from '../configuration/testing/gateway.ts';
import { create, type Listed, restore, check as tryOut } from './testing/calls.ts';

beforeAll(startFixture);
afterAll(stopFixture);

const check = async (body: object) => (await tryOut(body)).data;
const backUp = async (gwid: string) => (await create([gwid])).data.made[0]!.id;
const events = async (serial: string) =>
  (await call<Listed<{ type: string; payload: object }>>('/api/v3/device/event/list', { serial })).data.list;
const replacements = async (serial: string) =>
  (
    await call<Listed<{ serial: string; gwid: string | null; network: string | null; ports: string[] }>>(
      '/api/v3/ap/successors',
      { serial },
    )
  ).data.list;

const threeBands = {
  ...accessPointCapabilities,
  wifi: {
    ...(accessPointCapabilities.wifi as object),
    'soc/c000000.wifi+2': {
      band: ['6G'],
      channels: [1, 5, 9, 37],
      frequencies: [5955, 5975, 5995, 6135],
      htmode: ['HE20', 'HE80'],
    },
  },
};

async function whileReporting<T>(serials: readonly string[], work: () => Promise<T>): Promise<T> {
  const writer = await fixture.server.db.database.systemPool.connect();
  try {
    await writer.query('begin');
    for (const serial of serials)
      await writer.query(`select pg_advisory_xact_lock(${baselineLockKey('$1::uuid', '$2')})`, [
        fixture.owner.accountId,
        serial,
      ]);
    return await work();
  } finally {
    await writer.query('rollback');
    writer.release();
  }
}

describe('a router that was just bound', () => {
  it('is offered with its ports, takes the place of a broken one, and leaves no network behind', async () => {
    const { gwid, identity } = await gatewayNetwork();
    const old = await connectGateway(identity);
    const wanted = settings();
    const saved = await call<{ job_id: string }>('/api/v3/network/gateway/save', {
      gwid,
      version: 0,
      settings: wanted,
    });
    await ended(saved, 'applied');
    old.event('wired.carrier-down', { name: 'WAN2' });
    await expect
      .poll(async () => (await events(identity.serial)).map(({ type }) => type))
      .toContain('wired.carrier-down');
    const id = await backUp(gwid);
    await old.cut();

    // in a network of its own
    const fresh = await enrol(fixture.server, fixture.owner, { platform: 'olg' });
    await connectGateway(fresh, { WAN1: 'eth0', LAN1: 'eth1' });
    const lonely = async () => (await replacements(identity.serial)).find(({ serial }) => serial === fresh.serial);
    await expect.poll(lonely).toMatchObject({ network: 'Box', ports: ['WAN1', 'LAN1'] });
    const left = (await lonely())!.gwid!;
    expect((await replacements(identity.serial)).map(({ serial }) => serial)).not.toContain(identity.serial);

    const successor = { from: identity.serial, to: fresh.serial };
    const body = { id, sections: ['gateway'], successor };
    const planned = await whileReporting([identity.serial, fresh.serial], () => check(body));
    expect(planned).toMatchObject({ ok: true, ports: ['WAN1', 'LAN1'] });
    expect(planned.port_map).toContainEqual({ from: 'WAN2', to: null });
    expect(await lonely()).toMatchObject({ network: 'Box', gwid: left });

    const replaced = await call('/api/v3/ap/replace', {
      serial: identity.serial,
      by: fresh.serial,
      delete_empty: true,
    });
    expect(replaced.code).toBe(2000);
    expect((await call('/api/v3/network/detail', { gwid: left })).code).toBe(4113);
    const reported = await events(fresh.serial);
    expect(reported[0]).toMatchObject({ type: 'console.replaced', payload: { serial: identity.serial } });
    expect(reported.map(({ type }) => type)).toContain('wired.carrier-down');
    const log = await call<Listed<{ action: string }>>('/api/v3/log/action/list', { limit: 2 });
    expect(log.data.list.map(({ action }) => action)).toEqual(['device.replace', 'network.delete']);

    const { base, port_map } = planned;
    await ended(await restore({ ...body, base, port_map }), 'applied');
    await expectConfig(fresh.serial, { state: 'in_sync' });
  });

  it('is not offered while another job runs, nor for a device of another kind', async () => {
    const [here, there] = [await network(), await gatewayNetwork()];
    const company = await enrol(fixture.server, fixture.owner, { gwid: there.gwid });
    for (const { serial } of [here.identity, company])
      expect((await replacements(serial)).map((one) => one.serial)).not.toContain(there.identity.serial);
    expect((await replacements(here.identity.serial)).map(({ serial }) => serial)).not.toContain(company.serial);
  });
});

describe('an access point in the place of another', () => {
  it('has the template that was given to the other by hand', async () => {
    const { gwid, identity } = await network();
    const device = await online(identity);
    const given = { kind: 'wireless', name: 'Winter', ssids: [ssid('Winter')], radios: [] };
    const { id } = (await call<{ id: string }>('/api/v3/wireless_template/create', given)).data;
    const plan = { canary: 0, share: 100, rest: 0, stop_above: 100 };
    const serials = [identity.serial];
    await ended(await call<{ job_id: string }>('/api/v3/wireless_template/apply', { id, serials, plan }), 'applied');
    await expectConfig(identity.serial, { state: 'in_sync' });
    expect(running(device)).toContain('Winter');
    const fresh = await enrol(fixture.server, fixture.owner, { gwid });
    expect((await call('/api/v3/ap/replace', { serial: identity.serial, by: fresh.serial })).code).toBe(2000);
    const next = await online(fresh);
    next.state({ unit: { uptime: 1 } });
    await expectConfig(fresh.serial, { state: 'in_sync' });
    expect(running(next)).toContain('Winter');
  });

  it('has no settings of its own where the other had none', async () => {
    const { gwid, identity } = await network();
    await online(identity);
    const fresh = await enrol(fixture.server, fixture.owner, { gwid });
    const own = { serial: fresh.serial, version: 0, radios: [radio('5G', { power: 'low' })], ssids_off: [] };
    expect((await call('/api/v3/ap/override/save', own)).code).toBe(2000);
    expect((await call('/api/v3/ap/replace', { serial: identity.serial, by: fresh.serial })).code).toBe(2000);
    const { data } = await call<{ radios: object[] }>('/api/v3/ap/override/get', { serial: fresh.serial });
    expect(data.radios).toEqual([]);
  });

  it('without a band gets what was on it on the next one, or not at all where that is wanted, and that is said', async () => {
    const { gwid, identity } = await network();
    const big = await online(identity, { capabilities: threeBands });
    const wanted = [
      ssid('Lobby', { bands: ['5G', '6G'], security: 'sae' }),
      ssid('Fast', { bands: ['6G'], security: 'sae' }),
    ];
    const radios = [radio('6G', { channel: 37 })];
    await ended(await save(gwid, 0, wanted, { radios }), 'applied');
    await expectConfig(identity.serial, { state: 'in_sync' });
    const own = { serial: identity.serial, version: 0, radios: [radio('5G', { power: 'low' })], ssids_off: [] };
    await ended(await call<{ job_id: string }>('/api/v3/ap/override/save', own), 'applied');
    const id = await backUp(gwid);
    // later settings move along, and are reverted
    const since = { ...own, version: 1, radios: [radio('5G', { power: 'high' })] };
    await ended(await call<{ job_id: string }>('/api/v3/ap/override/save', since), 'applied');
    await big.cut();
    const fresh = await enrol(fixture.server, fixture.owner, { gwid });
    expect((await call('/api/v3/ap/replace', { serial: identity.serial, by: fresh.serial })).code).toBe(2000);
    const small = await online(fresh);
    const successor = { from: identity.serial, to: fresh.serial };
    const body = { id, sections: ['wireless', 'devices'], successor };
    await expect.poll(async () => (await check(body)).bands).toEqual(['2G', '5G']);
    const reported = await check(body);
    expect(reported).toMatchObject({
      ok: true,
      band_map: [
        { from: '5G', to: '5G' },
        { from: '6G', to: '5G' },
      ],
    });
    expect(reported.not_restored.map(({ what }) => what)).not.toContain('device_gone');
    expect(reported.not_restored).toContainEqual({ what: 'radio_dropped', params: { name: '', band: '6G' } });
    const none = [{ from: '6G', to: null }];
    expect((await check({ ...body, band_map: none })).not_restored).toContainEqual({
      what: 'ssid_dropped',
      params: { name: 'Fast' },
    });

    await ended(await restore({ ...body, base: reported.base, band_map: reported.band_map }), 'applied');
    await expectConfig(fresh.serial, { state: 'in_sync' });
    expect((await wireless(gwid)).ssids).toMatchObject([
      { name: 'Lobby', bands: ['5G'] },
      { name: 'Fast', bands: ['5G'] },
    ]);
    expect((await call('/api/v3/ap/override/get', { serial: fresh.serial })).data).toMatchObject({
      radios: [{ band: '5G', power: 'low' }],
    });
    expect(running(small)).toContain('Fast');
    expect((await config(fresh.serial)).state).toBe('in_sync');
  });
});

it('a restore leaves settings of groups alone and names the groups', async () => {
  const { gwid, identity } = await network();
  await save(gwid, 0, [ssid('Lobby')]);
  const id = await backUp(gwid);
  const body = { id, sections: ['wireless'] };
  const groups = async () => (await check(body)).not_restored.filter(({ what }) => what === 'group_settings');
  const { data: rooms } = await call<{ id: string }>('/api/v3/ap/group/create', { name: 'Rooms' });
  await call('/api/v3/ap/group/assign', { serials: [identity.serial], id: rooms.id });
  expect(await groups()).toEqual([]);
  const own = { group_id: rooms.id, version: 0, ssids: [], radios: [radio('5G', { power: 'low' })] };
  expect((await call('/api/v3/ap/group/settings/save', own)).code).toBe(2000);
  expect(await groups()).toEqual([{ what: 'group_settings', params: { name: 'Rooms', devices: 1 } }]);
  expect((await restore(body)).code).toBe(2000);
  expect((await call('/api/v3/ap/group/settings/get', { group_id: rooms.id })).data).toMatchObject({ version: 1 });
});
