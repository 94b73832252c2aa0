import type { AlarmKind, AlarmPreset } from '@yunxun/contract';
import { alarmKinds } from '@yunxun/contract/alarm-kinds';
import { sql } from 'kysely';
import { newId, type Tx } from '../../platform/database/index.ts';
import { grouped } from '../../platform/grouped.ts';
import { fleetDevices } from '../fleet/index.ts';
import { placeIn } from './account-place.ts';
import { type Rules, rulesFrom } from './rules.ts';
import { type Rule, standardRule, standardRules } from './standard-rules.ts';
import { alarmTables, type RuleTable } from './tables.ts';

/** `preset`: null if changed by a person. */
export interface SavedRule {
  rule: Rule;
  preset: AlarmPreset | null;
}

const builtIn = standardRules();
const standard = rulesFrom(builtIn);

/** Returns all, and a function by account. System role. */
export async function readAllRules(tx: Tx): Promise<{ of(accountId: string): Rules; all: Rule[] }> {
  const rows = await alarmTables(tx).selectFrom('alarm_rule').selectAll().execute();
  const own = new Map([...grouped(rows, (row) => row.account_id)].map(([id, saved]) => [id, merged(saved)]));
  return { of: (accountId) => own.get(accountId) ?? standard, all: [...builtIn, ...rows.map(ruleOf)] };
}

/** Returns the main rule of every kind, with built-in values if unsaved, followed by its others. */
export async function savedRules(tx: Tx, accountId: string): Promise<SavedRule[]> {
  const rows = await alarmTables(tx)
    .selectFrom('alarm_rule')
    .selectAll()
    .where('account_id', '=', accountId)
    .orderBy('id')
    .execute();
  const saved = grouped(rows, (row) => row.kind);
  return alarmKinds.flatMap((kind): SavedRule[] => {
    const own = saved.get(kind) ?? [];
    const main = own.find(({ main }) => main);
    return [
      main ? savedOf(main) : { rule: standardRule(kind), preset: 'normal' },
      ...own.filter(({ main }) => !main).map(savedOf),
    ];
  });
}

/** Returns the id of the rule that counts for an object at its present place; null: the main one. */
export async function ruleIdAt(
  tx: Tx,
  accountId: string,
  { kind, gwid, serial }: { kind: AlarmKind; gwid: string | null; serial: string | null },
): Promise<string | null> {
  const rules = rulesFrom((await savedRules(tx, accountId)).map(({ rule }) => rule));
  const [place] = serial === null ? [] : await fleetDevices.placed(tx, [{ accountId, serial }]);
  return rules.at(kind, place ?? { gwid: placeIn(accountId, gwid), groupId: null }).id;
}

/** Writes rules of an account: those without an id by kind. */
export async function writeRules(tx: Tx, accountId: string, rules: readonly SavedRule[]): Promise<void> {
  for (const { rule, preset } of rules) {
    const { id, kind, enabled, level, tolerance, threshold, scope } = rule;
    const hours = sql<RuleTable['hours']>`${rule.hours && JSON.stringify(rule.hours)}::jsonb`;
    const values = {
      kind,
      enabled,
      level,
      tolerance_s: tolerance,
      threshold,
      scope: scope.type,
      scope_ids: scope.ids,
      hours,
      preset,
    };
    await alarmTables(tx)
      .insertInto('alarm_rule')
      .values({ account_id: accountId, id: id ?? newId(), main: id === null, ...values })
      .onConflict((conflict) =>
        id === null
          ? conflict.columns(['account_id', 'kind']).where('main', '=', true).doUpdateSet(values)
          : conflict.columns(['account_id', 'id']).doUpdateSet(values),
      )
      .execute();
  }
}

export async function deleteRule(tx: Tx, accountId: string, id: string): Promise<void> {
  await alarmTables(tx).deleteFrom('alarm_rule').where('account_id', '=', accountId).where('id', '=', id).execute();
}

export async function knownRules(tx: Tx, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await alarmTables(tx)
    .selectFrom('alarm_rule')
    .select('id')
    .where('id', 'in', ids)
    .where('main', '=', false)
    .execute();
  return new Set(rows.map(({ id }) => id));
}

/**
 * Removes the network from scopes. A rule left without one is deleted, a main one makes nothing.
 * @returns the number of rules that named it
 */
export async function forgetNetworkOfRules(tx: Tx, accountId: string, gwid: string): Promise<number> {
  const changed = await alarmTables(tx)
    .updateTable('alarm_rule')
    .set({ scope_ids: sql<string[]>`array_remove(scope_ids, ${gwid}::uuid)` })
    .where('account_id', '=', accountId)
    .where('scope', '=', 'networks')
    .where(sql<boolean>`${gwid}::uuid = any(scope_ids)`)
    .returning(['id', 'main', 'scope_ids'])
    .execute();
  for (const { id, main, scope_ids: left } of changed)
    if (!main && left.length === 0) await deleteRule(tx, accountId, id);
  return changed.length;
}

function merged(rows: readonly RuleTable[]): Rules {
  const saved = new Set(rows.flatMap(({ kind, main }) => (main ? [kind] : [])));
  return rulesFrom([...builtIn.filter(({ kind }) => !saved.has(kind)), ...rows.map(ruleOf)]);
}

const savedOf = (row: RuleTable): SavedRule => ({ rule: ruleOf(row), preset: row.preset });

function ruleOf(row: RuleTable): Rule {
  const { kind, enabled, level, tolerance_s: tolerance, threshold, scope: type, scope_ids: ids, hours } = row;
  return { id: row.main ? null : row.id, kind, enabled, level, tolerance, threshold, scope: { type, ids }, hours };
}
