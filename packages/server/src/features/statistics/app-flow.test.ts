import type { statistics as contract, DataOf } from '@yunxun/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { host } from '../../../test/seed.ts';
import { seedPerson } from '../../../test/seed-account.ts';
import { makeTelemetry } from '../../../test/seed-statistics.ts';
import { type As, type Registered, startTestServer, type TestServer } from '../../../test/server.ts';
import { takeAppFlow } from '../../telemetry/app-flow.ts';

type Complex = DataOf<typeof contract.complex>;
type FlowModel = DataOf<typeof contract.flowModel>;

const now = new Date('2026-11-21T04:30:00Z');
const clock = { now: () => now };
const at = (day: string, time: string) => new Date(`2026-${day}T${time}:00+08:00`);

let server: TestServer;
let owner: Registered;
let lobby: string;
let cafe: string;
let guest: As;

beforeAll(async () => {
  server = await startTestServer({ clock });
  owner = await server.register();
  const telemetry = await makeTelemetry(server, owner, clock);
  [lobby, cafe] = [await telemetry.network('Lobby'), await telemetry.network('Cafe')];
  const serial = await telemetry.device(cafe, { kind: 'ap', online: true, gateway: true });
  await telemetry.reports({ serial, gwid: cafe, at: at('11-20', '21:00') });
  const person = await seedPerson(server);
  await host(server, owner.accountId, person.accountId, ['statistics.read'], [cafe]);
  guest = { token: person.token, account: owner.accountId };
  const row = (category: 'Video' | 'HTTP' | 'IM', time: Date, down: number, up: number, uses: number) => ({
    at: time,
    mac: '00005e005303',
    category,
    down,
    up,
    uses,
  });
  const delivery = {
    kind: 'edge' as const,
    seq: 1,
    at: now,
    rows: [
      row('HTTP', at('11-20', '22:00'), 2000, 100, 1),
      row('Video', at('11-21', '09:10'), 500, 50, 3),
      row('IM', at('11-21', '12:15'), 10, 10, 9),
    ],
  };
  const device = { accountId: owner.accountId, serial, gwid: cafe };
  for (let times = 0; times < 2; times += 1) {
    await server.db.database.withSystem((tx) => takeAppFlow(tx, device, delivery));
  }
});
afterAll(() => server.stop());

const ask = async <T>(path: string, input: unknown = {}, as: As = owner): Promise<T> => {
  const answer = await server.call<T>(`/api/v3/user_stat/${path}`, input, as);
  expect(answer, JSON.stringify(answer)).toMatchObject({ status: 200, code: 2000 });
  return answer.data;
};

it('is reported by category as far as networks have a source', async () => {
  const items = [
    { name: 'HTTP', value: 2100 },
    { name: 'Video', value: 550 },
    { name: 'IM', value: 20 },
  ];
  const covered = { measured: 2670, measured_since: now.toISOString() };
  expect((await ask<Complex>('complex')).cumulative_flow).toMatchObject({ items, source: 'partial', ...covered });
  expect((await ask<Complex>('complex', {}, guest)).cumulative_flow).toMatchObject({ items, source: 'complete' });
  expect((await ask<Complex>('complex', { gwid: lobby })).cumulative_flow).toMatchObject({
    items: [],
    source: 'none',
    measured: null,
    measured_since: null,
  });
});

it('is reported in slots of four hours, and ranked by use', async () => {
  const { app_stage, app_times, app_source, ...more } = await ask<FlowModel>('flow_model', { day: 30 });
  expect(more).toMatchObject({ app_measured: 2670, app_since: now.toISOString() });
  expect(app_source).toBe('partial');
  expect(app_stage).toEqual([
    { name: '0~4', items: [] },
    { name: '4~8', items: [] },
    { name: '8~12', items: [{ name: 'Video', value: 550 }] },
    { name: '12~16', items: [{ name: 'IM', value: 20 }] },
    { name: '16~20', items: [] },
    { name: '20~24', items: [{ name: 'HTTP', value: 2100 }] },
  ]);
  expect(app_times).toEqual([
    { name: 'IM', value: 9 },
    { name: 'Video', value: 3 },
    { name: 'HTTP', value: 1 },
  ]);
});
