import { readFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { DataOf, peripheralImport, peripherals } from '@yunxun/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { host } from '../../../test/seed.ts';
import { seedPerson } from '../../../test/seed-account.ts';
import { type As, type Registered, startTestServer, type TestServer } from '../../../test/server.ts';
import { xlsx } from '../../platform/http/xlsx.ts';

let server: TestServer;
let owner: Registered;
let shop: string;

type Row = DataOf<typeof peripheralImport.read>['rows'][number];

beforeAll(async () => {
  server = await startTestServer();
  owner = await server.register();
  shop = await network('Shop-17');
});
afterAll(() => server.stop());

const call = <T>(what: string, body: object, as: As = owner) => server.call<T>(`/api/v3/${what}`, body, as);
const network = async (remark: string) => (await call<{ gwid: string }>('network/create', { remark })).data.gwid;
const list = async (gwid: string) =>
  (await call<DataOf<typeof peripherals.list>>('peripheral/list', { gwid, limit: 200, sort: 'ip' })).data;
const book = (heads: string[], lines: (string | number)[][]) =>
  buffer(
    Readable.from(
      xlsx(
        heads,
        (async function* () {
          yield lines;
        })(),
      ),
    ),
  );
const read = (file: Buffer) => call<{ rows: Row[] }>('peripheral/import/read', { file: file.toString('base64') });
const row = (line: number, more: Partial<Row> = {}): Row => ({
  line,
  name: `Camera-${line}`,
  type: 'camera',
  network: '',
  group: '',
  ip: `10.1.0.${line}`,
  mac: '',
  mode: 'tcp',
  detect_port: '554',
  web_port: '80',
  shell_port: '',
  ...more,
});
const run = (rows: Row[], more: object = {}, as: As = owner) =>
  call<{ created: number; ids: string[] }>('peripheral/import', { rows, gwid: shop, ...more }, as);

describe('a file of peripheral devices', () => {
  it('is xlsx with heads of either language, and numbers as numbers', async () => {
    const chinese = await book(['名称', '类型', 'IP 地址', '检测端口'], [['门口', '摄像头', '10.1.0.2', 554]]);
    expect((await read(chinese)).data.rows).toEqual([
      row(2, { name: '门口', type: '摄像头', ip: '10.1.0.2', mode: '', web_port: '' }),
    ]);
    const english = await book(
      ['Web port', 'Name'],
      [
        [80, 'Door'],
        ['', ''],
        [8080, 'Gate'],
      ],
    );
    expect((await read(english)).data.rows).toMatchObject([
      { line: 2, name: 'Door', web_port: '80' },
      { line: 4, name: 'Gate', web_port: '8080' },
    ]);
  });

  it('is xls, of up to 100 rows, all of which are added', async () => {
    const file = readFileSync(new URL('../../../test/fixtures/peripherals.xls', import.meta.url));
    const gwid = await network('From-xls');
    const { data } = await read(file);
    expect(data.rows).toHaveLength(100);
    expect((await run(data.rows, { gwid })).data.created).toBe(100);
    const stored = await list(gwid);
    expect(stored.total).toBe(100);
    expect(stored.list[0]).toMatchObject({
      name: '摄像头-001',
      type: 'camera',
      ip: '192.168.1.2',
      mac: '001b21000001',
      mode: 'tcp',
      detect_port: 554,
      web_port: 80,
      shell_port: null,
    });
  });

  it('may be our own export, in either language', async () => {
    const gwid = await network('Exported');
    const rows = [
      row(2, { mac: '00:1B:21:00:00:02', type: 'smart_device', group: 'Attic' }),
      row(3, { mode: 'icmp', detect_port: '' }),
    ];
    expect((await run(rows, { gwid })).code).toBe(2000);
    for (const locale of ['en', 'zh-CN'] as const) {
      const as = { ...owner, locale };
      const { data } = await call<{ url: string }>('peripheral/export', { gwid, format: 'xlsx' }, as);
      const file = Buffer.from(await (await fetch(new URL(data.url, server.url))).arrayBuffer());
      expect((await read(file)).data.rows).toEqual(rows.map((one) => ({ ...one, network: 'Exported' })));
    }
  });

  it('of another format, without names, too large or of 101 rows is refused', async () => {
    expect(await read(Buffer.from('name,address\n'))).toMatchObject({ code: 422, errors: { file: [/xls, xlsx/] } });
    expect((await read(Buffer.from('504b0304', 'hex'))).errors).toHaveProperty('file');
    expect((await read(Buffer.from('d0cf11e0a1b11ae1', 'hex'))).errors).toHaveProperty('file');
    expect((await read(await book(['Address'], [['10.1.0.2']]))).errors).toHaveProperty('file');
    const long = await book(
      ['Name'],
      Array.from({ length: 101 }, (_, at) => [`P-${at}`]),
    );
    expect(await read(long)).toMatchObject({ code: 4111, data: { limit: 100, rows: 101 } });
    const large = Buffer.alloc(5 * 1024 * 1024, 1);
    expect((await read(large)).code).toBe(422);
    for (const more of [1, 100_000, 400_000, 5 * 1024 * 1024])
      expect(await read(Buffer.concat([large, Buffer.alloc(more)])), `${more}`).toMatchObject({
        code: 4111,
        message: /exceeded/,
      });
  });
});

describe('rows of peripheral devices', () => {
  it('are all refused with an error for each wrong cell', async () => {
    const existing = row(2, { name: 'Existing', ip: '10.1.0.200' });
    expect((await run([existing])).code).toBe(2000);
    const rows = [
      row(3),
      row(4, { name: '', ip: '8.8.8.8' }),
      row(5, { name: 'camera-3', type: 'toaster', mac: 'xx', mode: 'udp', web_port: '0' }),
      row(6, { network: 'Nowhere', group: 'x'.repeat(33) }),
      row(7, { ip: '10.1.0.3' }),
      row(8, { name: 'Existing', detect_port: '' }),
      row(9, { ip: '10.1.0.200' }),
    ];
    const { code, errors } = await run(rows);
    expect(code).toBe(422);
    expect(Object.keys(errors ?? {}).toSorted()).toEqual(
      [
        'rows.1.name',
        'rows.1.ip',
        'rows.2.name',
        'rows.2.type',
        'rows.2.mac',
        'rows.2.mode',
        'rows.2.web_port',
        'rows.3.network',
        'rows.3.group',
        'rows.4.ip',
        'rows.5.name',
        'rows.5.detect_port',
        'rows.6.ip',
      ].toSorted(),
    );
    expect((await list(shop)).list.map(({ name }) => name)).toEqual(['Existing']);
    await call('peripheral/delete', { ids: (await list(shop)).list.map(({ id }) => id) });
  });

  it('are only checked in a dry run, and each logged when added', async () => {
    const rows = [row(2), row(3, { mode: '', detect_port: '' }), row(4, { network: 'Shop-17' })];
    expect((await run(rows, { dry: true })).data).toEqual({ created: 3, ids: [] });
    expect((await list(shop)).total).toBe(0);
    const { data } = await run(rows);
    expect(data.ids).toHaveLength(3);
    expect((await list(shop)).list.map(({ mode }) => mode)).toEqual(['tcp', 'icmp', 'tcp']);
    const logged = await call<{ list: { action: string }[] }>('log/action/list', { limit: 3 });
    expect(logged.data.list.map(({ action }) => action)).toEqual(Array(3).fill('peripheral.create'));
    await call('peripheral/delete', { ids: data.ids });
  });

  it('find their network in any letter case and width, and none that several are', async () => {
    const wide = row(2, { network: 'ＳＨＯＰ-１７', type: 'ＣＡＭＥＲＡ' });
    const { data } = await run([wide], { gwid: undefined });
    expect((await list(shop)).list.map(({ id, type }) => [id, type])).toEqual([[data.ids[0], 'camera']]);
    await call('peripheral/delete', { ids: data.ids });
    await server.db.database.systemPool.query(
      `insert into network (account_id, gwid, remark) select account_id, gen_random_uuid(), 'shop-１７' from network where gwid = $1`,
      [shop],
    );
    for (const name of ['SHOP-17', 'Shop-17', 'shop-１７'])
      expect((await run([row(2, { network: name })])).errors).toEqual({
        'rows.0.network': [expect.stringContaining('Several networks')],
      });
    await server.db.database.systemPool.query(`delete from network where remark = 'shop-１７'`);
  });

  it('are added none where the network would be over its limit', async () => {
    const gwid = await network('Full');
    const addresses = Array.from({ length: 202 }, (_, at) => at + 2);
    const rows = addresses.map((at) => row(at));
    for (const part of [rows.slice(0, 100), rows.slice(100, 199)]) expect((await run(part, { gwid })).code).toBe(2000);
    expect((await run(rows.slice(199), { gwid })).code).toBe(4106);
    expect((await list(gwid)).total).toBe(199);
  });

  it('reach only networks that the person may change', async () => {
    const guest = await seedPerson(server);
    await host(server, owner.accountId, guest.accountId, ['network.read', 'network.write'], [shop]);
    await network('Hidden');
    const as = { token: guest.token, account: owner.accountId };
    expect((await run([row(2, { network: 'Hidden' })], {}, as)).errors).toHaveProperty('rows.0.network');
    expect((await run([row(2)], {}, as)).code).toBe(2000);
  });
});

describe('the search', () => {
  const hits = async (keyword: string) =>
    (
      await call<{ list: { kind: string; title: string }[] }>('search/query', { keyword, kinds: ['peripheral'] })
    ).data.list.map(({ title }) => title);

  it('finds peripheral devices by name, initials, address, subnet and MAC address', async () => {
    const gwid = await network('Search');
    const rows = [
      row(2, { name: '收银台打印机', ip: '10.77.1.20', mac: '00:1B:21:AA:BB:01' }),
      row(3, { name: 'Till-Camera', ip: '10.77.1.21' }),
    ];
    expect((await run(rows, { gwid })).code).toBe(2000);
    expect(await hits('打印机')).toEqual(['收银台打印机']);
    expect(await hits('syt')).toEqual(['收银台打印机']);
    expect(await hits('till-c')).toEqual(['Till-Camera']);
    expect(await hits('10.77.1.21')).toEqual(['Till-Camera']);
    expect((await hits('10.77.1.0/24')).toSorted()).toEqual(['Till-Camera', '收银台打印机']);
    expect(await hits('00-1b-21-aa-bb-01')).toEqual(['收银台打印机']);
    const { data } = await call<{ list: object[] }>('search/query', { keyword: 'till-camera' });
    expect(data.list).toMatchObject([
      { kind: 'peripheral', detail: '10.77.1.21', type: 'camera', gwid, network: 'Search', match: 'exact' },
      { kind: 'log', type: 'peripheral.create', gwid },
    ]);
  });
});
