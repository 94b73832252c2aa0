import type { AlarmKind } from '@yunxun/contract';
import type * as kinds from '@yunxun/contract/alarm-kinds';
import type * as texts from '@yunxun/contract/messages/alarm-kinds-zh-cn';
import { expect, it, vi } from 'vitest';
import { loadTexts } from '../../app/i18n.ts';
import { kindOptions, unitText, valueText } from './labels.ts';
import { narrowScopes } from './rule-row.ts';

vi.mock('@yunxun/contract/alarm-kinds', async (load) => {
  const { kindParts, alarmKinds } = await load<typeof kinds>();
  return {
    alarmKinds: [...alarmKinds, 'dummy'],
    kindParts: { ...kindParts, dummy: { ...kindParts.certificate_expiring, about: 'network' } },
  };
});
vi.mock('@yunxun/contract/messages/alarm-kinds-zh-cn', async (load) => {
  const { alarmNames } = await load<typeof texts>();
  return { alarmNames: { ...alarmNames, 'alarm.kind_dummy': '演示' } };
});

it('shows a kind that is in the list of kinds in filters, forms and values', async () => {
  await loadTexts('alarms');
  const dummy = 'dummy' as AlarmKind;
  expect(kindOptions().at(-1)).toEqual({ value: 'dummy', label: '演示' });
  expect(unitText(dummy)).toBe('天');
  expect(valueText(dummy, 3)).toBe('3 天');
  expect(narrowScopes(dummy)).toEqual(['networks']);
});
