import type { PortalMethod } from '@yunxun/contract';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { pollTimeoutMs } from '../../../../../../tools/poll-timeout.ts';
import { loginOf, type Registered, startTestServer, type TestServer } from '../../../../test/server.ts';
import { addDays, dayOf } from '../../../platform/calendar.ts';
import { ManualClock } from '../../../platform/clock.ts';
import { enqueue } from '../../../platform/jobs/index.ts';
import {
  contentWith,
  freeLimits,
  memoryTemplates,
  newClient,
  openPage,
  plainFas,
  submit,
} from '../../portal/testing/guest.ts';
import { portalNetwork } from '../../portal/testing/portal-network.ts';

/** Noon in Shanghai. */
const clock = new ManualClock(new Date('2026-11-23T04:00:00Z'));
const dayMs = 86_400_000;
const templates = memoryTemplates();
const card: PortalMethod = { kind: 'recharge_card', ...freeLimits };
const terms = { minutes: 120, bytes: 0, devices: 1, up_kbps: 0, down_kbps: 0, valid_days: 365, gwids: null };
const long = { minutes: 60 * 1440 };

let server: TestServer;
let owner: Registered;
beforeAll(async () => {
  server = await startTestServer({ clock, portalTemplates: templates });
});
beforeEach(async () => {
  owner = await server.register();
  await server.call('/api/v3/account/update', { time_zone: 'Asia/Shanghai' }, owner);
});
afterAll(() => server.stop());

const call = <T>(path: string, input: object = {}) => server.call<T>(`/api/v3/${path}`, input, owner);

async function done<T>(path: string, input: object = {}): Promise<T> {
  const answer = await call<T>(path, input);
  expect(answer, path).toMatchObject({ code: 2000 });
  return answer.data;
}

async function makeCards(face: string, count: number, package_: object = {}, valid_days = 90) {
  const name = `For${Math.round(Number(face) * 100)}`;
  const made = { name, price: face, ...terms, ...package_, enabled: true };
  const { id: package_id } = await done<{ id: string }>('billing/package/create', made);
  const batch = { name, package_id, face, count, prefix: '', valid_days };
  return done<{ id: string; codes: string[] }>('recharge_card/generate', batch);
}
const sell = (batch_id: string, count: number, unsold: number) =>
  done<{ sold: number }>('recharge_card/sell', { batch_id, count, unsold });

const lobby = () => portalNetwork(server, owner, templates, { gateway: 'opennds_1', content: contentWith([card]) });
const redeem = async (base: string, code: string) =>
  submit(await openPage(`${base}/fas?${plainFas(newClient())}`), 'recharge_card', { card: code });

const switchOn = () => done('billing/deferred/save', { enabled: true, version: 0 });
interface State {
  enabled: boolean;
  liability: string;
  version: number;
  months: { month: string; sold: string; earned: string }[];
  schedule: { month: string; amount: string }[];
}
const state = () => done<State>('billing/deferred/get');

async function nights(count: number): Promise<void> {
  clock.advance(count * dayMs);
  owner.token = (await server.call('/api/v3/login', loginOf(owner))).token!;
  await server.db.database.withSystem((tx) => enqueue(tx, 'billing-deferred', {}));
  const waiting = "select from graphile_worker.jobs where task_identifier = 'billing-deferred'";
  await expect
    .poll(async () => (await server.db.database.systemPool.query(waiting)).rowCount, { timeout: pollTimeoutMs })
    .toBe(0);
}

const sums = async () => {
  const { rows } = await server.db.database.systemPool.query<{ ledger: string; fen: string }>(
    'select ledger, sum(fen)::text as fen from ledger_entry where account_id = $1 group by 1 order by 1',
    [owner.accountId],
  );
  return Object.fromEntries(rows.map(({ ledger, fen }) => [ledger, Number(fen)]));
};

it('books nothing while it is off', async () => {
  const { id } = await makeCards('8.50', 2);
  await sell(id, 1, 2);
  await nights(2);
  expect(await state()).toMatchObject({ enabled: false, liability: '0.00', schedule: [] });
  expect(await sums()).toEqual({ cash: 850, income: -850 });
});

it('owes a sold card until a guest uses it or it expires, and income stays what was sold', async () => {
  const { base } = await lobby();
  await switchOn();
  const { id, codes } = await makeCards('8.50', 4);
  expect(await sell(id, 3, 4)).toEqual({ sold: 3 });
  expect(await call('recharge_card/sell', { batch_id: id, count: 1, unsold: 4 })).toMatchObject({ code: 4104 });
  expect(await call('recharge_card/sell', { batch_id: id, count: 2, unsold: 1 })).toMatchObject({
    errors: { count: [expect.any(String)] },
  });
  expect(await sums()).toEqual({ cash: 2550, income: -2550 });
  await nights(1);
  expect(await sums()).toEqual({ cash: 2550, income: -2550, deferred: -2550, earned: 2550 });
  // which of them are sold, nothing says: all four are used but one
  for (const code of codes.slice(0, 3)) await redeem(base, code);
  await nights(1);
  const { income, deferred } = await sums();
  const { rows } = await server.db.database.systemPool.query(
    'select from billing_card where account_id = $1 and sold_at is not null and used_at is null',
    [owner.accountId],
  );
  expect(deferred).toBe(0 - 850 * rows.length);
  expect(income).toBe(0 - 850 * (3 + rows.length));
  const before = await sums();
  await nights(0);
  expect(await sums()).toEqual(before);
  const { list } = await done<{ list: { remaining: string }[] }>('billing/deferred/list');
  expect(list.map(({ remaining }) => remaining)).toEqual(rows.map(() => '8.50'));
  await nights(90);
  expect(await sums()).toMatchObject({ deferred: 0, earned: 0 });
});

it('refunds a sold card that is not used, and voids none that is sold', async () => {
  await switchOn();
  const { id } = await makeCards('8.50', 2);
  await sell(id, 1, 2);
  await nights(1);
  expect(await done('recharge_card/void', { batch_id: id })).toEqual({ voided: 1 });
  const { list } = await done<{ list: { id: string; sold_at: string | null }[] }>('recharge_card/list', {
    batch_id: id,
  });
  const sold = list.find(({ sold_at }) => sold_at)!;
  expect(await call('recharge_card/void', { batch_id: id, id: sold.id })).toMatchObject({ code: 4104 });
  await done('recharge_card/refund', { id: sold.id, reason: 'By mistake' });
  await nights(1);
  expect(await sums()).toEqual({ cash: 0, income: 0, deferred: 0, earned: 0 });
});

it('shows sold and earned side by side in the income, and only sold while nothing was ever deferred', async () => {
  interface Income {
    list: { key: string; income: string; refunds: string; net: string; earned: string | null }[];
    sums: { income: string; earned: string | null };
  }
  const income = (group: string) => done<Income>('billing/income/list', { group, days: 90, sort: 'key', order: 'asc' });
  const { id } = await makeCards('8.50', 3);
  await sell(id, 1, 3);
  expect((await income('day')).sums).toMatchObject({ income: '8.50', earned: null });
  clock.advance(1000);
  await switchOn();
  clock.advance(1000);
  await sell(id, 2, 2);
  const today = dayOf(clock.now(), 'Asia/Shanghai');
  await nights(1);
  expect((await income('day')).list).toMatchObject([
    { key: today, income: '25.50', refunds: '0.00', net: '25.50', earned: '8.50' },
  ]);
  expect((await income('method')).list).toMatchObject([{ key: 'recharge_card', income: '25.50', earned: null }]);
  const lines = { group: 'day', days: 90, key: today };
  const { list } = await done<{ list: { what: string; amount: string }[] }>('billing/income/journal', lines);
  expect(list[0]).toMatchObject({ what: 'deferral', amount: '-17.00' });
  expect(list.slice(1).map(({ what, amount }) => [what, amount])).toEqual(list.slice(1).map(() => ['income', '8.50']));
  await nights(91);
  const { sums: all, list: days } = await income('network');
  expect(all).toMatchObject({ income: '0.00', earned: '17.00' });
  expect(days).toMatchObject([{ key: '', income: '0.00', earned: '17.00' }]);
});

it('earns a package longer than a month by day, until it ends or is refunded', async () => {
  const { base } = await lobby();
  await switchOn();
  const { codes } = await makeCards('60.00', 2, long);
  for (const code of codes) await redeem(base, code);
  // 60 days from noon to noon touch 61 days
  const left = (days: number) => 6000 - Math.floor((6000 * days) / 61);
  await nights(1);
  expect(await sums()).toMatchObject({ income: -12_000, deferred: -2 * left(1) });
  const { schedule, liability } = await state();
  expect(schedule.map(({ month }) => month)).toEqual(expect.arrayContaining([clock.now().toISOString().slice(0, 7)]));
  const planned = schedule.reduce((sum, { amount }) => sum + Math.round(Number(amount) * 100), 0);
  expect(planned).toBe(Math.round(Number(liability) * 100));
  await nights(9);
  expect(await sums()).toMatchObject({ deferred: -2 * left(10) });
  const { list } = await done<{ list: { id: string }[] }>('recharge_card/list', { state: 'used' });
  interface Lines {
    list: { day: string; change: string; transaction_id: string | null }[];
    total: number;
  }
  const lines = await done<Lines>('billing/deferred/lines', { id: list[0]!.id, order: 'asc' });
  const first = dayOf(new Date(clock.now().getTime() - 10 * dayMs), 'Asia/Shanghai');
  expect(lines.total).toBe(10);
  expect(lines.list.slice(0, 2)).toMatchObject([
    { day: first, change: '59.02', transaction_id: expect.any(String) },
    { day: addDays(first, 1), change: '-0.98' },
  ]);
  await done('recharge_card/refund', { id: list[0]!.id, reason: 'Left' });
  await nights(1);
  expect(await sums()).toMatchObject({ deferred: -left(11) });
  await nights(60);
  const { income, deferred, earned } = await sums();
  expect([deferred, earned]).toEqual([0, 0]);
  const { months } = await state();
  const total = (key: 'sold' | 'earned') => months.reduce((sum, one) => sum + Math.round(Number(one[key]) * 100), 0);
  expect([total('sold'), total('earned')]).toEqual([-income!, -income!]);
});

it('books a month’s last days before it is closed, and what comes after into the next', async () => {
  await switchOn();
  const { id } = await makeCards('8.50', 2);
  await sell(id, 1, 2);
  const month = new Date(clock.now().getTime() + 8 * 3_600_000).toISOString().slice(0, 7);
  const next = new Date(`${month}-01T00:00:00Z`);
  next.setUTCMonth(next.getUTCMonth() + 1);
  clock.advance(next.getTime() - 6 * 3_600_000 - clock.now().getTime());
  owner.token = (await server.call('/api/v3/login', loginOf(owner))).token!;
  await done('billing/books/close', { month });
  const { list } = await done<{ list: { ledger: string; closing: string }[] }>('billing/books/trial_balance', {
    month,
  });
  expect(list.find(({ ledger }) => ledger === 'deferred')).toMatchObject({ closing: '-8.50' });
});

it('keeps what was deferred when it is switched off, and defers no new sale', async () => {
  await switchOn();
  const { id } = await makeCards('8.50', 3);
  await sell(id, 1, 3);
  clock.advance(1000);
  expect(await call('billing/deferred/save', { enabled: false, version: 0 })).toMatchObject({ code: 4104 });
  await done('billing/deferred/save', { enabled: false, version: 1 });
  clock.advance(1000);
  await sell(id, 1, 2);
  await nights(1);
  expect(await sums()).toEqual({ cash: 1700, income: -1700, deferred: -850, earned: 850 });
});
