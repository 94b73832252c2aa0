import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seedPerson } from '../../../test/seed-account.ts';
import type { As } from '../../../test/server.ts';
import { insertStationRows } from '../../telemetry/testing/stations.ts';
import { addMember } from '../identity/rights.ts';
import {
  ago,
  clock,
  depot,
  hits,
  ids,
  lake,
  laptop,
  limited,
  lobby,
  name,
  owner,
  phone,
  pool,
  server,
  startSearch,
  stopSearch,
  stranger,
  yard,
} from './testing/fixture.ts';

beforeAll(startSearch);
afterAll(stopSearch);

describe('devices', () => {
  it.each([
    ['name', () => '大堂', () => lobby],
    ['two characters inside a name', () => '堂 A', () => lobby],
    ['model', () => 'eap102', () => yard],
    ['serial as it is written on the box', () => yard.toUpperCase().match(/../g)!.join(':'), () => yard],
    ['serial in groups of four', () => yard.match(/..../g)!.join('.'), () => yard],
    ['last half of a MAC address', () => yard.slice(6).match(/../g)!.join('-'), () => yard],
    ['middle of a MAC address', () => yard.slice(3, 10), () => yard],
    ['public address', () => '203.0.113.7', () => lobby],
    ['beginning of an address', () => '198.51.100.', () => yard],
    ['IPv4 network', () => '203.0.112.0/20', () => lobby],
  ])('are found by %s', async (_what, word, expected) => {
    expect(await ids(word(), 'device')).toContain(expected());
  });

  it('are found by a further MAC address, until it is gone', async () => {
    const mac = '02aabbccdd77';
    await pool().query('insert into device_mac (account_id, mac, serial) values ($1, $2, $3)', [
      owner.accountId,
      mac,
      yard,
    ]);
    expect(await ids('cc:dd:77', 'device')).toEqual([yard]);
    await pool().query('delete from device_mac where mac = $1', [mac]);
    expect(await ids('cc:dd:77', 'device')).toEqual([]);
  });

  it('say where they are and how, the exact name first', async () => {
    await name(lobby, 'Yard 2', 'EAP101', '203.0.113.7');
    const found = (await hits('yard')).filter(({ kind }) => kind === 'device');
    await name(lobby, '大堂 AP', 'EAP101', '203.0.113.7');
    expect(found.map(({ id, match }) => [id, match])).toEqual([
      [yard, 'exact'],
      [lobby, 'start'],
    ]);
    expect(found[0]).toMatchObject({
      title: 'Yard',
      detail: 'EAP102',
      type: 'ap',
      network: 'Depot-North',
      gwid: depot,
    });
    expect(found[0]!.status).toBe('online');
  });
});

describe('networks', () => {
  it('are found by characters, by a part of the name, and by the new name after a change', async () => {
    expect(await ids('西湖', 'network')).toEqual([lake]);
    expect(await ids('north', 'network')).toEqual([depot]);
    await server.call('/api/v3/network/update', { gwid: depot, remark: 'Warehouse' }, owner);
    expect(await ids('north', 'network')).toEqual([]);
    expect(await ids('wareh', 'network')).toEqual([depot]);
    await server.call('/api/v3/network/update', { gwid: depot, remark: 'Depot-North' }, owner);
  });

  it('and devices are found by pinyin: initials, whole, or a part', async () => {
    await pool().query("select graphile_worker.add_job('search-initials')");
    await expect.poll(() => ids('xhd', 'network')).toEqual([lake]);
    await expect.poll(() => ids('dtap', 'device')).toEqual([lobby]);
    for (const word of ['xh', 'xihu', 'XiHuDian', 'hudian']) expect(await ids(word, 'network'), word).toEqual([lake]);
    expect(await ids('datang', 'device')).toEqual([lobby]);
  });

  it.each([
    ['曾家店', ['zengjia', 'cengjia', 'zjd', 'cjd']],
    ['单氏商行', ['shanshi', 'danshi', 'ssh', 'dssh']],
    ['仇庄', ['qiuzhuang', 'chouzhuang', 'qz', 'cz']],
    ['绿岛', ['lvdao']],
  ])('named after a surname are found by its reading and by the usual one: %s', async (remark, words) => {
    const { data } = await server.call<{ gwid: string }>('/api/v3/network/create', { remark }, owner);
    await pool().query("select graphile_worker.add_job('search-initials')");
    for (const word of words) await expect.poll(() => ids(word, 'network')).toContain(data.gwid);
    await server.call('/api/v3/network/delete', { gwid: data.gwid }, owner);
  });

  it('completed before full pinyin was kept are found by it after the task', async () => {
    await pool().query(
      "update search_entry set initials = E'\\nxhd\\n', readings = 0 where kind = 'network' and id = $1",
      [lake],
    );
    expect(await ids('xihudian', 'network')).toEqual([]);
    await pool().query("select graphile_worker.add_job('search-initials')");
    await expect.poll(() => ids('xihudian', 'network')).toEqual([lake]);
  });
});

describe('clients', () => {
  it.each([
    ['MAC address with colons', '3C:22:FB:00:AA:01', phone],
    ['MAC address with hyphens', '8c-85-90-0b-1c-2d', laptop],
    ['MAC address in groups of four', '8c85.900b.1c2d', laptop],
    ['part of a MAC address', '0b:1c', laptop],
    ['host name', 'iphone', phone],
    ['host name in Chinese', '的电脑', laptop],
    ['remark', 'forklift', stranger],
    ['address', '192.168.10.21', phone],
    ['beginning of an address', '192.168.10.', phone],
    ['network of addresses', '192.168.8.0/22', phone],
    ['network smaller than an octet', '192.168.11.192/27', laptop],
    ['portal account', '1380000', phone],
  ])('are found by %s', async (_what, word, mac) => {
    expect(await ids(word, 'client')).toContain(mac);
  });

  it('are found by the whole host name first, however many names begin with it', async () => {
    const row = (n: number, hostname: string) => ({
      account_id: owner.accountId,
      mac: `02bb0000${n}`,
      hostname,
      first_seen: ago(900),
      last_seen: ago(1),
      random_mac: false,
      terminal_type: null,
      type_source: null,
      brand: null,
      os: null,
    });
    const others = Array.from({ length: 260 }, (_, n) => row(1000 + n, `Pos-1${n}`));
    await insertStationRows(server.db.database, 'station', [...others, row(2000, 'Pos-1')]);
    expect((await hits('pos-1', owner, { kinds: ['client'] }))[0]).toMatchObject({ title: 'Pos-1', match: 'exact' });
  });

  it('of a limited member are found behind many that it may not see', async () => {
    await insertStationRows(server.db.database, 'station_open', [
      {
        account_id: owner.accountId,
        serial: lobby,
        mac: '02bb00001150',
        bssid: 'a0b1c2d3e4f5',
        gwid: lake,
        ssid: 'Staff',
        band: 5,
        ip: null,
        username: null,
        authenticated: false,
        started_at: ago(30),
        last_at: ago(1),
        rssi: -50,
      },
    ]);
    expect(await ids('pos-1', 'client', limited)).toEqual(['02bb00001150']);
  });

  it('say that a whole address is exact', async () => {
    expect((await hits('192.168.10.21'))[0]).toMatchObject({ id: phone, match: 'exact' });
  });

  it('outside of an asked network are not found by it', async () => {
    expect((await ids('192.168.10.0/24', 'client')).toSorted()).toEqual([phone]);
    expect((await ids('192.168.0.0/16', 'client')).toSorted()).toEqual([phone, laptop].toSorted());
    expect(await ids('192.168.11.0/25', 'client')).toEqual([]);
  });

  it('show remark, network and presence, and never a whole phone number', async () => {
    const [found] = (await hits('Forklift')).filter(({ kind }) => kind === 'client');
    expect(found).toMatchObject({ id: stranger, title: 'Forklift-scanner', gwid: depot, network: 'Depot-North' });
    expect(JSON.stringify(await hits('1380000'))).not.toContain('13800001111');
  });

  it('are not found any more by a remark that was removed', async () => {
    await server.call('/api/v3/user_online/update', { mac: phone, remark: 'Till-4' }, owner);
    expect(await ids('till-4', 'client')).toEqual([phone]);
    await server.call('/api/v3/user_online/update', { mac: phone, remark: null }, owner);
    expect(await ids('till-4', 'client')).toEqual([]);
  });
});

describe('SSIDs, templates, members and jobs', () => {
  const ssid = (ssidName: string) => ({
    enabled: true,
    name: ssidName,
    security: 'psk2',
    key: 'welcome-2026',
    bands: ['5G'],
    vlan: null,
    hidden: false,
    isolate: true,
    maximum_clients: null,
    down_mbps: null,
    up_mbps: null,
  });

  it('are found by name', async () => {
    await pool().query(
      `insert into wireless_intent (account_id, gwid, version, intent, sealed_keys, updated_at, updated_by)
       values ($1, $2, 1, $3, '', now(), 'test')`,
      [owner.accountId, depot, JSON.stringify({ ssids: [{ name: 'Harbour Guests' }, { name: 'Office' }] })],
    );
    const made = await server.call<{ id: string }>(
      '/api/v3/wireless_template/create',
      { kind: 'wireless', name: '酒店客房', ssids: [ssid('Rooms')], radios: [], locks: [] },
      owner,
    );
    expect(made.code, JSON.stringify(made.errors)).toBe(2000);
    const id = '01999999-0000-7000-8000-000000000001';
    await pool().query(
      `insert into job (account_id, id, type, status, total, params, operator) values ($1, $2, 'reboot', 'succeeded', 1, '{}', 'Wang')`,
      [owner.accountId, id],
    );
    await pool().query(
      `insert into job_item (account_id, job_id, seq, serial, gwid, name, status) values ($1, $2, 0, $3, $4, 'Yard', 'succeeded')`,
      [owner.accountId, id, yard, depot],
    );
    expect(await hits('guests')).toMatchObject([{ kind: 'ssid', id: 'Harbour Guests', gwid: depot, match: 'part' }]);
    expect(await ids('客房', 'template')).toEqual([made.data.id]);
    for (const word of ['jdkf', 'jiudian', 'kefang']) expect(await ids(word, 'template')).toEqual([made.data.id]);
    expect((await hits('rooms')).map(({ kind, detail }) => [kind, detail])).toEqual([['template', 'Rooms']]);
    expect(await ids('yard', 'job')).toEqual([id]);
    expect(await ids(id, 'job')).toEqual([id]);
    expect(await ids(owner.email, 'person')).toEqual([owner.userId]);
  });
});

describe('results of a kind', () => {
  it('are cut after the most exact ones', async () => {
    const insert = `insert into job (account_id, id, type, status, total, params, operator, created_at)
      values ($1, $2, 'reboot', 'succeeded', 1, '{}', $3, $4)`;
    const id = (n: number) => `01999999-0000-7000-8000-00000000010${n}`;
    for (let n = 0; n < 7; n++)
      await pool().query(insert, [owner.accountId, id(n), n === 0 ? 'Kiosk' : `Kiosk ${n}`, ago(60 - n)]);
    const found = await hits('kiosk', owner, { kinds: ['job'] });
    expect([found.length, found[0]]).toMatchObject([5, { id: id(0), match: 'exact' }]);
  });

  it('include SSIDs by pinyin initials', async () => {
    await pool().query(
      `insert into wireless_intent (account_id, gwid, version, intent, sealed_keys, updated_at, updated_by)
       values ($1, $2, 1, $3, '', now(), 'test')`,
      [owner.accountId, lake, JSON.stringify({ ssids: [{ name: '访客网络' }] })],
    );
    await pool().query("select graphile_worker.add_job('search-initials')");
    await expect.poll(() => ids('fkwl', 'ssid')).toEqual(['访客网络']);
  });
});

it('finds objects that are older than the search after the task has filled them in', async () => {
  const written = async () => {
    const { rows } = await pool().query<{ entry: string }>(
      "select concat_ws(' ', kind, id, words) as entry from search_entry where account_id = $1 order by 1",
      [owner.accountId],
    );
    return rows.map(({ entry }) => entry);
  };
  const before = await written();
  for (const kind of ['network', 'device', 'client', 'client_remark', 'ssid'])
    expect(before.some((entry) => entry.startsWith(`${kind} `))).toBe(true);
  await pool().query('delete from search_entry');
  await pool().query(
    "insert into platform.search_fill (kind) values ('network'), ('device'), ('client'), ('client_remark'), ('ssid')",
  );
  // several batches
  await pool().query('select platform.fill_search_entries(2) from generate_series(1, 3)');
  await pool().query("select graphile_worker.add_job('search-initials')");
  await expect.poll(written).toEqual(before);
  expect(await ids('西湖', 'network')).toEqual([lake]);
});

describe('what a caller may not read', () => {
  it.each([
    ['a network', 'Depot'],
    ['a device of another network', 'EAP102'],
    ['an address of another network', '198.51.100.0/24'],
    ['a client of another network', '8c85900b'],
    ['a client of another network by its address', '192.168.11.200'],
    ['a client of another network by its remark', 'Forklift'],
    ['an SSID of another network', 'Harbour'],
    ['a template', '客房'],
    ['a job about another network', 'yard'],
  ])('is not found by a member limited to other networks: %s', async (_what, word) => {
    expect(await hits(word)).not.toEqual([]);
    expect(await hits(word, limited)).toEqual([]);
  });

  it('leaves what the limited member may read', async () => {
    expect(await ids('西湖', 'network', limited)).toEqual([lake]);
    expect(await ids('EAP101', 'device', limited)).toEqual([lobby]);
    expect(await ids('3c22fb', 'client', limited)).toEqual([phone]);
  });

  it('is not found by another account', async () => {
    const other = await server.register();
    for (const word of ['西湖', 'Depot', 'EAP10', '3c22fb', '192.168.', 'Harbour', '客房'])
      expect(await hits(word, other)).toEqual([]);
  });

  it('leaves out kinds for which the role has no permission', async () => {
    const biller = await seedPerson(server);
    await server.db.database.withSystem((tx) =>
      addMember(
        tx,
        owner.accountId,
        { accountId: biller.accountId, personId: biller.personId },
        { role: 'billing', gwids: null },
        clock.now(),
      ),
    );
    const as = { token: biller.token, account: owner.accountId };
    expect(await ids('西湖', 'network', as)).toEqual([lake]);
    expect(await hits('3c22fb00aa', as)).toEqual([]);
    expect(await hits('Harbour', as)).toEqual([]);
  });
});

describe('the word', () => {
  it.each(['%', '_', '\\', "'", '\n', '   ', '.', '::', '0.0.0.0/0', '/', '西', '😀', 'ab\uFFFF'])(
    '%j is searched literally or finds nothing',
    async (word) => {
      for (const { title } of await hits(word)) expect(title.toLowerCase()).toContain(word.trim());
    },
  );

  it('has at most 64 characters', async () => {
    const answer = await server.call('/api/v3/search/query', { keyword: 'x'.repeat(65) }, owner);
    expect(answer.code).toBe(422);
  });

  it('is searched among asked kinds, in the asked number', async () => {
    const found = await hits('3c22fb', owner, { kinds: ['client'], limit: 1 });
    expect(found.map(({ kind }) => kind)).toEqual(['client']);
  });
});

describe('alarms', () => {
  it('are found by what they say, by names and MAC address, and only in networks that the caller sees', async () => {
    const add = async (serial: string, gwid: string, cause: string | null = null) => {
      const { rows } = await pool().query<{ id: string }>(
        `insert into alarm (account_id, id, kind, level, state, gwid, serial, part, name, network, began_at, last_at, count,
           devices_hit, cause_id)
         values ($1, gen_random_uuid(), 'ap_offline', 'MIDDLE', 'firing', $2, $3, '', 'old name', '', $4, $4, 1, 1, $5) returning id`,
        [owner.accountId, gwid, serial, clock.now(), cause],
      );
      return rows[0]!.id;
    };
    const [here, there] = [await add(lobby, lake), await add(yard, depot)];
    const en = async (keyword: string, as: As = owner) =>
      (await hits(keyword, as, { kinds: ['alarm'] })).map(({ id }) => id).toSorted();
    expect(await en('offline')).toEqual([here, there].toSorted());
    expect(await en(yard.slice(4))).toEqual([there]);
    expect(await en('dt')).toEqual([here]);
    expect(await en('point yard of depot')).toEqual([there]);
    await pool().query("update alarm set note = 'Electrician comes' where id = $1", [here]);
    expect(await en('ELECTRIC')).toEqual([here]);
    expect(await en('offline', limited)).toEqual([here]);
    expect(await hits('Yard', owner, { kinds: ['alarm'] })).toMatchObject([
      { title: 'Access point Yard of Depot-North is offline', type: 'MIDDLE', gwid: depot },
    ]);
    await pool().query('delete from alarm where account_id = $1', [owner.accountId]);
  });
});

describe('the operation log', () => {
  const logged = async (keyword: string, as: As = owner, more: object = {}) =>
    (await hits(keyword, as, { kinds: ['log'], ...more })).map(({ title, type, detail }) => [title, type, detail]);

  it('is found by object, MAC address, operator and the name of an action, newest first', async () => {
    await server.call('/api/v3/ap/update', { serial: yard, remark: 'Yard-1' }, owner);
    await server.call('/api/v3/network/update', { gwid: depot, remark: 'Depot-North' }, owner);
    const rename = ['Yard-1', 'device.rename', owner.email];
    expect((await logged('yard'))[0]).toEqual(rename);
    expect(await logged(yard.match(/../g)!.slice(2).join(':'))).toContainEqual(rename);
    expect((await logged(owner.email, owner, { limit: 1 }))[0]?.[2]).toBe(owner.email);
    expect(await logged('Gerät umbenennen')).toEqual([]);
    expect(await logged('Gerät umbenennen', owner, { log_actions: ['device.rename'] })).toContainEqual(rename);
    const [entry] = await hits('yard', owner, { kinds: ['log'], limit: 1 });
    const { data } = await server.call<{ list: { seq: number; time: string }[] }>(
      '/api/v3/log/action/list',
      { page: 1, limit: 10, seq: Number(entry!.id) },
      owner,
    );
    expect(data.list).toMatchObject([{ seq: Number(entry!.id), time: entry!.at }]);
  });

  it('shows only entries of networks that the caller sees, and none without the permission', async () => {
    expect(await logged('yard', limited)).toEqual([]);
    const supporter = await seedPerson(server);
    await server.db.database.withSystem((tx) =>
      addMember(
        tx,
        owner.accountId,
        { accountId: supporter.accountId, personId: supporter.personId },
        { role: 'billing', gwids: null },
        clock.now(),
      ),
    );
    expect(await logged('yard', { token: supporter.token, account: owner.accountId })).toEqual([]);
  });
});
