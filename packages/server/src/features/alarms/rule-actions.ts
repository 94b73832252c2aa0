import {
  type AlarmPreset,
  type alarmBacktest,
  alarmRules,
  alarms as contract,
  type DataOf,
  type InputOf,
} from '@yunxun/contract';
import { kindParts } from '@yunxun/contract/alarm-kinds';
import { sql } from 'kysely';
import type { Acting } from '../../platform/acting.ts';
import { requireWholeAccount } from '../../platform/acting.ts';
import { newId, type Tx } from '../../platform/database/index.ts';
import { Failure, invalid } from '../../platform/failure.ts';
import { deviceGroups, fleetNetworks } from '../fleet/index.ts';
import { accounts, people } from '../identity/index.ts';
import { record } from '../logs/index.ts';
import { isOfAccount } from './account-place.ts';
import { deleteRule, type SavedRule, savedRules, writeRules } from './rule-store.ts';
import { type Rule, standardRule, withPreset } from './standard-rules.ts';

type RuleInput = InputOf<typeof alarmRules.create>['rule'];

export async function listRules(tx: Tx, accountId: string): Promise<DataOf<typeof alarmRules.list>> {
  // others never get the console's own alarms
  const administers = (await people.administratorAccounts(tx)).includes(accountId);
  const all = await savedRules(tx, accountId);
  const saved = all.filter(({ rule }) => administers || kindParts[rule.kind].about !== 'console');
  const { time_zone } = await accounts.accountOf(tx, accountId);
  const known = await knownPlaces(
    tx,
    accountId,
    saved.map(({ rule }) => rule.scope),
  );
  return {
    time_zone,
    without_source: [...contract.sourcelessAlarms],
    list: saved.map(({ rule, preset }) => {
      const { type } = rule.scope;
      const ids = rule.scope.ids.filter((id) => known.has(id));
      return {
        rule: { ...rule, scope: { type, ids } },
        standard: standardRule(rule.kind),
        changed: preset === null,
        preset,
        empty_scope: type !== 'all' && ids.length === 0,
      };
    }),
  };
}

async function knownPlaces(tx: Tx, accountId: string, scopes: readonly Rule['scope'][]): Promise<ReadonlySet<string>> {
  const idsOf = (wanted: Rule['scope']['type']) => scopes.flatMap(({ type, ids }) => (type === wanted ? ids : []));
  const networks = await fleetNetworks.names(tx, accountId, idsOf('networks'));
  const groups = await deviceGroups.names(tx, accountId, idsOf('groups'));
  return new Set([...networks.keys(), ...groups.keys()]);
}

/** Rules of an account are checked against each other: one change at a time. */
async function lockRules(tx: Tx, accountId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`alarm_rule ${accountId}`}, 0))`.execute(tx);
}

/**
 * Takes effect with the next evaluation.
 * @throws Invalid as `checkedRule`
 */
export async function saveRule(tx: Tx, acting: Acting, input: InputOf<typeof alarmRules.save>['rule']): Promise<void> {
  requireWholeAccount(acting, 'message.write');
  const { accountId } = acting;
  await lockRules(tx, accountId);
  const id = input.id ?? null;
  const before = (await savedRules(tx, accountId)).find(({ rule }) => rule.kind === input.kind && rule.id === id);
  if (!before) return invalid('rule.id', 'validation.choice');
  const { scope } = before.rule;
  const known = await knownPlaces(tx, accountId, [scope]);
  const left = { ...scope, ids: scope.ids.filter((place) => known.has(place)) };
  const rule = await checkedRule(tx, accountId, { ...before.rule, scope: left, ...input });
  await writeRules(tx, accountId, [{ rule, preset: null }]);
  await record(tx, acting, {
    action: 'alarm.rule',
    object: objectOf(rule),
    before: before.rule,
    after: rule,
    inverse: { path: '/api/v3/alarm_rule/restore', input: { rules: [before] } },
  });
}

/**
 * Adds a rule for some networks or groups, besides the main one of its kind.
 * @throws Invalid as `checkedRule`; Failure limitReached
 */
export async function createRule(tx: Tx, acting: Acting, input: RuleInput): Promise<{ id: string }> {
  requireWholeAccount(acting, 'message.write');
  const { accountId } = acting;
  const id = newId();
  await lockRules(tx, accountId);
  const checked = await checkedRule(tx, accountId, { ...input, id: null }, id);
  const rule = { ...checked, id };
  await writeRules(tx, accountId, [{ rule, preset: null }]);
  await refuseMany(tx, accountId);
  await record(tx, acting, {
    action: 'alarm.rule_create',
    object: objectOf(rule),
    after: rule,
    inverse: { path: alarmRules.remove.path, input: { id } },
  });
  return { id };
}

/** @throws Failure limitReached */
async function refuseMany(tx: Tx, accountId: string): Promise<void> {
  const others = (await savedRules(tx, accountId)).filter(({ rule }) => rule.id !== null);
  if (others.length > contract.alarmLimits.rules) throw new Failure('limitReached');
}

/** @throws Failure notFound */
export async function removeRule(tx: Tx, acting: Acting, id: string): Promise<void> {
  requireWholeAccount(acting, 'message.write');
  const { accountId } = acting;
  await lockRules(tx, accountId);
  const before = (await savedRules(tx, accountId)).find(({ rule }) => rule.id === id);
  if (!before) throw new Failure('notFound');
  await deleteRule(tx, accountId, id);
  await record(tx, acting, {
    action: 'alarm.rule_delete',
    object: objectOf(before.rule),
    before: before.rule,
    inverse: { path: '/api/v3/alarm_rule/restore', input: { rules: [before] } },
  });
}

const objectOf = ({ id, kind }: Rule) => ({ type: 'alarm_rule' as const, id: id ?? kind, name: kind });

const isSame = (one: Rule, other: Rule) => one.kind === other.kind && one.id === other.id;

/** Changes main rules; others, scopes and hours stay. */
export async function applyPreset(tx: Tx, acting: Acting, preset: AlarmPreset): Promise<void> {
  requireWholeAccount(acting, 'message.write');
  await lockRules(tx, acting.accountId);
  const before = (await savedRules(tx, acting.accountId)).filter(({ rule }) => rule.id === null);
  const after = before.map(({ rule }) => ({ rule: withPreset(rule, preset), preset }));
  await writeRules(tx, acting.accountId, after);
  await recordTogether(tx, acting, before, after, { name: preset, preset });
}

/**
 * Restores all at once.
 * @throws Invalid as `checkedRule`; Failure limitReached
 */
export async function restoreRules(
  tx: Tx,
  acting: Acting,
  { rules }: InputOf<typeof alarmBacktest.rulesRestore>,
): Promise<void> {
  requireWholeAccount(acting, 'message.write');
  const { accountId } = acting;
  await lockRules(tx, accountId);
  const saved = await savedRules(tx, accountId);
  const after: SavedRule[] = [];
  // each is checked against those before it
  for (const { rule, preset } of rules) {
    const one = { rule: await checkedRule(tx, accountId, rule, rule.id ?? undefined), preset };
    await writeRules(tx, accountId, [one]);
    after.push(one);
  }
  await refuseMany(tx, accountId);
  // a deleted one comes back
  const before = after.flatMap(({ rule }) => saved.find((one) => isSame(one.rule, rule)) ?? []);
  await recordTogether(tx, acting, before, after, { name: '' });
}

async function recordTogether(
  tx: Tx,
  acting: Acting,
  before: readonly SavedRule[],
  after: readonly SavedRule[],
  { name, preset }: { name: string; preset?: AlarmPreset },
): Promise<void> {
  const [one] = after.length === 1 ? after : [];
  await record(tx, acting, {
    action: preset ? 'alarm.preset' : 'alarm.rules',
    object: one ? objectOf(one.rule) : { type: 'alarm_rule', id: 'all', name },
    before: { rules: before.map(({ rule }) => rule) },
    after: { ...(preset && { preset }), rules: after.map(({ rule }) => rule) },
    ...(before.length > 0
      ? { inverse: { path: '/api/v3/alarm_rule/restore', input: { rules: before } } }
      : one?.rule.id && { inverse: { path: alarmRules.remove.path, input: { id: one.rule.id } } }),
  });
}

/**
 * @param fresh id of a rule that may be unknown
 * @throws Invalid for unknown ids, thresholds out of bounds, unknown networks or groups, and those of another rule
 */
export async function checkedRule(tx: Tx, accountId: string, input: RuleInput, fresh?: string): Promise<Rule> {
  const rule: Rule = { ...input, id: input.id ?? null, hours: input.hours ?? null };
  const others = (await savedRules(tx, accountId)).map((one) => one.rule);
  const own = fresh ?? rule.id;
  if (own !== null && own !== fresh && !others.some((one) => isSame(one, rule)))
    invalid('rule.id', 'validation.choice');
  refuseThreshold(rule);
  await refuseScope(tx, accountId, rule);
  // a scope of all is that of the main rule
  if (own !== null && rule.scope.type === 'all') invalid('rule.scope', 'validation.required');
  const taken = others.find(
    ({ id, kind, scope }) =>
      kind === rule.kind && id !== own && scope.type === rule.scope.type && scope.ids.some(isIn(rule.scope.ids)),
  );
  if (taken) invalid('rule.scope', 'validation.alarmScopeTaken');
  return rule;
}

/** @throws Invalid as `checkedRule` */
export async function testedRule(
  tx: Tx,
  accountId: string,
  { rule, fresh = false }: InputOf<typeof alarmBacktest.simulate>,
): Promise<Rule> {
  if (!fresh) return checkedRule(tx, accountId, rule);
  const id = newId();
  return { ...(await checkedRule(tx, accountId, { ...rule, id: null }, id)), id };
}

const isIn = (ids: readonly string[]) => (id: string) => ids.includes(id);

function refuseThreshold({ kind, threshold }: Rule): void {
  const bounds = kindParts[kind].threshold;
  if (!bounds) {
    if (threshold !== null) invalid('rule.threshold', 'validation.invalid');
    return;
  }
  if (threshold === null) invalid('rule.threshold', 'validation.required');
  else if (threshold < bounds.min) invalid('rule.threshold', 'validation.minValue', { min: bounds.min });
  else if (threshold > bounds.max) invalid('rule.threshold', 'validation.maxValue', { max: bounds.max });
}

async function refuseScope(tx: Tx, accountId: string, { kind, scope: { type, ids } }: Rule): Promise<void> {
  if (type === 'all') {
    if (ids.length > 0) invalid('rule.scope', 'validation.invalid');
    return;
  }
  if (isOfAccount(kind)) invalid('rule.scope', 'validation.choice');
  if (ids.length === 0) invalid('rule.scope', 'validation.required');
  // a network is in no group
  if (type === 'groups' && kindParts[kind].about === 'network') invalid('rule.scope', 'validation.choice');
  const known =
    type === 'networks' ? await fleetNetworks.names(tx, accountId, ids) : await deviceGroups.names(tx, accountId, ids);
  if (ids.some((id) => !known.has(id))) invalid('rule.scope', 'validation.choice');
}
