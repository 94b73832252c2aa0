import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { ProviderRequest } from '../../../../test/fake-provider.ts';
import * as fixture from '../testing/fixture.ts';
import { events, hook, notices, payloads, resetHook, run, save, send, startHook } from '../testing/notify.ts';

const { call, clock, devices, lose, back, minute, evaluate, query } = fixture;

beforeAll(async () => {
  await fixture.startFixture();
  await startHook();
});
afterAll(async () => {
  await fixture.stopFixture();
  await hook.stop();
});
beforeEach(async () => {
  await fixture.start();
  resetHook();
});

function isSigned({ headers, body }: ProviderRequest, secret: string): boolean {
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const text = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
  return headers['webhook-signature'] === `v1,${createHmac('sha256', key).update(text).digest('base64')}`;
}

it('sends a signed notice of an alarm and one of its recovery', async () => {
  const made = await save();
  expect(made.secrets).toHaveLength(1);
  const [ap] = await devices('ap', 1);
  await lose([ap!]);
  await run(6);
  expect(events()).toEqual([['opened ap_offline']]);
  expect(payloads()[0]!.alarms[0]).toMatchObject({ text: '[Major] Access point ap-1 of West-Lake is offline' });
  await back([ap!]);
  await run(2);
  expect(events()).toEqual([['opened ap_offline'], ['recovered ap_offline']]);
  expect(hook.requests.every((request) => isSigned(request, made.secrets[0]!.secret))).toBe(true);
  expect(hook.requests.map(({ headers }) => headers['webhook-id'])).toEqual(payloads().map(({ id }) => id));
  const { list, total } = await notices();
  expect(total).toBe(2);
  expect(list[0]).toMatchObject({ state: 'sent', error: null, items: [{ event: 'recovered' }] });
  expect(list[0]!.attempts).toMatchObject([{ ok: true }]);
});

it('sends one notice and one recovery for a gateway with its access points', async () => {
  await save();
  const gateway = await devices('gateway', 1);
  const aps = await devices('ap', 40);
  await lose([...gateway, ...aps]);
  await run(12);
  await back([...gateway, ...aps]);
  await run(3);
  expect(events()).toEqual([['opened gateway_offline'], ['recovered gateway_offline']]);
  expect(payloads()[0]!.alarms[0]!.devices_hit).toBe(41);
});

it('sends nothing of other levels, kinds and networks', async () => {
  const other = await fixture.network('East-Gate');
  await save({ name: 'Level', levels: ['FATAL'] });
  await save({ name: 'Kind', kinds: ['switch_offline'] });
  await save({ name: 'Place', scope: { type: 'networks', ids: [other] } });
  await save({ name: 'Off', enabled: false });
  await lose(await devices('ap', 1));
  await run(7);
  expect(hook.requests).toEqual([]);
});

it('lets only FATAL through in quiet hours, and sends the rest when they end', async () => {
  // the account's zone is Asia/Shanghai
  const local = (offset: number) =>
    new Date(clock.now().getTime() + 8 * 3_600_000 + offset * minute).toISOString().slice(11, 16);
  await save({ quiet: `${local(-60)}-${local(20)}` });
  const far = await fixture.network('East-Gate');
  const aps = await devices('ap', 1);
  const gateway = await devices('gateway', 1, far);
  await lose([...aps, ...gateway]);
  await run(8);
  expect(events()).toEqual([['opened gateway_offline']]);
  await run(14);
  expect(events()).toEqual([['opened gateway_offline'], ['opened ap_offline']]);
});

it('waits for the weekly schedule, FATAL too', async () => {
  const zoned = new Date(clock.now().getTime() + 8 * 3_600_000);
  const days = [((zoned.getUTCDay() + 2) % 7) + 1];
  await save({ schedule: [{ days, period: '00:00-23:59' }] });
  await lose(await devices('gateway', 1));
  await run(5);
  expect(hook.requests).toEqual([]);
});

it('collects alarms, and leaves out what was acknowledged, silenced or recovered meanwhile', async () => {
  await save({ digest_minutes: 10 });
  const aps = await devices('ap', 5);
  await lose(aps.slice(0, 4));
  await run(6);
  await lose(aps.slice(4));
  expect(hook.requests).toEqual([]);
  const list = await fixture.list();
  const idOf = (serial: string) => list.find((one) => one.serial === serial)!.id;
  await call('alarm/acknowledge', { ids: [idOf(aps[0]!)] });
  await call('alarm/silence', { ids: [idOf(aps[1]!)], minutes: 600 });
  await back([aps[2]!]);
  await run(10);
  expect(events()).toEqual([['opened ap_offline', 'opened ap_offline']]);
  await back(aps.slice(0, 2));
  await run(12);
  expect(events().flat()).toEqual(['opened ap_offline', 'opened ap_offline']);
});

it('sends no message of an alarm that was silenced before', async () => {
  await save({ digest_minutes: 10 });
  await lose(await devices('ap', 1));
  await run(6);
  const ids = [(await fixture.list())[0]!.id];
  await call('alarm/silence', { ids, minutes: 600 });
  await run(11);
  await call('alarm/unsilence', { ids });
  await run(11);
  expect(events()).toEqual([['opened ap_offline']]);
  await call('alarm/silence', { ids, minutes: 600 });
  await call('alarm/unsilence', { ids });
  await run(11);
  expect(hook.requests).toHaveLength(1);
});

it('says that a silence has ended by itself', async () => {
  await save();
  await lose(await devices('ap', 1));
  await run(6);
  await call('alarm/silence', { ids: [(await fixture.list())[0]!.id], minutes: 5 });
  await run(6);
  expect(events()).toEqual([['opened ap_offline'], ['silence_ended ap_offline']]);
});

it('repeats alarms until they are acknowledged', async () => {
  await save({ repeat_hours: 1 });
  await lose(await devices('ap', 1));
  await run(6);
  for (let hour = 0; hour < 2; hour += 1) {
    clock.advance(59 * minute);
    await run(2);
  }
  expect(events().flat()).toEqual(['opened ap_offline', 'repeated ap_offline', 'repeated ap_offline']);
  await call('alarm/acknowledge', { ids: [(await fixture.list())[0]!.id] });
  clock.advance(120 * minute);
  await run(2);
  expect(hook.requests).toHaveLength(3);
});

it('tries again after an error under the same id, and never after an answer', async () => {
  await save();
  hook.answer = () => ({ status: 500, body: {} });
  const aps = await devices('ap', 1);
  await lose(aps);
  await run(6);
  const [failed] = (await notices()).list;
  expect(failed).toMatchObject({ state: 'waiting', error: 'The address answered with HTTP 500' });
  await back(aps);
  hook.answer = () => ({ body: {} });
  await run(3);
  expect(new Set(payloads().map(({ id }) => id)).size).toBe(2);
  const sent = hook.requests.length;
  expect(events().at(-1)).toEqual(['recovered ap_offline']);
  clock.advance(120 * minute);
  await send();
  expect(hook.requests).toHaveLength(sent);
  expect((await notices({ state: 'sent' })).total).toBe(2);
});

it('shows that a channel waits while another has sent', async () => {
  await save({ members: [fixture.owner.userId], member_channels: ['console'] });
  hook.answer = () => ({ status: 503, body: {} });
  await lose(await devices('ap', 1));
  await run(6);
  const last = async () => (await call<{ list: { last: object }[] }>('alarm_subscription/list')).list[0]!.last;
  expect(await last()).toMatchObject({ state: 'waiting', sent: 1, recipients: 2 });
  hook.answer = () => ({ body: {} });
  clock.advance(61 * minute);
  await send();
  expect(await last()).toMatchObject({ state: 'sent', sent: 2, recipients: 2 });
});

it('gives up after an hour and four attempts, and says why', async () => {
  await save();
  hook.answer = () => ({ status: 503, body: {} });
  await lose(await devices('ap', 1));
  await run(6);
  const message = async () => (await notices()).list[0]!;
  while ((await message()).state === 'waiting') {
    clock.advance(61 * minute);
    await send();
  }
  expect(await message()).toMatchObject({ state: 'failed', error: 'The address answered with HTTP 503' });
  expect((await message()).attempts).toHaveLength(4);
});

it('sends a decision whose process died before it made a message', async () => {
  await save();
  await lose(await devices('ap', 1));
  // locked, as while a process dies
  const { systemPool } = fixture.server.db.database;
  const other = await systemPool.connect();
  try {
    await other.query('begin');
    await other.query('select from alarm_subscription where account_id = $1 for share', [fixture.owner.accountId]);
    for (let passed = 0; passed < 6; passed += 1) {
      clock.advance(minute);
      await evaluate();
    }
    const { rows } = await query('select state from alarm_notice where account_id = $1', [fixture.owner.accountId]);
    expect(rows).toEqual([{ state: 'waiting' }]);
    expect(hook.requests).toEqual([]);
  } finally {
    await other.query('rollback');
    other.release();
  }
  await send();
  await send();
  expect(events()).toEqual([['opened ap_offline']]);
});

it('sends a message again whose process died before the answer', async () => {
  await save();
  await lose(await devices('ap', 1));
  hook.answer = () => ({ status: 500, body: {} });
  await run(6);
  hook.answer = () => ({ body: {} });
  hook.requests = [];
  // as after a crash: a claim without an attempt
  await query('delete from alarm_attempt where account_id = $1', [fixture.owner.accountId]);
  await query('update alarm_delivery set error = null, next_at = $2 where account_id = $1', [
    fixture.owner.accountId,
    new Date(clock.now().getTime() + 30_000),
  ]);
  await send();
  expect(hook.requests).toEqual([]);
  clock.advance(minute);
  await send();
  await send();
  expect(events()).toEqual([['opened ap_offline']]);
  expect((await notices()).list).toMatchObject([{ state: 'sent' }]);
});

// last: later evaluations would go through its 5,000 alarms too
it('sends FATAL at once, however many others wait', async () => {
  const local = (offset: number) =>
    new Date(clock.now().getTime() + 8 * 3_600_000 + offset * minute).toISOString().slice(11, 16);
  await save({ quiet: `${local(-60)}-${local(60)}` });
  await lose(await devices('ap', 1));
  await run(6);
  expect(hook.requests).toEqual([]);
  await query(
    `with made as (
       insert into alarm (account_id, id, kind, level, state, gwid, serial, part, name, network, began_at, last_at, count, devices_hit)
       select account_id, gen_random_uuid(), kind, case n when 5000 then 'FATAL' else level end, state, gwid, serial, n::text,
         name, network, began_at, last_at, count, devices_hit
       from alarm, generate_series(1, 5000) n where account_id = $1 returning id, level)
     insert into alarm_notice (account_id, id, subscription_id, alarm_id, event, at, due_at)
     select n.account_id, gen_random_uuid(), n.subscription_id, made.id, n.event,
       n.at + case level when 'FATAL' then interval '1 second' else interval '0' end, n.due_at
     from made, alarm_notice n where n.account_id = $1`,
    [fixture.owner.accountId],
  );
  await send();
  expect(events()).toEqual([['opened ap_offline']]);
});
