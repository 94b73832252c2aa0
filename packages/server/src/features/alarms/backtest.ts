import { type AlarmKind, type AlarmPreset, alarmBacktest, alarms, type DataOf, type InputOf } from '@yunxun/contract';
import { addDays, dayOf } from '../../platform/calendar.ts';
import type { Tx } from '../../platform/database/index.ts';
import { grouped } from '../../platform/grouped.ts';
import { fleetDevices, fleetNetworks } from '../fleet/index.ts';
import type { Incident } from './facts.ts';
import { allKinds, decisiveKinds, type History, type Past, readPast, stepOf } from './past.ts';
import { keyOf } from './problem-periods.ts';
import { type Notified, outcomeOf, ownKeys, replay, shownOf } from './replay.ts';
import { testedRule } from './rule-actions.ts';
import { savedRules } from './rule-store.ts';
import { rulesFrom } from './rules.ts';
import { type Rule, withPreset } from './standard-rules.ts';

type Simulation = DataOf<typeof alarmBacktest.simulate>;
type Preview = DataOf<typeof alarmBacktest.presetPreview>;

/** Seconds, for variants of a rule without a tolerance. */
const leastTolerance = 60;

/**
 * Replays the past with a rule, other rules as saved.
 * @throws Invalid as on saving
 */
export async function simulateRule(
  tx: Tx,
  accountId: string,
  now: Date,
  input: InputOf<typeof alarmBacktest.simulate>,
  history: History,
): Promise<Simulation> {
  const rule = await testedRule(tx, accountId, input);
  const { kind } = rule;
  const others = (await savedRules(tx, accountId))
    .map((one) => one.rule)
    .filter((one) => one.kind !== kind || one.id !== rule.id);
  const past = await readPast(tx, accountId, history, { now, kinds: decisiveKinds(kind), rules: [rule, ...others] });
  const from = past.since.get(kind) ?? now;
  const only = new Set([kind]);
  // other kinds are only causes
  const ofKind = { ...past, periods: past.periods.filter((period) => period.kind === kind) };
  // alarms of other rules of the kind do not count
  const notifiedBy = (tolerance: number, isGrouped: boolean) => {
    const variant = { ...rule, tolerance };
    const rules = rulesFrom([...others, variant]);
    const own = ownKeys(ofKind, rules, variant);
    return shownOf(replay(isGrouped ? past : ofKind, rules, isGrouped), only, from.getTime()).filter(({ incident }) =>
      own.has(keyOf(incident)),
    );
  };
  const variants = tolerancesOf(rule).flatMap((tolerance) =>
    [true, false].map((isGrouped) => ({ tolerance, isGrouped, notified: notifiedBy(tolerance, isGrouped) })),
  );
  const ownHistory = history.historyOf(kind);
  const tested = ownHistory !== null;
  // the rule itself
  const notified = variants[0]!.notified;
  return {
    as_of: now.toISOString(),
    from: from.toISOString(),
    time_zone: past.zone,
    tested,
    step: stepOf(ownHistory),
    ...outcomeOf(notified),
    days: tested ? daysOf(notified, past, from) : [],
    longest: await longestOf(tx, accountId, notified, now),
    networks: await networksOf(tx, accountId, notified),
    variants: tested
      ? variants.map(({ tolerance, isGrouped, notified: own }) => ({
          tolerance,
          grouped: isGrouped,
          ...outcomeOf(own),
        }))
      : [],
  };
}

function tolerancesOf({ tolerance }: Rule): number[] {
  const least = tolerance || leastTolerance;
  const all = [tolerance, least * 2, least * 4].map((seconds) =>
    Math.min(seconds, alarms.alarmLimits.toleranceSeconds),
  );
  return [...new Set(all)];
}

function daysOf(notified: readonly Notified[], { zone, now }: Past, from: Date): Simulation['days'] {
  const ofDay = grouped(notified, ({ at }) => dayOf(new Date(at), zone));
  const days: Simulation['days'] = [];
  const last = dayOf(now, zone);
  for (let day = dayOf(from, zone); day <= last; day = addDays(day, 1))
    days.push({ day, ...outcomeOf(ofDay.get(day) ?? []) });
  return days;
}

async function longestOf(
  tx: Tx,
  accountId: string,
  notified: readonly Notified[],
  now: Date,
): Promise<Simulation['longest']> {
  const length = ({ began, recovered }: Incident) => (recovered ?? now.getTime()) - began;
  const incidents = notified.flatMap(({ incident, isStart }) => (isStart ? [incident] : []));
  const longest = incidents.toSorted((a, b) => length(b) - length(a))[0];
  if (!longest) return null;
  const { gwid, serial, began, recovered } = longest;
  const network = (await fleetNetworks.names(tx, accountId, [gwid])).get(gwid) ?? '';
  const name = serial && (await fleetDevices.names(tx, accountId, [serial])).get(serial)?.name;
  return {
    gwid,
    network,
    serial,
    name: name ?? network,
    began_at: new Date(began).toISOString(),
    seconds: Math.round(length(longest) / 1000),
    lasts: recovered === null,
  };
}

async function networksOf(tx: Tx, accountId: string, notified: readonly Notified[]): Promise<Simulation['networks']> {
  const ofNetwork = grouped(notified, ({ incident }) => incident.gwid);
  const counted = [...ofNetwork].map(([gwid, own]) => ({ gwid, alarms: outcomeOf(own).alarms }));
  const most = counted
    .filter(({ alarms: made }) => made > 0)
    .toSorted((a, b) => b.alarms - a.alarms || a.gwid.localeCompare(b.gwid))
    .slice(0, alarmBacktest.backtestLimits.networks);
  const names = await fleetNetworks.names(
    tx,
    accountId,
    most.map(({ gwid }) => gwid),
  );
  return most.map((one) => ({ ...one, network: names.get(one.gwid) ?? '' }));
}

export async function previewPresets(tx: Tx, accountId: string, now: Date, history: History): Promise<Preview> {
  const all = await savedRules(tx, accountId);
  const saved = all.filter(({ rule }) => rule.id === null);
  const others = all.flatMap(({ rule }) => (rule.id === null ? [] : [rule]));
  const current = saved.map(({ rule }) => rule);
  const sets = alarms.alarmPresets.map((preset) => ({
    preset,
    rules: current.map((rule) => withPreset(rule, preset)),
  }));
  const tested = [...current, ...others, ...sets.flatMap(({ rules }) => rules)];
  const past = await readPast(tx, accountId, history, { now, kinds: allKinds, rules: tested });
  const since = Math.min(...[...past.since.values()].map((at) => (at ?? now).getTime()));
  const notifiedBy = (rules: readonly Rule[]) =>
    shownOf(replay(past, rulesFrom([...rules, ...others])), allKinds, since);
  const byHand = saved.flatMap(({ rule, preset }) => (preset === null ? [rule.kind] : []));
  return {
    as_of: now.toISOString(),
    from: new Date(since).toISOString(),
    overwrites: byHand,
    current: commonPreset(saved.map(({ preset }) => preset)),
    history: [...past.since].map(([kind, at]) => ({ kind, from: at?.toISOString() ?? null })),
    saved: outcomeOf(notifiedBy(current)),
    presets: sets.map(({ preset, rules }) => {
      const notified = notifiedBy(rules);
      const made = grouped(notified, ({ incident }) => incident.kind);
      const alarmsOf = (kind: AlarmKind) =>
        history.historyOf(kind) === null ? null : outcomeOf(made.get(kind) ?? []).alarms;
      return { preset, ...outcomeOf(notified), rules: rules.map((rule) => ({ rule, alarms: alarmsOf(rule.kind) })) };
    }),
  };
}

/** Returns the preset of all rules that no person changed. */
function commonPreset(presets: readonly (AlarmPreset | null)[]): AlarmPreset | null {
  const [first, ...others] = new Set(presets.filter((preset) => preset !== null));
  return others.length === 0 ? (first ?? null) : null;
}
