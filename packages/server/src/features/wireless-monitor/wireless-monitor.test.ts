import type { wirelessMonitor as contract, DataOf } from '@yunxun/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { host } from '../../../test/seed.ts';
import { seedPerson } from '../../../test/seed-account.ts';
import { makeTelemetry, type Telemetry } from '../../../test/seed-statistics.ts';
import { type As, type Registered, startTestServer, type TestServer } from '../../../test/server.ts';
import { worstAir } from '../../telemetry/read/air.ts';
import { createRollups } from '../../telemetry/rollups.ts';
import { type Sample, seeded } from '../../telemetry/testing/samples.ts';
import { partsOf, scales, scoreOf } from './score.ts';

type Summary = DataOf<typeof contract.wirelessSummary>;
type Score = DataOf<typeof contract.wirelessScore>;
type Series = DataOf<typeof contract.wirelessSeries>;
type Worst = DataOf<typeof contract.wirelessWorst>;

const now = new Date('2026-11-21T10:12:30Z');
const clock = { now: () => now };
/** Minutes before the current five-minute bucket. */
const before = (minutes: number) => new Date(Date.parse('2026-11-21T10:10:00Z') - minutes * 60_000);

let server: TestServer;
let owner: Registered;
let guest: As;
let telemetry: Telemetry;
let lobby: string;
let cafe: string;
let devices: Record<'a1' | 'a2' | 'a3' | 's1' | 'c1', string>;

beforeAll(async () => {
  server = await startTestServer({ clock });
  owner = await server.register();
  telemetry = await makeTelemetry(server, owner, clock);
  [lobby, cafe] = [await telemetry.network('Lobby'), await telemetry.network('Cafe')];
  devices = {
    a1: await telemetry.device(lobby, { kind: 'ap', online: true }),
    a2: await telemetry.device(lobby, { kind: 'ap', online: true }),
    a3: await telemetry.device(lobby, { kind: 'ap', online: false }),
    s1: await telemetry.device(lobby, { kind: 'switch', online: true }),
    c1: await telemetry.device(cafe, { kind: 'ap', online: true }),
  };
  const { a1, a2, s1, c1 } = devices;
  const inLobby = (serial: string, minutes: number, more: Partial<Sample>) => ({
    serial,
    gwid: lobby,
    at: before(minutes),
    clients: 9,
    ...more,
  });
  await telemetry.reports(
    inLobby(a1, 50, {
      clients_2g: 40,
      clients_5g: 20,
      clients_6g: 0,
      util_2g: 80,
      util_5g: 45,
      noise_2g: -82,
      noise_5g: -95,
      rssi_n: 60,
      weak: 15,
      tx_packets: 700,
      tx_retries: 300,
      rate_sum: 6000,
      rate_n: 60,
      down_2g: 1000,
      up_2g: 100,
      down_5g: 2000,
      up_5g: 200,
    }),
    inLobby(a1, 45, {
      clients_2g: 44,
      clients_5g: 24,
      clients_6g: 0,
      util_2g: 90,
      util_5g: 55,
      noise_2g: -82,
      noise_5g: -95,
      rssi_n: 40,
      weak: 15,
      tx_packets: 50,
      tx_retries: 200,
      rate_sum: 0,
      rate_n: 0,
    }),
    // reports no noise and no retransmissions
    inLobby(a2, 45, { clients_2g: 0, clients_5g: 2, clients_6g: 0, util_2g: 20, util_5g: 10, rssi_n: 2 }),
    inLobby(s1, 45, { cpu: 10 }),
    { serial: c1, gwid: cafe, at: before(45), clients: 5, clients_2g: 0, clients_5g: 0, clients_6g: 5, util_6g: 65 },
    // a day earlier, and outside both days
    inLobby(a1, 45 + 1440, { clients_2g: 7, clients_5g: 8, clients_6g: 0, util_2g: 30, down_2g: 10 }),
    inLobby(a1, 45 + 2880, { clients_2g: 99, clients_5g: 99, clients_6g: 99, util_2g: 99 }),
    // in the current bucket, which is not read yet
    inLobby(a1, -1, { clients_2g: 1, clients_5g: 1, clients_6g: 0, util_2g: 100, util_5g: 100 }),
  );
  await telemetry.present('00005e005301', { serial: a1, gwid: lobby, band: 2 });
  await telemetry.present('00005e005302', { serial: a1, gwid: lobby, band: 5 });
  await telemetry.present('00005e005303', { serial: c1, gwid: cafe, band: 6 });
  await telemetry.present('00005e005304', { serial: s1, gwid: lobby, band: 0 });
  const person = await seedPerson(server);
  await host(server, owner.accountId, person.accountId, ['statistics.read'], [cafe]);
  guest = { token: person.token, account: owner.accountId };
});
afterAll(() => server.stop());

const ask = async <T>(path: string, input: unknown = {}, as: As = owner): Promise<T> => {
  const answer = await server.call<T>(`/api/v3/wireless/${path}`, input, as);
  expect(answer, JSON.stringify(answer)).toMatchObject({ status: 200, code: 2000 });
  return answer.data;
};

it('wireless/summary: access points by status, terminals by band now and at most in 24 hours', async () => {
  const peakAt = before(45).toISOString();
  expect(await ask<Summary>('summary')).toEqual({
    as_of: now.toISOString(),
    aps: {
      total: 4,
      statuses: [
        { name: 'online', value: 3 },
        { name: 'offline', value: 1 },
      ],
    },
    bands: [
      { name: '2.4G', online: 1, peak: 44, peak_at: peakAt },
      { name: '5G', online: 1, peak: 26, peak_at: peakAt },
      { name: '6G', online: 1, peak: 5, peak_at: peakAt },
    ],
  });
  expect((await ask<Summary>('summary', { gwid: cafe })).bands).toEqual([
    { name: '2.4G', online: 0, peak: 0, peak_at: peakAt },
    { name: '5G', online: 0, peak: 0, peak_at: peakAt },
    { name: '6G', online: 1, peak: 5, peak_at: peakAt },
  ]);
});

describe('wireless/score', () => {
  it('uses the radio reports of an hour, each radio once, with the raw numbers', async () => {
    const answer = await ask<Score>('score', { gwid: lobby });
    expect(answer).toMatchObject({ from: before(60).toISOString(), to: before(0).toISOString(), aps: 2, radios: 4 });
    expect(answer.missing).toEqual([]);
    const part = (name: string) => answer.parts.find((one) => one.part === name);
    // radios: 85 and 50 of one, 20 and 10 of the other
    expect(part('utilization')).toEqual({
      part: 'utilization',
      weight: 25,
      value: 97.5,
      measured: 41.25,
      good: 40,
      bad: 90,
      raw: [
        { name: 'utilization_2g', value: 52.5 },
        { name: 'utilization_5g', value: 30 },
      ],
    });
    expect(part('noise')).toMatchObject({ measured: -88.5, value: 82.5 });
    expect(part('weak')).toMatchObject({
      measured: 29.41,
      raw: [
        { name: 'weak', value: 30 },
        { name: 'sightings', value: 102 },
      ],
    });
    // 500 retransmissions of 1,250 frames
    expect(part('retries')).toMatchObject({ measured: 40, value: 25 });
    expect(part('load')).toMatchObject({
      measured: 16.5,
      value: 100,
      raw: [
        { name: 'terminals', value: 66 },
        { name: 'radios', value: 4 },
      ],
    });
    expect(part('availability')).toMatchObject({
      measured: 66.67,
      raw: [
        { name: 'aps_online', value: 2 },
        { name: 'aps', value: 3 },
      ],
    });
    const sum = answer.parts.reduce((all, { weight, value }) => all + weight * value, 0);
    expect(answer.score).toBe(Math.round(sum / 100));
  });

  it('leaves out what no device reported, and says so', async () => {
    const answer = await ask<Score>('score', {}, guest);
    expect(answer.parts.map(({ part, value }) => [part, value])).toEqual([
      ['utilization', 50],
      ['availability', 100],
      ['load', 100],
    ]);
    expect(answer.missing).toEqual(['weak', 'retries', 'noise']);
    expect(answer.score).toBe(Math.round((25 * 50 + 15 * 100 + 10 * 100) / 50));
  });

  it('is null where no radio has reported, though access points are there', async () => {
    const quiet = await telemetry.network('Quiet');
    await telemetry.device(quiet, { kind: 'ap', online: true });
    const answer = await ask<Score>('score', { gwid: quiet });
    expect(answer).toMatchObject({ score: null, aps: 0, radios: 0 });
    expect(answer.missing).toContain('utilization');
    expect(answer.parts.map(({ part }) => part)).toEqual(['availability']);
    expect(await ask('worst', { gwid: quiet })).toMatchObject({ compared: 0, list: [] });
    expect((await ask<Summary>('summary', { gwid: quiet })).bands[0]).toMatchObject({ peak: null, peak_at: null });
    expect((await ask<Series>('series', { gwid: quiet })).current.weak.every((value) => value === null)).toBe(true);
  });
});

it('wireless/worst: the worst first, with what pulls each down', async () => {
  const { list, compared } = await ask<Worst>('worst');
  expect(compared).toBe(3);
  const { a1, a2, c1 } = devices;
  expect(list.map(({ serial, pulled_by, network }) => [serial, pulled_by, network])).toEqual([
    [a1, 'retries', 'Lobby'],
    [c1, 'utilization', 'Cafe'],
    [a2, null, 'Lobby'],
  ]);
  expect(list[2]).toMatchObject({ score: 100, missing: ['retries', 'noise'], status: 'online' });
  expect((await ask<Worst>('worst', {}, guest)).list.map(({ serial }) => serial)).toEqual([c1]);
});

describe('wireless/series', () => {
  it('has a place for every five minutes of 24 hours, gaps as null, and the day before beside it', async () => {
    const answer = await ask<Series>('series', { gwid: lobby });
    expect(answer).toMatchObject({ from: before(1440).toISOString(), to: before(0).toISOString(), step_s: 300 });
    const at = 288 - 9;
    const { current, previous } = answer;
    const seen = (line: readonly (number | null)[]) =>
      line.flatMap((value, index) => (value === null ? [] : [[index, value]]));
    expect([current.terminals['2.4G'].length, previous.rate.length]).toEqual([288, 288]);
    expect(seen(current.terminals['2.4G'])).toEqual([
      [at - 1, 40],
      [at, 44],
    ]);
    expect(seen(current.flow['5G'])).toEqual([
      [at - 1, 2200],
      [at, 0],
    ]);
    expect(seen(current.utilization['2.4G'])).toEqual([
      [at - 1, 80],
      [at, 55],
    ]);
    expect(seen(current.noise['6G'])).toEqual([]);
    expect(seen(current.weak)).toEqual([
      [at - 1, 25],
      [at, 35.71],
    ]);
    expect(seen(current.retries)).toEqual([
      [at - 1, 30],
      [at, 80],
    ]);
    expect(seen(current.rate)).toEqual([[at - 1, 100]]);
    expect(seen(previous.terminals['5G'])).toEqual([[at, 8]]);
    expect(seen(previous.flow['2.4G'])).toEqual([[at, 10]]);
  });

  it('has 24 full hours with the step of an hour', async () => {
    const { from, to, current } = await ask<Series>('series', { step: '1h' });
    expect([from, to]).toEqual(['2026-11-20T10:00:00.000Z', '2026-11-21T10:00:00.000Z']);
    expect(current.flow['2.4G']).toHaveLength(24);
    expect(current.flow['2.4G'].at(-1)).toBe(1100);
  });

  it('refuses other steps', async () => {
    expect((await server.call('/api/v3/wireless/series', { step: '1d' }, owner)).status).toBe(422);
  });
});

it('shows no data of other accounts', async () => {
  for (const path of ['summary', 'score', 'series', 'worst']) {
    expect(await server.call(`/api/v3/wireless/${path}`, { gwid: lobby }, guest)).toMatchObject({ code: 4113 });
  }
  expect((await ask<Summary>('summary', {}, guest)).aps.total).toBe(1);
  expect((await ask<Series>('series', {}, guest)).current.terminals['2.4G'].some((value) => value)).toBe(false);
});

it('says the same from rollups as from reports', async () => {
  const calls = ['summary', 'score', 'series', 'worst'];
  const all = async () => Promise.all(calls.map((path) => ask(path, path === 'series' ? { step: '1h' } : {})));
  const fresh = await all();
  await createRollups({ database: server.db.database, clock }).run();
  // buckets close some minutes late, and the range then ends there
  const rolled = (await all()) as [Summary, Score, Series, Worst];
  expect(rolled[0]).toEqual(fresh[0]);
  expect(rolled[1].parts).toEqual((fresh[1] as Score).parts);
  expect(rolled[2]).toEqual(fresh[2]);
  expect(rolled[3].list).toEqual((fresh[3] as Worst).list);
});

it('ranks in the database by the very score that is shown', async () => {
  const random = seeded(20_261_121);
  const any = (from: number, to: number) => (random() < 0.3 ? null : Math.round(from + random() * (to - from)));
  const crowd = await telemetry.network('Crowd');
  const rows = Array.from({ length: 60 }, (_, index) => ({
    serial: `0200000000${index.toString(16).padStart(2, '0')}`,
    gwid: crowd,
    at: before(30),
    clients: 9,
    util_2g: any(0, 100),
    util_5g: any(0, 100),
    noise_2g: any(-100, -60),
    noise_6g: any(-100, -60),
    clients_2g: any(1, 150),
    clients_5g: any(0, 150),
    clients_6g: any(0, 2),
    rssi_n: any(0, 50) ?? 0,
    weak: 0,
    tx_packets: any(0, 100) ?? 0,
    tx_retries: any(0, 100) ?? 0,
  }));
  await telemetry.reports(...rows.map((row) => ({ ...row, weak: Math.round(row.rssi_n * random()) })));
  const query = { gwids: [crowd], from: before(60), to: before(0), scales, limit: 60 };
  const { list: ranked } = await server.db.database.withTenant(
    { accountId: owner.accountId, userId: null, gwids: null },
    (tx) => worstAir(tx, owner.accountId, query),
  );
  const scores = ranked.map((air) => scoreOf(partsOf(air).measured)!);
  expect(ranked.length).toBeGreaterThan(50);
  expect(scores).toEqual(scores.toSorted((a, b) => a - b));
});
