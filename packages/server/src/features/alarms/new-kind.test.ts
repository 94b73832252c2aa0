import type { AlarmKind, alarmRules, DataOf, statistics } from '@yunxun/contract';
import type * as kinds from '@yunxun/contract/alarm-kinds';
import type * as texts from '@yunxun/contract/messages/alarm-kinds-en';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type * as backup from '../backup/alarm-source.ts';
import { createSources } from './source-registry.ts';
import { call, gwid, list, owner, pass, rule, start, startFixture, stopFixture } from './testing/fixture.ts';
import { events, hook, save, send, startHook } from './testing/notify.ts';

vi.mock('@yunxun/contract/alarm-kinds', async (load) => {
  const { kindParts, alarmKinds } = await load<typeof kinds>();
  const presets = { quiet: null, normal: ['GENERAL', 60, 50], strict: ['FATAL', 0, 10] };
  return {
    alarmKinds: [...alarmKinds, 'dummy'],
    kindParts: { ...kindParts, dummy: { ...kindParts.portal_failed, presets } },
  };
});
vi.mock('@yunxun/contract/messages/alarm-kinds-en', async (load) => {
  const { alarmNames, alarmSentences } = await load<typeof texts>();
  return {
    alarmNames: { ...alarmNames, 'alarm.kind_dummy': 'Dummy' },
    alarmSentences: { ...alarmSentences, 'alarm.dummy': 'A dummy stands in {network}' },
  };
});
vi.mock('@yunxun/contract/messages/alarm-kinds-zh-cn', async (load) => {
  const { alarmNames, alarmSentences } = await load<typeof texts>();
  return { alarmNames, alarmSentences: { ...alarmSentences, 'alarm.dummy': '{network} 有演示问题' } };
});
vi.mock('../backup/alarm-source.ts', async (load) => {
  const { backupAlarms } = await load<typeof backup>();
  const place = { serial: null, part: '', kind: 'dummy', isProblem: true, since: null };
  return {
    backupAlarms: {
      kinds: { ...backupAlarms.kinds, dummy: null },
      read: async () => [{ ...place, accountId: owner.accountId, gwid, measured: 70, value: 70 }],
    },
  };
});

beforeAll(async () => {
  await startFixture();
  await startHook();
});
afterAll(async () => {
  await stopFixture();
  await hook.stop();
});

const rules = async () => {
  const { list: all } = await call<DataOf<typeof alarmRules.list>>('alarm_rule/list');
  return all.filter((one) => (one.rule.kind as string) === 'dummy');
};

it('has rules, presets, filters, subscriptions, alarms and texts of a kind that is declared and read', async () => {
  await start();
  const normal = { enabled: true, level: 'GENERAL', tolerance: 60, threshold: 50 };
  expect(await rules()).toMatchObject([{ rule: normal, standard: normal, preset: 'normal', changed: false }]);
  await call('alarm_rule/preset/apply', { preset: 'strict' });
  expect(await rules()).toMatchObject([{ rule: { level: 'FATAL', tolerance: 0, threshold: 10 }, preset: 'strict' }]);
  await call('alarm_rule/save', rule({ kind: 'dummy', level: 'MIDDLE', tolerance: 0, threshold: 60 }));
  await save({ kinds: ['dummy' as AlarmKind] });
  await pass(2);
  await send();
  expect(events()).toEqual([['opened dummy']]);
  expect(await list({ kind: 'dummy' })).toMatchObject([{ kind: 'dummy', level: 'MIDDLE', gwid, value: 70 }]);
  expect(await list({ kind: 'wan_down' })).toEqual([]);
  const home = (locale: string) =>
    call<DataOf<typeof statistics.complex>>('user_stat/complex', {}, { ...owner, locale });
  expect((await home('en')).alarm_messages).toMatchObject([{ message: 'A dummy stands in West-Lake' }]);
  expect((await home('zh-CN')).alarm_messages).toMatchObject([{ message: 'West-Lake 有演示问题' }]);
});

it('does not compile without the source of a kind', () => {
  const { join, historyOf } = createSources();
  // @ts-expect-error `missing` are kinds of other features
  join([]);
  expect(historyOf('upgrade_failed')).toBeNull();
});
