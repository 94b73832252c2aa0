import type { AnyEndpoint } from '@yunxun/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { administer, guarded } from './endpoints.ts';
import { makeSeed, type OwnedSeed } from './seed.ts';
import { startTestServer, type TestServer } from './server.ts';

type Row = Readonly<Record<string, unknown>>;

let server: TestServer;
let mine: OwnedSeed;

beforeAll(async () => {
  server = await startTestServer();
  mine = await makeSeed(server);
  await administer(server, mine.owner.userId);
});
afterAll(() => server.stop());

const propertiesOf = ({ body }: AnyEndpoint) => (body as { properties?: object } | undefined)?.properties ?? {};
const lists = guarded.filter((one) => 'keyword' in propertiesOf(one) && 'page' in propertiesOf(one));
const rowsTried = process.env.LONG_TESTS === '1' ? 3 : 2;
const macPattern = /^[\da-f]{2}([:-]?[\da-f]{2}){5}$/i;

function notations(mac: string): string[] {
  const digits = mac.replace(/[:.-]/g, '').toLowerCase();
  const pairs = digits.match(/../g)!;
  const [colons, hyphens, dots] = [pairs.join(':'), pairs.join('-'), digits.match(/..../g)!.join('.')];
  return [
    digits,
    digits.toUpperCase(),
    colons,
    colons.toUpperCase(),
    hyphens,
    dots,
    ` ${colons} `,
    `\u202a${colons}\u202c`,
    colons.slice(6),
  ];
}

async function found(endpoint: AnyEndpoint, keyword?: string): Promise<{ list: Row[]; total: number }> {
  const input = { ...(endpoint.example(mine.seed) as object), page: 1, limit: 50, ...(keyword && { keyword }) };
  const answer = await server.call<{ list: Row[]; total: number }>(endpoint.path, input, mine.owner);
  expect(answer.code, `${endpoint.path} ${answer.message} ${JSON.stringify(answer.errors)}`).toBe(2000);
  return answer.data;
}

it('every list finds a word with outer blanks, in another case, and a MAC in any notation', async () => {
  const [searched, byMac] = [new Set<string>(), new Set<string>()];
  for (const endpoint of lists) {
    const { list } = await found(endpoint);
    const texts = new Set(
      list
        .slice(0, rowsTried)
        .flatMap((row) => Object.values(row).filter((value): value is string => typeof value === 'string')),
    );
    for (const text of texts) {
      if (text.trim() === '' || text.length > 60) continue;
      const { total } = await found(endpoint, text);
      if (total === 0) continue;
      searched.add(endpoint.path);
      const others = macPattern.test(text) ? notations(text) : [` ${text} `, text.toLowerCase(), text.toUpperCase()];
      if (macPattern.test(text)) byMac.add(endpoint.path);
      for (const other of others) {
        const label = `${endpoint.path}: "${other}"`;
        expect([label, (await found(endpoint, other)).total > 0]).toEqual([label, true]);
      }
    }
  }
  expect(searched.size).toBeGreaterThan(20);
  expect([...byMac]).toEqual(
    expect.arrayContaining([
      '/api/v3/network/list',
      '/api/v3/ap/list',
      '/api/v3/asset/list',
      '/api/v3/log/upgrade/list',
      '/api/v3/portal/session/list',
      '/api/v3/peripheral/list',
      '/api/v3/outage/list',
      '/api/v3/alarm/list',
    ]),
  );
});

it('the operation log finds a device by its MAC in any notation', async () => {
  const { serial } = mine.seed.device;
  const renamed = await server.call('/api/v3/ap/update', { serial, remark: 'Renamed' }, mine.owner);
  expect(renamed.code).toBe(2000);
  for (const keyword of notations(serial)) {
    const { data } = await server.call<{ total: number }>('/api/v3/log/action/list', { keyword }, mine.owner);
    expect([keyword, data.total > 0]).toEqual([keyword, true]);
  }
});

it('the operation log finds names by words that could be digits of a MAC, and nothing by chance', async () => {
  const { serial } = mine.seed.device;
  const name = 'Beefed 7042';
  for (const remark of [name, 'Other', name]) await server.call('/api/v3/ap/update', { serial, remark }, mine.owner);
  const isFound = async (keyword: string) => {
    const input = { keyword, limit: 50 };
    const { data } = await server.call<{ list: { object: Row }[] }>('/api/v3/log/action/list', input, mine.owner);
    return data.list.some(({ object }) => object.name === name);
  };
  expect([await isFound('beefed'), await isFound('7042')]).toEqual([true, true]);
  expect([await isFound('70:42'), await isFound('70.42'), await isFound('ed-70')]).toEqual([false, false, false]);
});

it('a network is found by its ID, not by a few of its digits', async () => {
  const { gwid } = mine.seed.network;
  const named = async (keyword: string) => {
    const { data } = await server.call<{ list: { gwid: string }[] }>('/api/v3/network/list', { keyword }, mine.owner);
    return data.list.some((row) => row.gwid === gwid);
  };
  expect([await named(gwid), await named(gwid.slice(0, 8)), await named(gwid.slice(24, 29))]).toEqual([
    true,
    true,
    false,
  ]);
});

it('finds a name by its letters with accents written apart', async () => {
  const { serial } = mine.seed.device;
  await server.call('/api/v3/ap/update', { serial, remark: 'Mu\u0308ller' }, mine.owner);
  for (const keyword of ['Müller', 'Mu\u0308ller', 'MÜLLER']) {
    const { data } = await server.call<{ total: number }>('/api/v3/ap/list', { keyword }, mine.owner);
    expect([keyword, data.total]).toEqual([keyword, 1]);
  }
});
