import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { imports as contract, DataOf } from '@yunxun/contract';
import { messageByKey } from '@yunxun/contract/messages';
import { sheetBegin, sheetEnd, sheetPart, workbookParts } from '@yunxun/contract/workbook';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { host } from '../../../test/seed.ts';
import { seedPerson } from '../../../test/seed-account.ts';
import { makeTelemetry } from '../../../test/seed-statistics.ts';
import { type Registered, startTestServer, type TestServer } from '../../../test/server.ts';
import { ManualClock } from '../../platform/clock.ts';
import { xlsx } from '../../platform/http/xlsx.ts';
import { zip } from '../../platform/http/zip.ts';
import { readCsv, readTable, Unreadable } from '../../platform/spreadsheet.ts';

type Read = DataOf<typeof contract.read>;
type Run = DataOf<typeof contract.run>;

const clock = new ManualClock(new Date());
let server: TestServer;
let owner: Registered;
let shop: string;
let waiting: string;
let placed: string;

beforeAll(async () => {
  server = await startTestServer({ clock });
  owner = await server.register();
  const telemetry = await makeTelemetry(server, owner, clock);
  shop = await telemetry.network('Shop');
  placed = await telemetry.device(shop, { kind: 'ap', online: true });
  waiting = await telemetry.device(shop, { kind: 'ap', online: true });
  await server.db.database.systemPool.query('update device set gwid = null where serial = $1', [waiting]);
});
afterAll(() => server.stop());

const read = (text: string | Buffer, as: object = owner) =>
  server.call<Read>('/api/v3/device/import/read', { file: Buffer.from(text).toString('base64') }, as);
const run = (rows: object[], more: object = {}, as: object = owner) =>
  server.call<Run>(
    '/api/v3/device/import',
    {
      rows: rows.map((row, index) => ({ line: index + 2, serial: '', name: '', network: '', tags: '', ...row })),
      ...more,
    },
    as,
  );
const device = async (serial: string) =>
  (await server.call<{ gwid: string; remark: string }>('/api/v3/ap/detail', { serial }, owner)).data;

describe('a file', () => {
  it('is CSV, as our own files are or a spreadsheet in China writes it, with heads in either language', async () => {
    const rows = [{ line: 2, serial: placed, name: 'Lobby-1', network: 'Shop', tags: 'A, B' }];
    expect((await read(`\uFEFFSerial,Name,Network,Tags\r\n${placed},Lobby-1,Shop,"A, B"\r\n\r\n`)).data.rows).toEqual(
      rows,
    );
    expect((await read(`tags;network;name;mac\nA, B;Shop;Lobby-1;${placed}\n`)).data.rows).toEqual(rows);
    // the console's own export, with columns that imports ignore
    const mac = placed.match(/../g)?.join(':').toUpperCase();
    const listed = [{ line: 2, serial: mac, name: 'Lobby-1', network: 'Shop', tags: 'A; B' }];
    expect(
      (await read(`\uFEFF序列号,名称,所属网络,分组,CPU（%）,标签\r\n${mac},Lobby-1,Shop,,12,A; B\r\n`)).data.rows,
    ).toEqual(listed);
    expect((await run(listed, { dry: true })).data.rows).toMatchObject([{ serial: placed, result: 'would' }]);
    // 序列号,名称 in GBK
    const gbk = Buffer.concat([
      Buffer.from([0xd0, 0xf2, 0xc1, 0xd0, 0xba, 0xc5, 0x2c, 0xc3, 0xfb, 0xb3, 0xc6]),
      Buffer.from(`\n${placed},`),
      Buffer.from([0xb4, 0xf3, 0xcc, 0xc3]),
    ]);
    expect((await read(gbk)).data.rows).toMatchObject([{ serial: placed, name: '大堂' }]);
  });

  it('is a spreadsheet', async () => {
    const book = xlsx(
      ['序列号', '名称'],
      (async function* () {
        yield [
          [placed, 'Lobby-1'],
          ['', ''],
          [waiting, 'Hall'],
        ];
      })(),
    );
    expect((await read(await buffer(Readable.from(book)))).data.rows).toMatchObject([
      { line: 2, serial: placed, name: 'Lobby-1' },
      { line: 4, serial: waiting, name: 'Hall' },
    ]);
  });

  it('that is none, has no column of serials, or is too long, is refused with what is wrong', async () => {
    expect(await read(Buffer.from([0, 1, 2, 3]))).toMatchObject({ code: 422, errors: { file: [expect.any(String)] } });
    expect(await read(`name\nLobby`)).toMatchObject({ code: 422, errors: { file: [expect.any(String)] } });
    const many = Array.from({ length: 501 }, (_, n) => n.toString(16).padStart(12, '0')).join('\n');
    expect(await read(`serial\n${many}`)).toMatchObject({ code: 4111, data: { limit: 500 } });
  });

  it('that would grow without end is not unpacked', async () => {
    const bomb = await buffer(
      Readable.from(
        zip([
          {
            name: 'xl/worksheets/sheet1.xml',
            content: (async function* () {
              for (let n = 0; n < 40; n += 1) yield ' '.repeat(1_000_000);
            })(),
          },
        ]),
      ),
    );
    expect(bomb.length).toBeLessThan(200_000);
    await expect(readTable(bomb)).rejects.toThrow(Unreadable);
  });

  it.each([
    '<row r="999999999"><c r="A999999999" t="inlineStr"><is><t>x</t></is></c></row>',
    '<row><c r="A&#57;99999999" t="inlineStr"><is><t>x</t></is></c></row>',
    `<row r='2'><c t=">" r = 'XFD2'><v>1</v></c></row>`,
  ])('with a cell far out is not read: %s', async (row) => {
    const sheet = { name: sheetPart, content: `${sheetBegin(['Serial'])}${row}${sheetEnd}` };
    const file = await buffer(Readable.from(zip([...workbookParts, sheet])));
    await expect(readTable(file)).rejects.toThrow('cells far out');
  });

  it('never breaks the reader, whatever it holds', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), fc.boolean(), async (bytes, archive) => {
        const file = Buffer.concat([archive ? Buffer.from('PK\u0003\u0004') : Buffer.alloc(0), Buffer.from(bytes)]);
        await readTable(file).catch((error: unknown) => expect(error).toBeInstanceOf(Unreadable));
      }),
    );
    fc.assert(
      fc.property(
        fc.array(fc.array(fc.string({ maxLength: 8 }), { minLength: 2, maxLength: 2 }), { minLength: 1 }),
        (table) => {
          const cells = table.map((row) => row.map((cell) => cell.replace(/[\r\n;\t']/g, '').trim()));
          const text = cells.map((row) => row.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',')).join('\n');
          // then the first line suggests another separator
          if (/[;\t]/.test(text)) return;
          expect(readCsv(text)).toEqual(cells);
        },
      ),
    );
  });
});

describe('the rows', () => {
  it('are tried before anything is done, then done, and are the same the second time', async () => {
    const rows = [
      { serial: waiting.toUpperCase().replace(/..(?=.)/g, '$&:'), name: 'Hall', network: 'Depot', tags: 'New, Hall' },
      { serial: placed, name: 'Lobby-1', network: 'Depot' },
    ];
    const tried = await run(rows, { dry: true, create_networks: true });
    expect(tried.data).toMatchObject({
      done: 2,
      rows: [
        { line: 2, serial: waiting, result: 'would', acts: ['create_network', 'adopt', 'rename', 'tag'] },
        { line: 3, serial: placed, result: 'would', acts: ['move', 'rename'] },
      ],
    });
    expect((await device(placed)).gwid).toBe(shop);
    const { data } = await run(rows, { create_networks: true });
    expect(data).toMatchObject({ done: 2, same: 0, failed: 0 });
    const [hall, lobby] = [await device(waiting), await device(placed)];
    expect([hall.remark, lobby.remark]).toEqual(['Hall', 'Lobby-1']);
    expect(hall.gwid).toBe(lobby.gwid);
    expect((await run(rows, { create_networks: true })).data).toMatchObject({ done: 0, same: 2, failed: 0 });
  });

  it('find networks in any letter case and width, and make one of all spellings', async () => {
    const moved = await run([{ serial: placed, network: 'ＳＨＯＰ' }]);
    expect(moved.data).toMatchObject({ done: 1, rows: [{ acts: ['move'] }] });
    expect((await device(placed)).gwid).toBe(shop);
    const rows = [
      { serial: placed, network: 'Stall 7' },
      { serial: waiting, network: 'ＳＴＡＬＬ　７' },
    ];
    const { data } = await run(rows, { create_networks: true });
    expect(data).toMatchObject({ rows: [{ acts: ['create_network', 'move'] }, { acts: ['move'] }] });
    expect((await device(waiting)).gwid).toBe((await device(placed)).gwid);
    const named = await server.call<{ list: { remark: string }[] }>('/api/v3/network/list', { limit: 50 }, owner);
    expect(named.data.list.filter(({ remark }) => /^stall/i.test(remark))).toMatchObject([{ remark: 'Stall 7' }]);
  });

  it('name no network that several are, under the same rule', async () => {
    const { systemPool } = server.db.database;
    const gwid = (await device(placed)).gwid;
    await systemPool.query(
      `insert into network (account_id, gwid, remark, created_at) select account_id, gen_random_uuid(), 'STALL ７', now() from network where gwid = $1`,
      [gwid],
    );
    for (const network of ['stall 7', 'Stall 7', 'STALL ７']) {
      const { data } = await run([{ serial: waiting, network }], { create_networks: true });
      expect(data).toMatchObject({ failed: 1, rows: [{ acts: [], why: messageByKey('en', 'import.network_twice') }] });
    }
    await systemPool.query(`delete from network where remark = 'STALL ７'`);
  });

  it('move no gateway away from its network, and say so before', async () => {
    const { database } = server.db;
    await database.systemPool.query(
      'update network set gateway_serial = $1 where gwid = (select gwid from device where serial = $1)',
      [placed],
    );
    const rows = [{ serial: placed, network: 'Elsewhere' }];
    const [tried, done] = [
      await run(rows, { dry: true, create_networks: true }),
      await run(rows, { create_networks: true }),
    ];
    for (const { data } of [tried, done])
      expect(data).toMatchObject({ done: 0, failed: 1, rows: [{ acts: [], why: expect.stringContaining('gateway') }] });
    await database.systemPool.query('update network set gateway_serial = null where gateway_serial = $1', [placed]);
  });

  it('say one by one what is wrong, and hold up no other', async () => {
    const { data } = await run([
      { serial: 'nonsense' },
      { serial: '00005e005301', name: 'Unknown' },
      { serial: placed, name: 'a "quoted" name' },
      { serial: waiting, network: 'Nowhere' },
      { serial: waiting, name: 'Twice' },
    ]);
    expect(data).toMatchObject({ done: 0, same: 0, failed: 5 });
    expect(new Set(data.rows.map(({ why }) => why)).size).toBe(5);
    expect(data.rows[2]!.why).toBe(messageByKey('en', 'import.bad_remark'));
    const mixed = await run([{ serial: 'nonsense' }, { serial: placed, name: 'Desk' }]);
    expect(mixed.data).toMatchObject({ done: 1, failed: 1, rows: [{ result: 'failed' }, { result: 'done' }] });
    expect((await device(placed)).remark).toBe('Desk');
  });

  it('do what the person may do by hand and nothing else, and know no other networks', async () => {
    const guest = await seedPerson(server);
    const { gwid } = await device(placed);
    await host(server, owner.accountId, guest.accountId, ['network.read', 'network.write'], [gwid]);
    const as = { token: guest.token, account: owner.accountId };
    const { data } = await run([{ serial: placed, name: 'Guest', network: 'Fresh' }], { create_networks: true }, as);
    // creating a network needs another right
    expect(data.rows).toMatchObject([{ result: 'failed', acts: [], code: 4101 }]);
    expect((await device(placed)).remark).toBe('Desk');
    await host(server, owner.accountId, (await seedPerson(server)).accountId, ['network.read'], [shop]);
    expect((await run([{ serial: placed, name: 'Guest' }], {}, as)).data).toMatchObject({ done: 1 });
  });
});
