import type { alarmNotices, alarmRules as contract, DataOf } from '@yunxun/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { call, gwid, network, rule, server, start, startFixture, stopFixture } from './testing/fixture.ts';
import { hook, save, startHook } from './testing/notify.ts';

beforeAll(async () => {
  await startFixture();
  await startHook();
});
afterAll(async () => {
  await stopFixture();
  await hook.stop();
});

type Log = { list: { action: string; object: { name: string } }[] };
type Tokens = { list: { name: string; gwids: string[] | null }[] };
type Unbound = { removed: { part: string; count: number }[] };

const scopedTo = (...ids: string[]) => ({ scope: { type: 'networks' as const, ids } });
const makeToken = (name: string, gwids: string[]) =>
  call<{ token: string }>('security/token/create', { name, scope: 'read', areas: null, gwids, days: 30 });
const logged = async () =>
  (await call<Log>('log/action/list', { limit: 20 })).list.map(({ action, object }) => `${action} ${object.name}`);

it('unbinding a network takes it from rules, subscriptions, webhooks and API tokens', async () => {
  await start();
  const other = await network('East-Gate');
  await call('alarm_rule/save', rule({ ...scopedTo(gwid, other), tolerance: 77 }));
  await save({ name: 'Both', ...scopedTo(gwid, other) });
  await save({ name: 'Only', ...scopedTo(gwid) });
  const [narrow, wide] = [await makeToken('narrow', [gwid]), await makeToken('wide', [gwid, other])];
  expect((await server.call('/api/v3/alarm/list', {}, narrow)).code).toBe(2000);

  const { removed } = await call<Unbound>('network/unbind', { gwid });
  expect(Object.fromEntries(removed.map(({ part, count }) => [part, count]))).toMatchObject({
    alarm: 3,
    open_platform: 3,
  });

  const { list: rules } = await call<DataOf<typeof contract.list>>('alarm_rule/list');
  expect(rules.find((row) => row.rule.kind === 'ap_offline')).toMatchObject({
    empty_scope: false,
    rule: { tolerance: 77, ...scopedTo(other) },
  });
  const { list } = await call<DataOf<typeof alarmNotices.subscriptionList>>('alarm_subscription/list');
  const byName = new Map(list.map((one) => [one.name, one]));
  expect(byName.get('Both')).toMatchObject({ enabled: true, ...scopedTo(other), endpoints: [{ type: 'webhook' }] });
  expect(byName.get('Only')).toMatchObject({ enabled: false, ...scopedTo(), endpoints: [] });

  expect((await server.call('/api/v3/alarm/list', {}, narrow)).code).not.toBe(2000);
  expect((await server.call('/api/v3/alarm/list', {}, wide)).code).toBe(2000);
  expect((await call<Tokens>('security/token/list', {})).list).toMatchObject([{ name: 'wide', gwids: [other] }]);
  expect(await logged()).toEqual(
    expect.arrayContaining(['person.revoke_token narrow', 'alarm.subscription_save Only']),
  );
});
