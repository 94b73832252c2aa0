import type { AlarmKind, AlarmPreset } from '@yunxun/contract';
import { sql } from 'kysely';
import type { Tx } from '../../platform/database/index.ts';
import { grouped } from '../../platform/grouped.ts';
import { type Rule, type Rules, ruleKinds, standardRule } from './standard-rules.ts';
import { alarmTables, type RuleTable } from './tables.ts';

/** `preset`: null if changed by a person. */
export interface SavedRule {
  rule: Rule;
  preset: AlarmPreset | null;
}

const standard: Rules = new Map(ruleKinds.map((kind) => [kind, standardRule(kind)]));

/** Returns all, and a function by account. System role. */
export async function readAllRules(tx: Tx): Promise<{ of(accountId: string): Rules; all: Rule[] }> {
  const rows = await alarmTables(tx).selectFrom('alarm_rule').selectAll().execute();
  const own = new Map([...grouped(rows, (row) => row.account_id)].map(([id, changed]) => [id, merged(changed)]));
  const all = [...standard.values(), ...rows.map(ruleOf)];
  return { of: (accountId) => own.get(accountId) ?? standard, all };
}

/** Keys by kind; unsaved ones have built-in values. */
export async function savedRules(tx: Tx, accountId: string): Promise<ReadonlyMap<AlarmKind, SavedRule>> {
  const rows = await alarmTables(tx).selectFrom('alarm_rule').selectAll().where('account_id', '=', accountId).execute();
  const saved = new Map(rows.map((row) => [row.kind, { rule: ruleOf(row), preset: row.preset }]));
  return new Map(ruleKinds.map((kind) => [kind, saved.get(kind) ?? { rule: standardRule(kind), preset: 'normal' }]));
}

/** Writes rules of an account. */
export async function writeRules(tx: Tx, accountId: string, rules: readonly SavedRule[]): Promise<void> {
  for (const { rule, preset } of rules) {
    const { kind, enabled, level, tolerance, threshold, scope } = rule;
    const hours = sql<RuleTable['hours']>`${rule.hours && JSON.stringify(rule.hours)}::jsonb`;
    const when = { hours, preset };
    const values = {
      enabled,
      level,
      tolerance_s: tolerance,
      threshold,
      scope: scope.type,
      scope_ids: scope.ids,
      ...when,
    };
    await alarmTables(tx)
      .insertInto('alarm_rule')
      .values({ account_id: accountId, kind, ...values })
      .onConflict((conflict) => conflict.columns(['account_id', 'kind']).doUpdateSet(values))
      .execute();
  }
}

/** @returns the number of rules that named it */
export async function forgetNetworkOfRules(tx: Tx, accountId: string, gwid: string): Promise<number> {
  const changed = await alarmTables(tx)
    .updateTable('alarm_rule')
    .set({ scope_ids: sql<string[]>`array_remove(scope_ids, ${gwid}::uuid)` })
    .where('account_id', '=', accountId)
    .where('scope', '=', 'networks')
    .where(sql<boolean>`${gwid}::uuid = any(scope_ids)`)
    .returning('kind')
    .execute();
  return changed.length;
}

function merged(rows: readonly RuleTable[]): Rules {
  return new Map([...standard, ...rows.map((row): [AlarmKind, Rule] => [row.kind, ruleOf(row)])]);
}

function ruleOf(row: RuleTable): Rule {
  const { kind, enabled, level, tolerance_s: tolerance, threshold, scope: type, scope_ids: ids, hours } = row;
  return { kind, enabled, level, tolerance, threshold, scope: { type, ids }, hours };
}
