import { alarmGroups, alarmKinds, kindParts } from '@yunxun/contract/alarm-kinds';
import { expect, test } from 'vitest';
import { toleranceUnit } from './rule-row.ts';

test('a tolerance is edited in minutes where it is whole minutes', () => {
  expect([0, 60, 3600, 86_400].map((seconds) => toleranceUnit(seconds).unit)).toEqual(Array(4).fill('minutes'));
  expect(toleranceUnit(90)).toEqual({ unit: 'seconds', seconds: 1, max: 86_400 });
  expect(toleranceUnit(600)).toEqual({ unit: 'minutes', seconds: 60, max: 1440 });
});

test('every group of rules has one', () => {
  const used = new Set(alarmKinds.map((kind) => kindParts[kind].group));
  expect([...used].toSorted()).toEqual(alarmGroups.toSorted());
});
