import fc from 'fast-check';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { endDevices } from '../../../test/conformance/device-client.ts';
import { dueNow } from '../../../test/due-now.ts';
import { numbered } from '../../../test/numbered.ts';
import {
  call,
  expectConfig,
  fixture,
  items,
  network,
  online,
  pushes,
  running,
  save,
  ssid,
  startFixture,
  stopFixture,
} from '../configuration/testing/fixture.ts';
import { apply, change, device, settled, sql, sums, template, update } from './testing/templates.ts';

beforeAll(startFixture);
afterEach(async () => {
  vi.restoreAllMocks();
  await endDevices();
});
afterAll(stopFixture);

const capabilities = {
  compatible: 'test_ap',
  model: 'Test AP',
  platform: 'ap',
  compress_cmd: true,
  network: { wan: ['eth0'], lan: ['eth1'] },
  wifi: {
    'platform/soc/a.wifi': { band: ['5G'], channels: [36, 40, 44, 48], htmode: ['HT20', 'HE20', 'HE40', 'HE80'] },
    'platform/soc/b.wifi': { band: ['2G'], channels: [1, 6, 11], htmode: ['HT20', 'HE20', 'HE40'] },
  },
};

let made = 0;

const empty = async () =>
  (await call<{ gwid: string }>('/api/v3/network/create', { remark: numbered(fixture.owner, 'Shop') })).data.gwid;

/** @returns SSID names per device, in order */
async function many(gwid: string, count: number): Promise<Map<string, string[]>> {
  const serials = Array.from({ length: count }, () => {
    made += 1;
    return `9d${made.toString(16).padStart(10, '0')}`;
  });
  const { accountId } = fixture.owner;
  await sql(
    `with directory as (
       insert into serial_directory (serial, account_id, enrolled_at, first_connected_at)
       select serial, $1::uuid, now(), now() from unnest($3::text[]) serial)
     insert into device (confirmed, account_id, serial, gwid, kind, remark, model, platform, firmware, capabilities, bound_at, first_seen,
       last_seen, epoch, online, online_since)
     select true, $1, serial, $2, 'ap', 'AP-' || serial, 'Test AP', 'ap', 'v1', $4, now(), now(), now() + interval '1 hour', 1, true,
       now() from unnest($3::text[]) serial`,
    [accountId, gwid, serials, JSON.stringify(capabilities)],
  );
  // they have reported that they bridge
  await sql(
    `insert into config_contact (account_id, serial, routes, settled, outcome, at)
     select $1, serial, false, true, 'open', now() from unnest($2::text[]) serial`,
    [accountId, serials],
  );
  const given = new Map<string, string[]>(serials.map((serial) => [serial, []]));
  for (const serial of serials) {
    fixture.server.program.bus.respond(`dev.${accountId}.${serial}.rpc`, async (request) => {
      const { method, params } = request as { method: string; params: { uuid?: number } };
      if (method === 'configure') given.get(serial)!.push(JSON.stringify(params));
      return { serial, uuid: params.uuid ?? 0, status: { error: 0, text: 'Success' } };
    });
  }
  return given;
}

it('pushes to many devices with few statements per device, and one document each', async () => {
  const count = 80;
  const given = await many(await empty(), count);
  const { id, name } = await template([ssid('Guests')]);
  await settled((await apply(id, { serials: [...given.keys()] })).data.change_id);
  await update(id, name, [ssid('Visitors')]);
  let statements = 0;
  const { query } = pg.Client.prototype;
  vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (this: pg.Client, ...args: unknown[]) {
    const { application_name: pool } = (this as unknown as { connectionParameters: { application_name?: string } })
      .connectionParameters;
    if (pool === 'yunxun_system') statements += 1;
    return (query as (...all: unknown[]) => unknown).apply(this, args) as never;
  });
  const pushed = (await apply(id, { serials: [...given.keys()] })).data;
  await expect
    .poll(() => sql('select status from job where id = $1', [pushed.job_id]))
    .toEqual([{ status: 'succeeded' }]);
  vi.restoreAllMocks();
  expect(statements / count).toBeLessThan(5);
  expect(await sums(pushed.change_id)).toEqual({ total: count, applied: count });
  expect([...given.values()].map((documents) => documents.length)).toEqual(Array(count).fill(2));
});

it('reaches exactly the targets of a change, whatever changed before', async () => {
  const networks = [await empty(), await empty(), await empty()];
  const given = new Map<string, string[]>();
  const places = new Map<string, string[]>();
  for (const gwid of networks) {
    const own = await many(gwid, 3);
    places.set(gwid, [...own.keys()]);
    for (const [serial, documents] of own) given.set(serial, documents);
  }
  const all = [...given.keys()];
  const group = (await call<{ id: string }>('/api/v3/ap/group/create', { name: 'Halls' })).data.id;
  const members = [all[0]!, all[3]!];
  await call('/api/v3/ap/group/assign', { serials: members, id: group });
  const { id, name } = await template([ssid('Template')]);
  const versions = new Map<string, number>();
  const next = (what: string) => {
    const version = versions.get(what) ?? 0;
    versions.set(what, version + 1);
    return version;
  };
  let named = 0;
  const fresh = () => {
    named += 1;
    return ssid(`SSID-${named}`);
  };
  const place = fc.constantFrom(0, 1, 2);
  const changes = fc.oneof(
    place.map((at) => ({
      scope: () => places.get(networks[at]!)!,
      make: () => save(networks[at]!, next(networks[at]!), [fresh()]),
    })),
    place.map((at) => ({
      scope: () => places.get(networks[at]!)!,
      make: async () => {
        await update(id, name, [fresh()]);
        return apply(id, { gwids: [networks[at]!] });
      },
    })),
    fc.constant({
      scope: () => members,
      make: () =>
        call<{ job_id: string }>('/api/v3/ap/group/settings/save', {
          group_id: group,
          version: next(group),
          ssids: [fresh()],
          radios: [],
        }),
    }),
    fc.nat(8).map((at) => ({
      scope: () => [all[at]!],
      make: () =>
        call<{ job_id: string }>('/api/v3/ap/override/save', {
          serial: all[at],
          version: next(all[at]!),
          ssids_off: [],
          radios: [{ band: '5G', enabled: null, channel: [36, 44][named++ % 2], width: null, mode: null, power: null }],
        }),
    })),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(changes, { minLength: 1, maxLength: 5 }), async (several) => {
      for (const { scope, make } of several) {
        const before = new Map([...given].map(([serial, documents]) => [serial, documents.length]));
        const answer = await make();
        expect(answer.code, JSON.stringify(answer)).toBe(2000);
        const open = async () =>
          (await items(answer.data.job_id)).filter(({ status }) => status !== 'applied' && status !== 'skipped');
        await expect.poll(open).toEqual([]);
        const touched = [...given].filter(([serial, documents]) => documents.length > before.get(serial)!);
        for (const [serial, documents] of touched) {
          expect(scope()).toContain(serial);
          expect(documents.length).toBe(before.get(serial)! + 1);
        }
      }
    }),
    { numRuns: 4 },
  );
});

it('waits only for the maintenance windows of networks that have one', async () => {
  const [hotel, shop] = [await empty(), await empty()];
  const [guests, staff] = [await many(hotel, 2), await many(shop, 2)];
  const weekday = new Date().getUTCDay() || 7;
  const farAway = { weekdays: [((weekday + 2) % 7) + 1], start: '02:00', minutes: 60 };
  const set = (window: object | null) => call('/api/v3/network/window/save', { gwid: hotel, window });
  expect(await set(farAway)).toMatchObject({ code: 2000 });
  const { id } = await template([ssid('Guests')]);
  const plan = { canary: 0, share: 100, rest: 0, stop_above: 100, windows: true };
  const pushed = (await apply(id, { gwids: [hotel, shop] }, plan)).data;
  await expect.poll(() => sums(pushed.change_id)).toEqual({ total: 4, applied: 2, queued: 2 });
  expect([...staff.values()].flat()).toHaveLength(2);
  expect([...guests.values()].flat()).toEqual([]);
  const held = (await change(pushed.change_id)).devices.filter(({ status }) => status === 'queued');
  expect(held.map(({ reason, gwid }) => [reason, gwid])).toEqual([
    ['job.window', hotel],
    ['job.window', hotel],
  ]);
  await set(null);
  await sql('update job_item set not_before = now() where job_id = $1 and not_before is not null', [pushed.job_id]);
  await dueNow(fixture.server);
  await settled(pushed.change_id);
  expect(await sums(pushed.change_id)).toEqual({ total: 4, applied: 4 });
});

async function runnersOf(id: string): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {};
  for (const { wave, status, serial } of (await change(id)).devices) {
    const what = `${wave} ${status}`;
    found[what] = [...(found[what] ?? []), serial];
  }
  for (const serials of Object.values(found)) serials.sort();
  return found;
}
const carefully = { canary: 2, share: 100, rest: 600, stop_above: 0 };

it('replaces canaries that need no change', async () => {
  const gwid = await empty();
  const all = [...(await many(gwid, 8)).keys()];
  const { id } = await template([ssid('Guests')]);
  // tried by hand on the two canaries
  const tried = all.slice(0, 2);
  await settled((await apply(id, { serials: tried })).data.change_id);
  const pushed = (await apply(id, { gwids: [gwid] }, carefully)).data;
  await expect
    .poll(() => runnersOf(pushed.change_id))
    .toEqual({ '0 skipped': tried, '0 applied': all.slice(2, 4), '1 queued': all.slice(4) });
});

it('replaces canaries that are offline when a push starts by online devices', async () => {
  const gwid = await empty();
  const all = [...(await many(gwid, 6)).keys()];
  const { id } = await template([ssid('Guests')]);
  const pushed = await call<{ change_id: string }>('/api/v3/wireless_template/apply', {
    id,
    gwids: [gwid],
    plan: carefully,
    start_at: new Date(Date.now() + 3_600_000).toISOString(),
  });
  const dark = all.slice(0, 3);
  await sql('update device set online = false, online_since = null where serial = any($1)', [dark]);
  await dueNow(fixture.server);
  await expect
    .poll(() => runnersOf(pushed.data.change_id))
    .toEqual({
      '0 waiting_offline': dark.slice(0, 2),
      '0 applied': all.slice(3, 5),
      '1 queued': [dark[2], all[5]].toSorted(),
    });
});

it('shows the waves that a push creates', async () => {
  const gwid = await empty();
  const all = [...(await many(gwid, 10)).keys()];
  await sql('update device set online = false, online_since = null where serial = any($1)', [all.slice(3)]);
  const { id } = await template([ssid('Guests')]);
  const plan = { canary: 2, share: 30, rest: 600, stop_above: 0 };
  const shown = await call<{ waves: number[] }>('/api/v3/wireless_template/preview_waves', {
    id,
    gwids: [gwid],
    plan: { canary: plan.canary, share: plan.share },
  });
  const start_at = new Date(Date.now() + 3_600_000).toISOString();
  // an error, not an immediate start
  const past = new Date(Date.now() - 3_600_000).toISOString();
  expect(await call('/api/v3/wireless_template/apply', { id, gwids: [gwid], plan, start_at: past })).toMatchObject({
    code: 422,
    errors: { start_at: expect.anything() },
  });
  const pushed = await call<{ change_id: string }>('/api/v3/wireless_template/apply', {
    id,
    gwids: [gwid],
    plan,
    start_at,
  });
  const made = Object.entries(await runnersOf(pushed.data.change_id)).map(([what, devices]) => [what, devices.length]);
  expect(made.toSorted()).toEqual(shown.data.waves.map((size, wave) => [`${wave} queued`, size]));
  expect(shown.data.waves).toEqual([2, 3, 3, 2]);
});

it.each([
  ['was away when its turn came', false],
  ['went away while the push was on its way', true],
])('a plan that is stopped leaves a device of an earlier wave as it was that %s', async (_what, unnoticed) => {
  const { gwid, identity } = await network();
  const aps = [{ identity, device: await online({ ...identity, port: fixture.server.program.devicePort }) }];
  for (let more = 0; more < 2; more += 1) aps.push(await device(gwid));
  const plan = { canary: 2, share: 100, rest: 2, stop_above: 0 };
  const { id, name } = await template([ssid('Guests')]);
  const good = await apply(id, { gwids: [gwid] }, { ...plan, rest: 0 });
  await settled(good.data.change_id);
  const canaries = (await change(good.data.change_id)).devices.filter(({ wave }) => wave === 0);
  const [first, second] = canaries.map(({ serial }) => aps.find((one) => one.identity.serial === serial)!);

  await update(id, name, [ssid('Visitors')]);
  const startAt = new Date(Date.now() + 60_000).toISOString();
  const bad = await call<{ change_id: string; job_id: string }>('/api/v3/wireless_template/apply', {
    id,
    gwids: [gwid],
    plan,
    start_at: startAt,
  });
  await second!.device.cut();
  await expect
    .poll(() => sql('select online from device where serial = $1', [second!.identity.serial]))
    .toEqual([{ online: false }]);
  if (unnoticed)
    await sql(
      "update device set online = true, online_since = now(), last_seen = now() + interval '1 hour' where serial = $1",
      [second!.identity.serial],
    );
  await dueNow(fixture.server);
  await expect.poll(() => running(first!.device)).toContain('Visitors');
  await first!.device.cut();
  await settled(bad.data.change_id);
  expect(await sums(bad.data.change_id)).toEqual({ total: 3, applied: 1, cancelled: 2 });
  const back = await online(
    { ...second!.identity, port: fixture.server.program.devicePort },
    { flash: second!.device.flash },
  );
  await expectConfig(second!.identity.serial, { state: 'in_sync' });
  expect(running(back)).toContain('Guests');
  expect(pushes(back)).toBe(0);
  expect(await call('/api/v3/wireless_template/change/resume', { change_id: bad.data.change_id })).toMatchObject({
    data: { devices: 2 },
  });
  await expect.poll(() => running(back)).toContain('Visitors');
});
