import { type AlarmSubject, kindParts } from '@yunxun/contract/alarm-kinds';
import type { Data } from '../../app/api.ts';

export type RuleRow = Data<'/api/v3/alarm_rule/list'>['list'][number];

/** A rule in its dialog; a fresh one is not saved yet. */
export interface OpenRule {
  row: RuleRow;
  isFresh: boolean;
}

/** Copies a rule for some networks, which are yet to be chosen if none is named. */
export function copyOf(row: RuleRow, gwid?: string): OpenRule {
  const scope = { type: 'networks' as const, ids: gwid ? [gwid] : [] };
  return { row: { ...row, rule: { ...row.rule, id: null, scope }, changed: true }, isFresh: true };
}

type NarrowScope = Exclude<RuleRow['rule']['scope']['type'], 'all'>;

/** A whole network is in no group. */
const narrowScopesOf: Readonly<Record<AlarmSubject, readonly NarrowScope[]>> = {
  device: ['networks', 'groups'],
  network: ['networks'],
  account: [],
  console: [],
};

export function narrowScopes(kind: RuleRow['rule']['kind']): readonly NarrowScope[] {
  return narrowScopesOf[kindParts[kind].about];
}

/** Longest tolerance, seconds. */
export const maxTolerance = 86_400;

/** Minutes are how people think of tolerances; one that is not whole minutes stays in seconds. */
export function toleranceUnit(tolerance: number): { unit: 'minutes' | 'seconds'; seconds: number; max: number } {
  const seconds = tolerance % 60 === 0 ? 60 : 1;
  return { unit: seconds === 60 ? 'minutes' : 'seconds', seconds, max: maxTolerance / seconds };
}
