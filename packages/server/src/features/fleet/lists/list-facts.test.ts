import type { fleet as contract, DataOf } from '@yunxun/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newSerial } from '../../../../test/new-serial.ts';
import { type Registered, startTestServer, type TestServer } from '../../../../test/server.ts';
import { bandsOf } from '../device-fields.ts';

type ApRow = DataOf<typeof contract.apList>['list'][number];
type NetworkRow = DataOf<typeof contract.networkList>['list'][number];
type List<T> = { list: T[]; total: number };

let server: TestServer;
let owner: Registered;
const gwids: Record<string, string> = {};

beforeAll(async () => {
  server = await startTestServer();
  owner = await server.register();
  for (const remark of ['North', 'South']) {
    gwids[remark] = (await call<{ gwid: string }>('/api/v3/network/create', { remark })).gwid;
  }
});
afterAll(() => server.stop());

async function call<T>(path: string, input: object, as: Registered = owner): Promise<T> {
  const answer = await server.call<T>(path, input, as);
  expect(answer.code, JSON.stringify(answer)).toBe(2000);
  return answer.data;
}
const run = (text: string, values: unknown[]) => server.db.database.systemPool.query(text, values);
const networks = async (query: object) => {
  const { list, total } = await call<List<NetworkRow>>('/api/v3/network/list', query);
  expect(total).toBe(list.length);
  return list.map(({ remark }) => remark);
};
const aps = async (query: object) => (await call<List<ApRow>>('/api/v3/ap/list', { limit: 50, ...query })).list;

async function insert(network: string, remark: string, groupId: string | null = null, bands: string[] = []) {
  const serial = newSerial();
  await run(
    `insert into device (confirmed, account_id, serial, gwid, kind, remark, bound_at, group_id, bands) values (true, $1, $2, $3, 'ap', $4, now(), $5, $6)`,
    [owner.accountId, serial, gwids[network], remark, groupId, bands],
  );
  return serial;
}

describe('templates in the list of access points', () => {
  it('are the intended ones, and the filter finds exactly their devices', async () => {
    const ssid = {
      enabled: true,
      name: 'Guests',
      security: 'open',
      bands: ['2G', '5G'],
      vlan: null,
      hidden: false,
      isolate: true,
      maximum_clients: 40,
      down_mbps: null,
      up_mbps: null,
    };
    const make = async (kind: 'ac' | 'wireless', name: string, general?: object) => {
      const given = { kind, name, ssids: kind === 'ac' ? [] : [ssid], radios: [], ...(general ? { general } : {}) };
      return (await call<{ id: string }>('/api/v3/wireless_template/create', given)).id;
    };
    const general = { leds: null, fast_roaming: null, neighbour_reports: null, minimum_rssi: -75 };
    const ids = {
      ac: await make('ac', 'House', general),
      red: await make('wireless', 'Red'),
      blue: await make('wireless', 'Blue'),
    };
    const rooms = (await call<{ id: string }>('/api/v3/ap/group/create', { name: 'Rooms' })).id;
    const halls = (await call<{ id: string }>('/api/v3/ap/group/create', { name: 'Halls' })).id;
    const stand = (scope: string, ref: string | undefined, kind: string, id: string) =>
      run(
        'insert into standing_layer (account_id, scope, ref, kind, layer_id, version) values ($1, $2, $3, $4, $5, 1)',
        [owner.accountId, scope, ref, kind, id],
      );
    await stand('network', gwids.North, 'wireless', ids.red);
    await stand('group', rooms, 'wireless', ids.blue);
    await stand('network', gwids.North, 'ac', ids.ac);
    const own: [scope: string, ref: string | null][] = [
      ['device', null],
      ['network', gwids.North!],
      ['network', gwids.South!],
      ['group', rooms],
      ['group', halls],
    ];
    for (const network of ['North', 'South']) {
      for (const group of [null, rooms, halls]) {
        await insert(network, `${network} ${group} by where it is`, group);
        for (const [scope, ref] of own) {
          const serial = await insert(network, `${network} ${group} ${scope} ${ref}`, group);
          await run(
            `insert into device_layer (account_id, serial, kind, layer_id, version, scope, ref) values ($1, $2, 'wireless', $3, 1, $4, $5)`,
            [owner.accountId, serial, ref === rooms ? ids.red : ids.blue, scope, ref],
          );
        }
      }
    }
    const all = await aps({});
    expect(all).toHaveLength(36);
    for (const id of Object.values(ids)) {
      const running = all.filter(({ settings }) => settings?.templates.some((one) => one.id === id));
      expect(running.length).toBeGreaterThan(3);
      expect(running.length).toBeLessThan(all.length);
      const found = await aps({ template_id: id });
      expect(found.map(({ remark }) => remark)).toEqual(running.map(({ remark }) => remark));
    }
    expect(await aps({ template_id: gwids.North })).toEqual([]);
    const [first] = await aps({ keyword: 'North null by where it is' });
    expect(first?.settings).toEqual({
      minimum_rssi: -75,
      client_limits: [{ ssid: 'Guests', limit: 40 }],
      templates: [
        { kind: 'ac', id: ids.ac, name: 'House', version: 1 },
        { kind: 'wireless', id: ids.red, name: 'Red', version: 1 },
      ],
    });
    const [bare] = await aps({ keyword: 'South null by where it is' });
    expect(bare?.settings).toEqual({ minimum_rssi: null, client_limits: [], templates: [] });
  });

  it('are shown only to people who may read settings', async () => {
    const helper = await server.register();
    await run(
      `insert into hosting_grant (account_id, id, grantee_account_id, permissions, gwids) values ($1, gen_random_uuid(), $2, $3, null)`,
      [owner.accountId, helper.accountId, ['network.read']],
    );
    const answer = await server.call<List<ApRow>>(
      '/api/v3/ap/list',
      { limit: 10 },
      {
        token: helper.token,
        account: owner.accountId,
      },
    );
    expect(answer.data.list.map(({ settings }) => settings)).toEqual(Array(10).fill(null));
    await run('delete from hosting_grant where account_id = $1', [owner.accountId]);
  });
});

describe('radios', () => {
  it('are read from what a device says it has', () => {
    const wifi = { a: { band: ['2G'] }, b: { band: '5G-lower' }, c: { band: ['5G-upper', '6G', 'odd'] }, d: null };
    expect(bandsOf({ wifi })).toEqual(['2G', '5G', '6G']);
    expect(bandsOf({ wifi: 'none' })).toEqual([]);
  });

  it('that a device lacks have no values in force; of one that never said, all have', async () => {
    const serial = await insert('South', 'Two bands');
    const fields = async () => {
      const { fields: all } = await call<{ fields: { field: string }[] }>('/api/v3/ap/effective/get', { serial });
      return new Set(all.flatMap(({ field }) => /^radios\.(\w+)/.exec(field)?.[1] ?? []));
    };
    expect([...(await fields())]).toEqual(['2G', '5G', '6G']);
    const capabilities = { wifi: { a: { band: ['5G'] }, b: { band: ['2G'] } } };
    await run('update device set capabilities = $2 where serial = $1', [serial, JSON.stringify(capabilities)]);
    expect([...(await fields())]).toEqual(['2G', '5G']);
  });

  it('narrow the list by the number of bands', async () => {
    const names = async (radio: string) => (await aps({ radio })).map(({ remark }) => remark);
    await insert('South', 'Old', null, ['2G']);
    await insert('South', 'Usual', null, ['2G', '5G']);
    await insert('South', 'New', null, ['2G', '5G', '6G']);
    expect([await names('single'), await names('dual'), await names('triple')]).toEqual([['Old'], ['Usual'], ['New']]);
  });
});

describe('the list of networks', () => {
  it('is narrowed by how old the newest backup is, and says when it was', async () => {
    const backedUp = async (network: string, days: number) => {
      await run(
        `insert into backup_content (account_id, gwid, fingerprint, sealed, bytes, checksum) values ($1, $2, $3, '\\x00', 1, 'c')`,
        [owner.accountId, gwids[network], `f${days}`],
      );
      await run(
        `insert into backup (account_id, id, gwid, fingerprint, type, created_by, created_at)
         values ($1, gen_random_uuid(), $2, $3, 'auto', 'schedule', now() - make_interval(days => $4))`,
        [owner.accountId, gwids[network], `f${days}`, days],
      );
    };
    expect(await networks({ backup: 'none' })).toEqual(['North', 'South']);
    await backedUp('North', 40);
    await backedUp('South', 10);
    expect(await networks({ backup: 'none' })).toEqual([]);
    expect(await networks({ backup: 'week' })).toEqual(['North', 'South']);
    expect(await networks({ backup: 'month' })).toEqual(['North']);
    await backedUp('North', 1);
    expect(await networks({ backup: 'week' })).toEqual(['South']);
    const { list } = await call<List<NetworkRow>>('/api/v3/network/list', {});
    const days = list.map(({ last_backup_at: at }) => Math.round((Date.now() - Date.parse(at!)) / 86_400_000));
    expect(days).toEqual([1, 10]);
  });

  it('filters by delegation', async () => {
    const grant = async (only: string[] | null) => {
      const other = await server.register();
      await run(
        `insert into hosting_grant (account_id, id, grantee_account_id, permissions, gwids) values ($1, gen_random_uuid(), $2, '{network.read}', $3)`,
        [owner.accountId, other.accountId, only],
      );
    };
    const both = async () => [await networks({ hosting: 'hosted' }), await networks({ hosting: 'unhosted' })];
    expect(await both()).toEqual([[], ['North', 'South']]);
    await grant([gwids.South!]);
    expect(await both()).toEqual([['South'], ['North']]);
    const { list } = await call<List<NetworkRow>>('/api/v3/network/list', {});
    expect(list.map(({ hosted }) => hosted)).toEqual([false, true]);
    await grant(null);
    expect(await both()).toEqual([['North', 'South'], []]);
    await run('update hosting_grant set revoked_at = now() where account_id = $1', [owner.accountId]);
    expect(await both()).toEqual([[], ['North', 'South']]);
  });
});

describe('firmware of the catalogue', () => {
  const runsOf = async (serial: string, model: string, firmware: string | null) =>
    run('update device set model = $3, firmware = $4 where account_id = $1 and serial = $2', [
      owner.accountId,
      serial,
      model,
      firmware,
    ]);
  const image = (version: string, models: string[]) =>
    call('/api/v3/firmware/image/create', {
      version,
      models,
      name: `${version}.bin`,
      uri: `http://images.example.org/${version}.bin`,
      sha256: 'a'.repeat(64),
    });
  const newer = async (query: object) =>
    Object.fromEntries((await aps(query)).map(({ remark, newer_version }) => [remark, newer_version]));

  it('is said of what runs another than the newest of its model, and finds those', async () => {
    const { gwid } = await call<{ gwid: string }>('/api/v3/network/create', { remark: 'Depot' });
    gwids.Depot = gwid;
    const [old, current, silent, other] = [
      await insert('Depot', 'old'),
      await insert('Depot', 'current'),
      await insert('Depot', 'silent'),
      await insert('Depot', 'other'),
    ];
    await runsOf(old, 'EAP-7', 'TIP-v5.1');
    await runsOf(current, 'EAP-7', 'TIP-v5.10 / build 3');
    await runsOf(silent, 'EAP-7', null);
    await runsOf(other, 'EAP-8', 'TIP-v5.1');
    expect(await newer({ gwid, firmware: 'outdated' })).toEqual({});
    expect(await networks({ firmware: 'outdated' })).toEqual([]);
    await image('v5.1', ['EAP-7']);
    await image('v5.10', ['EAP-7', 'EAP-9']);
    expect(await newer({ gwid })).toEqual({ old: 'v5.10', current: null, silent: null, other: null });
    expect(await newer({ gwid, firmware: 'outdated' })).toEqual({ old: 'v5.10' });
    expect(await networks({ firmware: 'outdated' })).toEqual(['Depot']);
    await run('update network set gateway_serial = $2 where account_id = $1 and gwid = $3', [
      owner.accountId,
      old,
      gwid,
    ]);
    const { list } = await call<List<NetworkRow>>('/api/v3/network/list', { firmware: 'outdated' });
    expect(list).toMatchObject([{ version: 'TIP-v5.1', newer_version: 'v5.10' }]);
  });
});
