import type { ApplicationCategory, flow as contract, DataOf } from '@yunxun/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { host } from '../../../test/seed.ts';
import { seedPerson } from '../../../test/seed-account.ts';
import { makeTelemetry } from '../../../test/seed-statistics.ts';
import { type As, type Registered, startTestServer, type TestServer } from '../../../test/server.ts';
import { takeAppFlow } from '../../telemetry/app-flow.ts';

type Series = DataOf<typeof contract.flowSeries>;
type Top = DataOf<typeof contract.flowTop>;
type Sources = DataOf<typeof contract.flowSources>;

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const end = new Date('2026-11-21T10:12:30Z');
const clock = { now: () => end };
const [phone, laptop] = ['00005e005301', '00005e005302'] as const;

let server: TestServer;
let owner: Registered;
let guest: As;
let lobby: string;
let cafe: string;
let quiet: string;
let gateway: string;

beforeAll(async () => {
  server = await startTestServer({ clock });
  owner = await server.register();
  const telemetry = await makeTelemetry(server, owner, clock);
  [lobby, cafe, quiet] = [
    await telemetry.network('Lobby'),
    await telemetry.network('Cafe'),
    await telemetry.network('Quiet'),
  ];
  gateway = await telemetry.device(lobby, { kind: 'gateway', online: true, gateway: true });
  const other = await telemetry.device(cafe, { kind: 'gateway', online: true, gateway: true });
  let seq = 0;
  const tell = (gwid: string, serial: string, at: Date, rows: readonly Row[]) =>
    server.db.database.withSystem((tx) =>
      takeAppFlow(
        tx,
        { accountId: owner.accountId, serial, gwid },
        {
          kind: 'edge',
          seq: ++seq,
          at,
          rows: rows.map(([mac, category, ago, down, up]) => row(at, mac, category, ago, down, up)),
        },
      ),
    );
  await tell(lobby, gateway, new Date(+end - 9 * day), []);
  await tell(lobby, gateway, new Date(+end - 7 * day), [[phone, 'Video', 20 * minute, 700, 300]]);
  await tell(lobby, gateway, end, [
    [phone, 'Video', 0, 50, 5],
    [phone, 'Video', 7 * minute, 4000, 400],
    [laptop, 'Video', 8 * minute, 100, 10],
    [laptop, 'Unknown', 25 * minute, 30, 3],
    [laptop, 'IM', 5 * hour, 9000, 900],
    [phone, 'HTTP', 3 * day, 20_000, 2000],
  ]);
  await tell(cafe, other, end, [[phone, 'Game', 40 * minute, 60, 6]]);
  const person = await seedPerson(server);
  await host(server, owner.accountId, person.accountId, ['statistics.read'], [cafe]);
  guest = { token: person.token, account: owner.accountId };
});
afterAll(() => server.stop());

type Row = readonly [mac: string, category: ApplicationCategory, ago: number, down: number, up: number];
const row = (end_: Date, mac: string, category: ApplicationCategory, ago: number, down: number, up: number) => ({
  at: new Date(+end_ - ago),
  mac,
  category,
  down,
  up,
  uses: 1,
});

const ask = async <T>(path: string, input: unknown, as: As = owner): Promise<T> => {
  const answer = await server.call<T>(`/api/v3/flow/${path}`, input, as);
  expect(answer, JSON.stringify(answer)).toMatchObject({ status: 200, code: 2000 });
  return answer.data;
};
const names = ({ categories }: Series) => categories.map(({ name, down, up }) => [name, down, up]);

describe('flow/series', () => {
  it('has five-minute buckets of half an hour, the running one included', async () => {
    const answer = await ask<Series>('series', { gwid: lobby, span: '30m' });
    expect(answer).toMatchObject({ step_s: 300, from: '2026-11-21T09:45:00.000Z', to: '2026-11-21T10:15:00.000Z' });
    expect(answer.categories).toEqual([
      { name: 'Video', down: 4150, up: 415, uses: 3, values: [0, 0, 0, 110, 4400, 55] },
      { name: 'Unknown', down: 30, up: 3, uses: 1, values: [33, 0, 0, 0, 0, 0] },
    ]);
  });

  it('adds hours up over a day and a week, with the same bytes as its rows', async () => {
    const dayLong = await ask<Series>('series', { gwid: lobby, span: '24h' });
    expect(dayLong.categories[0]).toMatchObject({ name: 'IM', down: 9000, up: 900 });
    expect(dayLong.categories[0]!.values).toHaveLength(24);
    const week = await ask<Series>('series', { gwid: lobby, span: '7d' });
    expect(names(week)).toEqual([
      ['HTTP', 20_000, 2000],
      ['IM', 9000, 900],
      ['Video', 4150, 415],
      ['Unknown', 30, 3],
    ]);
    for (const { values, down, up } of week.categories)
      expect(values.reduce<number>((sum, value) => sum + (value ?? 0), 0)).toBe(down + up);
    expect(week.categories[0]!.values).toHaveLength(28);
  });

  it('narrows to a client and a category', async () => {
    expect(names(await ask<Series>('series', { gwid: lobby, span: '24h', mac: laptop }))).toEqual([
      ['IM', 9000, 900],
      ['Video', 100, 10],
      ['Unknown', 30, 3],
    ]);
    expect(names(await ask<Series>('series', { span: '1h', mac: phone, category: 'Game' }))).toEqual([['Game', 60, 6]]);
  });

  it('compares closed rows with those of a week before, where all networks had a source then', async () => {
    const { compare } = await ask<Series>('series', { gwid: lobby, span: '30m' });
    expect(compare).toEqual({ now: 4400 + 110 + 33, before: 1000 });
    expect((await ask<Series>('series', { gwid: cafe, span: '30m' })).compare).toBeNull();
    expect((await ask<Series>('series', { gwid: lobby, span: '30d' })).compare).toBeNull();
  });

  it('does not know the buckets before the first source', async () => {
    const month = await ask<Series>('series', { gwid: lobby, span: '30d' });
    expect(month.counted_from).toBe(new Date(+end - 9 * day).toISOString());
    const [http] = month.categories;
    expect(http!.values.slice(0, 20)).toEqual(Array(20).fill(null));
    expect(http!.values.slice(20)).toEqual([0, 0, 0, 0, 0, 0, 22_000, 0, 0, 0]);
    expect((await ask<Series>('series', { gwid: lobby, span: '7d' })).counted_from).toBeNull();
  });

  it('is empty without a source', async () => {
    expect(await ask<Series>('series', { gwid: quiet, span: 'live' })).toMatchObject({ categories: [], compare: null });
  });
});

describe('flow/top', () => {
  it('ranks clients of a category, with what all of them carried', async () => {
    const answer = await ask<Top>('top', { gwid: lobby, span: '1h', by: 'client', category: 'Video', limit: 1 });
    expect(answer).toMatchObject({ total: 2, sum: { down: 4150, up: 415, uses: 3 } });
    expect(answer.list).toEqual([{ key: phone, name: '00:00:5e:00:53:01', down: 4050, up: 405, uses: 2 }]);
  });

  it('ranks networks and gateways', async () => {
    const networks = await ask<Top>('top', { span: '24h', by: 'network' });
    expect(networks.list.map(({ name, down }) => [name, down])).toEqual([
      ['Lobby', 13_180],
      ['Cafe', 60],
    ]);
    const gateways = await ask<Top>('top', { gwid: lobby, span: '7d', by: 'gateway' });
    expect(gateways.list).toMatchObject([{ key: gateway, down: 33_180 }]);
  });

  it('agrees with the series in every span', async () => {
    for (const span of ['live', '30m', '1h', '24h', '7d', '30d']) {
      const { categories } = await ask<Series>('series', { span });
      const { sum } = await ask<Top>('top', { span, by: 'client' });
      expect([span, categories.reduce((all, { down }) => all + down, 0)]).toEqual([span, sum.down]);
    }
  });
});

it('flow/sources says which networks report, and of how many', async () => {
  const answer = await ask<Sources>('sources', {});
  expect(answer).toMatchObject({ networks: 3, total: 2 });
  expect(answer.list.map(({ network, kind }) => [network, kind]).toSorted()).toEqual([
    ['Cafe', 'edge'],
    ['Lobby', 'edge'],
  ]);
});

it('shows a member of some networks only those', async () => {
  expect(names(await ask<Series>('series', { span: '24h' }, guest))).toEqual([['Game', 60, 6]]);
  expect(await ask<Top>('top', { span: '24h', by: 'network' }, guest)).toMatchObject({ total: 1, sum: { down: 60 } });
  expect(await ask<Sources>('sources', {}, guest)).toMatchObject({ networks: 1, total: 1 });
  expect(await server.call('/api/v3/flow/series', { gwid: lobby, span: '1h' }, guest)).toMatchObject({ code: 4113 });
});
