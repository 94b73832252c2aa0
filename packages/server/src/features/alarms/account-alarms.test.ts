import type { alarmRules, DataOf, home, search } from '@yunxun/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  call,
  clock,
  counts,
  detail,
  gwid,
  list,
  network,
  owner,
  pass,
  query,
  rule,
  server,
  start,
  startFixture,
  stopFixture,
} from './testing/fixture.ts';

beforeAll(startFixture);
afterAll(stopFixture);

type Rules = DataOf<typeof alarmRules.list>;

const folder = '/var/lib/yunxun';
const disk = async (percent: number) => {
  await query('delete from platform.console_disk');
  await query('insert into platform.console_disk values ($1, $2, $3, $4)', ['host', folder, percent, clock.now()]);
};

async function passFilled(minutes: number, percent: number): Promise<void> {
  for (let passed = 0; passed < minutes; passed += 1) {
    await disk(percent);
    await pass(1);
  }
}

it('a full disk of the console is an alarm of the administrator’s account', async () => {
  await start();
  await passFilled(7, 93);
  expect(await list()).toEqual([]);
  expect((await call<Rules>('alarm_rule/list')).list.map((one) => one.rule.kind)).not.toContain('console_disk');
  await query('update person set administers = true where id = $1', [owner.userId]);
  await passFilled(7, 93.04);
  const [alarm, ...others] = await list();
  expect(others).toEqual([]);
  expect(alarm).toMatchObject({
    kind: 'console_disk',
    level: 'FATAL',
    gwid: null,
    network: '',
    serial: null,
    part: folder,
    value: 93,
    devices_hit: 0,
  });
  expect((await detail(alarm!.id)).alarm).toEqual(alarm);
  expect((await counts()).by_level.FATAL).toBe(1);
  const { list: problems } = await call<DataOf<typeof home.problems>>('overview/problems');
  expect(problems).toMatchObject([{ gwid: null, remark: '', problems: [{ kind: 'console_disk' }] }]);
  const found = await call<DataOf<typeof search.query>>('search/query', { keyword: folder });
  expect(found.list).toMatchObject([{ kind: 'alarm', id: alarm!.id, gwid: null }]);
  await call('alarm/acknowledge', { ids: [alarm!.id], note: 'on it' });
  await passFilled(1, 40);
  expect(await list()).toEqual([]);
  expect((await detail(alarm!.id)).timeline.map(({ type }) => type)).toEqual(['recovered', 'acknowledged', 'opened']);
});

it('ends with a folder that the console no longer uses', async () => {
  await start();
  await query('update person set administers = true where id = $1', [owner.userId]);
  await passFilled(7, 99);
  expect(await list()).toHaveLength(1);
  await query('update platform.console_disk set folder = $1, used_percent = 10', ['/srv/yunxun']);
  await pass(1);
  expect(await list()).toEqual([]);
});

it('has no networks to choose', async () => {
  await start();
  const scoped = (kind: string) =>
    server.call(
      '/api/v3/alarm_rule/save',
      rule({ kind, level: 'FATAL', scope: { type: 'networks', ids: [gwid] } }),
      owner,
    );
  expect(await scoped('sms_balance_low')).toMatchObject({ errors: { 'rule.scope': [expect.any(String)] } });
});

it('an SMS balance below the account’s limit is an alarm, hidden from members of some networks', async () => {
  await start();
  await query(
    `insert into installation (key, value) values ('sms_sold', 'true') on conflict (key) do update set value = 'true'`,
  );
  await call('sms/limit/save', { low_balance: 5 });
  await pass(2);
  const [alarm, ...others] = await list();
  expect(others).toEqual([]);
  expect(alarm).toMatchObject({ kind: 'sms_balance_low', gwid: null, level: 'MIDDLE', value: 0, part: '' });
  const member = await server.register();
  await query(
    `insert into member (account_id, person_id, person_account_id, role, gwids) values ($1, $2, $3, 'operator', $4)`,
    [owner.accountId, member.userId, member.accountId, [gwid]],
  );
  const as = { ...member, account: owner.accountId };
  expect((await call<{ total: number }>('alarm/list', {}, as)).total).toBe(0);
  expect(await server.call('/api/v3/alarm/detail', { id: alarm!.id }, as)).toMatchObject({ code: 4113 });
  await call('sms/limit/save', { low_balance: null });
  await pass(1);
  expect(await list()).toEqual([]);
});

it('a payment that the provider’s statement contradicts is an alarm until a later day makes up for it', async () => {
  await start();
  const differ = (day: string, order: string, ours: number, theirs: number) =>
    query('insert into payment_difference values ($1, $2, $3, $4, $5, $6)', [
      owner.accountId,
      'stripe',
      day,
      order,
      ours,
      theirs,
    ]);
  await differ('2026-11-20', 'A', 0, 700);
  await differ('2026-11-20', 'B', 0, 900);
  await pass(2);
  expect(await list()).toMatchObject([{ kind: 'payment_difference', gwid: null, level: 'MIDDLE', value: 2 }]);
  await differ('2026-11-21', 'A', 700, 0);
  await differ('2026-11-21', 'B', 900, 0);
  await pass(1);
  expect(await list()).toEqual([]);
});

it('stays when a network goes', async () => {
  await start();
  await query(
    `insert into installation (key, value) values ('sms_sold', 'true') on conflict (key) do update set value = 'true'`,
  );
  await call('sms/limit/save', { low_balance: 5 });
  await pass(2);
  const other = await network('Other');
  await call('network/unbind', { gwid: other });
  await pass(1);
  expect(await list()).toMatchObject([{ kind: 'sms_balance_low' }]);
});

it('the console measures its own disks', async () => {
  await query('delete from platform.console_disk');
  await server.db.database.systemPool.query("select graphile_worker.add_job('installation-disk')");
  await expect
    .poll(async () => (await query('select folder, used_percent from platform.console_disk')).rows)
    .toEqual([{ folder: expect.stringContaining('/'), used_percent: expect.any(Number) }]);
});
