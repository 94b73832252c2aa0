import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Registered, startTestServer, type TestServer } from '../../../test/server.ts';
import { ManualClock } from '../../platform/clock.ts';
import { xlsx } from '../../platform/http/xlsx.ts';
import {
  alertOf,
  contentWith,
  freeLimits,
  memoryTemplates,
  newClient,
  openPage,
  plainFas,
  submit,
} from '../portal/testing/guest.ts';
import { type PortalNetwork, portalNetwork } from '../portal/testing/portal-network.ts';

const clock = new ManualClock(new Date('2026-11-23T10:00:00Z'));
const templates = memoryTemplates();
let server: TestServer;
let owner: Registered;
let network: PortalNetwork;

beforeAll(async () => {
  server = await startTestServer({ clock, portalTemplates: templates });
  owner = await server.register();
  const content = contentWith([{ kind: 'account', ...freeLimits }]);
  network = await portalNetwork(server, owner, templates, { gateway: 'opennds_1', content });
});
afterAll(() => server.stop());

interface Row {
  line: number;
  name: string;
  password: string;
  until: string;
}
interface Outcome {
  rows: { line: number; result: string; why: string | null }[];
  done: number;
  same: number;
  failed: number;
}
const read = async (file: Buffer | string) =>
  (
    await server.call<{ rows: Row[] }>(
      '/api/v3/portal/member/import/read',
      { file: Buffer.from(file).toString('base64') },
      owner,
    )
  ).data.rows;
const run = async (rows: Row[], dry = false) =>
  (await server.call<Outcome>('/api/v3/portal/member/import', { gwid: network.gwid, rows, dry }, owner)).data;
const tryIn = async (name: string, password: string) => {
  const page = await openPage(`${network.base}/fas?${plainFas(newClient())}`);
  return alertOf(await submit(page, 'account', { name, password }));
};

it('imports accounts of a file with Chinese heads, with which guests sign in until their day is over', async () => {
  const rows = await read(
    '账号,密码,设备数,到期日期,姓名,身份证号\n李伟,open4guests,2,2026-11-23,李伟,11010519491231002X\nWang,open4guests,,,,\n',
  );
  expect(await run(rows, true)).toMatchObject({ done: 2, same: 0, failed: 0 });
  expect(await tryIn('李伟', 'open4guests')).toBe('The account name or the password is wrong.');
  expect(await run(rows)).toMatchObject({ done: 2, failed: 0 });
  expect(await tryIn('李伟', 'open4guests')).toBeNull();
  clock.advance(7 * 3_600_000);
  expect(await tryIn('李伟', 'open4guests')).toBe('This account is disabled or has ended.');
  expect(await tryIn('Wang', 'open4guests')).toBeNull();
  expect(await run(rows)).toMatchObject({ done: 0, same: 2, failed: 0 });
});

it('reads days as spreadsheets keep them, and refuses an ID card number that lost digits', async () => {
  const book = xlsx(
    ['账号', '密码', '有效期至', '姓名', '身份证号'],
    (async function* () {
      yield [
        ['Fay', 'open4guests', { wallClockMs: Date.UTC(2026, 11, 31) }, '', ''],
        ['Gus', 'open4guests', '2026年12月31日', '', ''],
        ['Hal', 'open4guests', '', '李伟', 110105194912310020],
      ];
    })(),
  );
  const rows = await read(await buffer(Readable.from(book)));
  expect(rows).toMatchObject([{ until: '2026-12-31' }, { until: '2026年12月31日' }, {}]);
  expect((await run(rows, true)).rows).toMatchObject([
    { result: 'would' },
    { result: 'would' },
    { result: 'failed', why: expect.stringContaining('ID card') },
  ]);
});

it('says of each other row what is wrong', async () => {
  const rows = await read(
    [
      'name,password,devices,until',
      'Ann,short,1,',
      'Bob,open4guests,0,',
      'Cid,open4guests,1,soon',
      'Dee,open4guests,1,2026-02-30',
      'Fox,open4guests,1,2026-11-22',
    ]
      .concat(['Eve,open4guests,1,', 'eve,open4guests,1,', ',open4guests,1,'])
      .join('\n'),
  );
  const { rows: outcomes, done, failed } = await run(rows);
  expect([done, failed]).toEqual([1, 7]);
  expect(outcomes.map(({ why }) => why)).toEqual([
    'Not a password: 6–64 characters without spaces',
    'Not a number of devices: 1–100',
    'Not a day: write it as 2026-12-31',
    'Not a day: write it as 2026-12-31',
    'This time is over: choose a later one',
    null,
    'An earlier row has the same name',
    'Not a name: 1–64 letters, digits, Chinese characters, - _ , .',
  ]);
});

it('refuses a file without names or that is none', async () => {
  const answer = await server.call(
    '/api/v3/portal/member/import/read',
    { file: Buffer.from('serial,password\n1,2\n').toString('base64') },
    owner,
  );
  expect(answer.code).toBe(422);
});
