import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as fixture from '../testing/fixture.ts';
import {
  enqueue,
  events,
  hook,
  type Made,
  notices,
  resetHook,
  run,
  type Saved,
  save,
  startHook,
} from '../testing/notify.ts';

const { call, devices, lose, back, minute, clock, query } = fixture;

beforeAll(async () => {
  await fixture.startFixture();
  await startHook();
});
afterAll(async () => {
  await fixture.stopFixture();
  await hook.stop();
});

let made: Made;
let aps: string[];

async function open({ byConsole = false } = {}): Promise<void> {
  await fixture.start();
  resetHook();
  const toMe = { members: [fixture.owner.userId], member_channels: ['console' as const], endpoints: [] };
  made = await save(byConsole ? toMe : {});
  aps = await devices('ap', 1);
  // else the network is lost
  await devices('ap', 1);
  await lose(aps);
  await run(6);
  resetHook();
}

async function change(more: Partial<Saved>): Promise<Made> {
  const { list } = await call<{ list: (Saved & { version: number; endpoints: { id: string; type: 'webhook' }[] })[] }>(
    'alarm_subscription/list',
  );
  const [{ version, endpoints }] = list as [(typeof list)[number]];
  const kept = endpoints.map(({ id, type }) => ({ id, type }));
  return save({ id: made.id, version, endpoints: kept, ...more });
}

const paths = () => hook.requests.map(({ path }) => path);
const recovered = [['recovered ap_offline']];

describe('the recipients of an opening get the recovery', () => {
  const local = (offset: number) =>
    new Date(clock.now().getTime() + 8 * 3_600_000 + offset * minute).toISOString().slice(11, 16);

  it.each<[string, () => Promise<unknown>]>([
    ['the subscription was switched off', () => change({ enabled: false })],
    ['it was limited to another level', () => change({ levels: ['FATAL'] })],
    ['it was limited to other kinds', () => change({ kinds: ['switch_offline'] })],
    [
      'it was limited to another network',
      async () => change({ scope: { type: 'networks', ids: [await fixture.network('East-Gate')] } }),
    ],
    ['it was deleted', () => call('alarm_subscription/delete', { id: made.id })],
    ['quiet hours were set', () => change({ quiet: `${local(-60)}-${local(4)}` })],
    [
      'the alarm was silenced',
      async () => call('alarm/silence', { ids: [(await fixture.list())[0]!.id], minutes: 600 }),
    ],
    ['the rule was switched off', () => call('alarm_rule/save', fixture.rule({ enabled: false }))],
  ])('if %s meanwhile', async (_what, act) => {
    await open();
    await act();
    await run(1);
    await back(aps);
    await run(8);
    expect(events()).toEqual(recovered);
    expect(paths()).toEqual(['/in']);
  });

  it('at the addresses that got it, and at no later one', async () => {
    await open();
    await change({ endpoints: [{ type: 'webhook', url: `${hook.url}/later` }] });
    await lose(await devices('ap', 1));
    await run(6);
    expect([paths(), events()]).toEqual([['/later'], [['opened ap_offline']]]);
    resetHook();
    await back(aps);
    await run(3);
    expect([paths(), events()]).toEqual([['/in'], recovered]);
    const { rows } = await query('select shown from alarm_endpoint where account_id = $1 and ended_at is not null', [
      fixture.owner.accountId,
    ]);
    await enqueue('alarms-notify-prune');
    await expect
      .poll(
        async () =>
          (await query('select from alarm_endpoint where account_id = $1', [fixture.owner.accountId])).rowCount,
      )
      .toBe(1);
    expect(rows).toHaveLength(1);
  });

  it('at the address that an endpoint had then', async () => {
    await open();
    const [{ endpoints }] = (await call<{ list: { endpoints: { id: string }[] }[] }>('alarm_subscription/list'))
      .list as [{ endpoints: { id: string }[] }];
    await change({ endpoints: [{ id: endpoints[0]!.id, type: 'webhook', url: `${hook.url}/moved` }] });
    await back(aps);
    await run(3);
    expect([paths(), events()]).toEqual([['/in'], recovered]);
  });

  it('as members on the channel of then', async () => {
    await open({ byConsole: true });
    await change({ members: [], member_channels: [], endpoints: [{ type: 'webhook', url: `${hook.url}/in` }] });
    await back(aps);
    await run(3);
    expect(hook.requests).toEqual([]);
    const { list } = await notices();
    expect(list.map(({ channel, items }) => [channel, items[0]!.event])).toEqual([
      ['console', 'recovered'],
      ['console', 'opened'],
    ]);
  });
});

it('keeps a deleted subscription no longer than its open alarms', async () => {
  await open();
  await call('alarm_subscription/delete', { id: made.id });
  await save({ name: 'On-call', endpoints: [{ type: 'webhook', url: `${hook.url}/second` }] });
  await back(aps);
  await run(3);
  expect(paths()).toEqual(['/in']);
  await enqueue('alarms-notify-prune');
  await expect
    .poll(
      async () =>
        (await query('select from alarm_subscription where account_id = $1', [fixture.owner.accountId])).rowCount,
    )
    .toBe(1);
});
