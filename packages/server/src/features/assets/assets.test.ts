import type { assets as contract, DataOf } from '@yunxun/contract';
import pg from 'pg';
import readXlsx from 'read-excel-file/node';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { host } from '../../../test/seed.ts';
import { seedPerson } from '../../../test/seed-account.ts';
import { makers } from '../../platform/mac-makers.ts';
import { type Fixture, startFixture } from '../topology/testing/fixture.ts';

type List = DataOf<typeof contract.list>;
type Summary = DataOf<typeof contract.summary>;

const colons = (mac: string) => mac.match(/../g)!.join(':');
const [phone, camera, made, lease] = ['3c22fb000001', '2857be000002', '0a1111110003', '001b63000004'];

let fixture: Fixture;
let shop: string;
let depot: string;
let lobby: string;

beforeAll(async () => {
  fixture = await startFixture();
  const { telemetry } = fixture;
  [shop, depot] = [await telemetry.network('Shop'), await telemetry.network('Depot')];
  lobby = await telemetry.device(shop, { kind: 'ap', online: true });
  const association = (mac: string) => ({ station: colons(mac), rssi: -61, connected: 60 });
  const ssid = { ssid: 'Guests', bssid: '90:3c:b3:00:00:11', iface: 'wlan0', band: '5G' };
  await fixture.says(lobby, {
    interfaces: [
      {
        name: 'down1v0',
        ipv4: {
          addresses: ['192.0.2.1/24'],
          leases: [{ mac: lease, address: '192.0.2.9', hostname: '=HYPERLINK("x")' }],
        },
        clients: [camera, lease].map((mac) => ({ mac: colons(mac), ports: ['LAN1'], ipv4_addresses: ['192.0.2.7'] })),
        ssids: [{ ...ssid, associations: [association(phone), association(made)] }],
      },
    ],
    'link-state': { upstream: { WAN: { carrier: 1 } }, downstream: { LAN1: { carrier: 1 } } },
    'lldp-peers': { upstream: { WAN: [{ name: 'Core', mac: '00:1b:21:00:00:09', capability: ['Bridge'] }] } },
  });
});
afterAll(() => fixture.stop());

const call = <T>(path: string, body: object, as: object = fixture.owner) =>
  fixture.server.call<T>(`/api/v3/asset/${path}`, body, as);
const list = async (more: object = {}, as?: object) =>
  (await call<List>('list', { gwid: shop, limit: 50, sort: 'id', ...more }, as)).data;
const ids = async (more: object = {}) => (await list(more)).list.map(({ id }) => id);

describe('the list', () => {
  it('holds devices, what only LLDP knows and terminals, each with what is known of it and where it is', async () => {
    const { list: rows, total } = await list();
    expect(total).toBe(rows.length);
    const byId = new Map(rows.map((row) => [row.id, row]));
    expect(byId.get(lobby)).toMatchObject({ class: 'ap', class_by: 'managed', managed: true, online: true });
    expect(byId.get('001b21000009')).toMatchObject({
      class: 'switch',
      class_by: 'guess',
      name: 'Core',
      managed: false,
      online: null,
      first_seen: null,
      vendor: (await makers()).of('001b21000009'),
    });
    expect(byId.get(lobby)?.via).toMatchObject({ type: 'port', serial: null, name: 'Core' });
    expect(byId.get(camera)).toMatchObject({
      class: 'camera',
      class_by: 'guess',
      ip: '192.0.2.7',
      online: true,
      is_new: true,
      via: { type: 'port', serial: lobby, port: 'LAN1', ssid: null },
    });
    expect(byId.get(camera)?.vendor).toMatch(/hikvision/i);
    expect(byId.get(phone)).toMatchObject({ class: 'unknown', class_by: null, via: { type: 'air', ssid: 'Guests' } });
    expect(byId.get(phone)?.vendor).toMatch(/apple/i);
  });

  it('leaves out addresses that terminals made up, unless it is asked for them; they have no maker', async () => {
    expect(await ids()).not.toContain(made);
    expect(await ids({ random: 'include' })).toContain(made);
    const { list: rows } = await list({ random: 'only' });
    expect(rows).toMatchObject([{ id: made, vendor: null, random_mac: true }]);
  });

  it('is searched by maker, address, MAC and name, and turned by pages', async () => {
    expect(await ids({ keyword: 'hikvision' })).toEqual([camera]);
    expect(await ids({ keyword: '3C:22:FB' })).toEqual([phone]);
    expect(await ids({ keyword: 'core' })).toEqual(['001b21000009']);
    expect(await ids({ class: 'camera' })).toEqual([camera]);
    const all = await ids();
    const pages = await Promise.all([1, 2, 3].map((page) => list({ page, limit: 2 })));
    expect(pages.flatMap((page) => page.list.map(({ id }) => id))).toEqual(all.slice(0, 6));
    expect(pages.every(({ total }) => total === all.length)).toBe(true);
    expect(await list({ page: 99 })).toMatchObject({ list: [], total: all.length });
  });

  it('adds up to the summary', async () => {
    const { data } = await call<Summary>('summary', { gwid: shop });
    const { list: rows } = await list();
    expect(data).toMatchObject({ total: rows.length, random: 1, fresh: rows.filter(({ is_new }) => is_new).length });
    for (const { class: kind, count } of data.classes) {
      expect([kind, rows.filter((row) => row.class === kind).length]).toEqual([kind, count]);
    }
  });

  it('knows one network only', async () => {
    expect((await call<List>('list', { gwid: depot })).data.list).toEqual([]);
    const guest = await seedPerson(fixture.server);
    await host(fixture.server, fixture.owner.accountId, guest.accountId, ['network.read', 'network.write'], [depot]);
    const as = { token: guest.token, account: fixture.owner.accountId };
    expect((await call('list', { gwid: depot }, as)).code).toBe(2000);
    expect((await call('list', { gwid: shop }, as)).code).toBe(4113);
    // an asset of another network cannot be marked
    expect((await call('update', { gwid: depot, ids: [camera], known: true }, as)).code).toBe(4113);
  });
});

describe('what the operator says', () => {
  it('holds over what is guessed, is found, and can be taken back by its own logged inverse', async () => {
    const change = { class: 'server', name: 'Recorder', tags: ['Till'], note: 'bought-2026-03', known: true };
    expect((await call('update', { gwid: shop, ids: [camera], ...change })).data).toEqual({ changed: 1 });
    expect((await list({ keyword: 'recorder' })).list).toMatchObject([
      { id: camera, class: 'server', class_by: 'operator', name: 'Recorder', tags: ['Till'], is_new: false },
    ]);
    expect(await ids({ tag: 'Till' })).toEqual([camera]);
    expect(await ids({ fresh: 'true' })).not.toContain(camera);
    const log = await fixture.server.call<{ list: { seq: number; action: string }[] }>(
      '/api/v3/log/action/list',
      { page: 1, limit: 1 },
      fixture.owner,
    );
    const [{ seq, action }] = log.data.list as [{ seq: number; action: string }];
    expect(action).toBe('asset.update');
    expect((await fixture.server.call('/api/v3/log/action/undo', { seq }, fixture.owner)).code).toBe(2000);
    expect((await list({ keyword: 'hikvision' })).list).toMatchObject([
      { class: 'camera', name: null, tags: [], note: '', is_new: true },
    ]);
  });

  it('changes only the note and tags of a managed device, and nothing of an unseen one', async () => {
    await call('update', { gwid: shop, ids: [lobby], name: 'Other', class: 'camera', note: 'shelf-3' });
    expect((await list({ class: 'ap' })).list).toMatchObject([{ id: lobby, class: 'ap', note: 'shelf-3' }]);
    expect((await call('update', { gwid: shop, ids: [camera, '00005e005301'], known: true })).code).toBe(4113);
    expect((await call('update', { gwid: shop, ids: [camera], note: '<b>' })).code).toBe(422);
  });

  it('is no news twice: a call that changes nothing leaves no line in the log', async () => {
    await call('update', { gwid: shop, ids: [phone], known: true });
    expect((await call('update', { gwid: shop, ids: [phone], known: true })).data).toEqual({ changed: 0 });
  });
});

it('comes as a file, with texts that no spreadsheet computes', async () => {
  const { data } = await call<{ url: string }>('export', { gwid: shop, format: 'csv', sort: 'id' });
  const text = await (await fetch(fixture.server.program.httpUrl + data.url)).text();
  expect(text.split('\r\n')[0]).toContain(',SSID,');
  expect(text.split('\r\n').filter(Boolean)).toHaveLength((await ids()).length + 1);
  expect(text).toContain('28:57:be:00:00:02');
  expect(text).toContain(`'=HYPERLINK`);
});

it('is built once for a file, of however many rows', async () => {
  const { database } = fixture.server.db;
  const account = fixture.owner.accountId;
  const many = await fixture.telemetry.network('Many');
  await fixture.telemetry.device(many, { kind: 'ap', online: true });
  await database.systemPool.query(
    `insert into station_day
      select (jsonb_populate_record(d, jsonb_build_object('gwid', $2::uuid, 'mac', '00005e' || lpad(to_hex(n), 6, '0')))).*
      from station_day d, generate_series(1, 2500) n where d.account_id = $1 and d.mac = $3`,
    [account, many, camera],
  );
  const asked = vi.spyOn(pg.Client.prototype, 'query');
  const { data } = await call<{ url: string }>('export', { gwid: many, format: 'csv', random: 'include' });
  const text = await (await fetch(fixture.server.program.httpUrl + data.url)).text();
  const trees = asked.mock.calls.filter(([query]) => String(query).includes('links_at as at'));
  asked.mockRestore();
  expect(text.split('\r\n').filter(Boolean)).toHaveLength(2502);
  expect(trees).toHaveLength(1);
});

it('comes as a workbook too, where such a text is a text and a time is a date', async () => {
  const { data } = await call<{ url: string }>('export', { gwid: shop, format: 'xlsx', sort: 'id', random: 'include' });
  const answer = await fetch(fixture.server.program.httpUrl + data.url);
  expect(answer.headers.get('content-disposition')).toMatch(/assets-[\d-]+\.xlsx"$/);
  const [sheet] = await readXlsx(Buffer.from(await answer.arrayBuffer()));
  expect(sheet!.data).toHaveLength((await ids({ random: 'include' })).length + 1);
  const cells = sheet!.data.flat();
  expect(cells).toContain('=HYPERLINK("x")');
  expect(cells.some((cell) => cell instanceof Date)).toBe(true);
});
