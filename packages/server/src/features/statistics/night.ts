import { home as contract, type DataOf, type InputOf } from '@yunxun/contract';
import { addDays, dayOf, momentOf } from '../../platform/calendar.ts';
import type { Tx } from '../../platform/database/index.ts';
import { invalid } from '../../platform/failure.ts';
import { downtimesSince, secondsOfDowntime } from '../../telemetry/heartbeat.ts';
import { incidents, type PastProblem } from '../alarms/index.ts';
import { deviceOutages } from '../fleet/index.ts';
import { accounts } from '../identity/index.ts';

type NightOutage = Awaited<ReturnType<typeof deviceOutages.nights>>[number];

type Night = DataOf<typeof contract.night>;
type NightInput = InputOf<typeof contract.night>;
type Network = Night['list'][number];
type Trouble = Network['troubles'][number];
type Troubles = Pick<Night, 'list' | 'total' | 'planned' | 'planned_total' | 'networks' | 'devices' | 'console_s'>;

/** Outages are kept this long. */
const keptDays = 400;
const dayMs = 86_400_000;

interface Span {
  night: string | null;
  latest: string;
  from: Date;
  /** The end of the night, maybe in the future. */
  end: Date;
}

/**
 * Uses the running night until 08:00.
 * @throws Failure for a future or expired day
 */
async function spanOf(tx: Tx, accountId: string, now: Date, { night, last_day }: NightInput): Promise<Span> {
  const { time_zone: zone } = await accounts.accountOf(tx, accountId);
  const latest = dayOf(now, zone);
  if (last_day) return { night: null, latest, from: new Date(now.getTime() - dayMs), end: now };
  const morning = night ?? latest;
  if (morning > latest || morning < addDays(latest, -keptDays)) return invalid('night', 'validation.choice');
  const { from, to } = contract.nightHours;
  return {
    night: morning,
    latest,
    from: momentOf(addDays(morning, -1), from, zone),
    end: momentOf(morning, to, zone),
  };
}

export async function nightOf(
  tx: Tx,
  accountId: string,
  now: Date,
  input: NightInput & { alarms: boolean; limit?: number },
): Promise<Night> {
  const { night, latest, from, end } = await spanOf(tx, accountId, now, input);
  const to = end < now ? end : now;
  const { alarms, limit = contract.homeLimits.night } = input;
  return {
    as_of: now.toISOString(),
    night,
    latest,
    from: from.toISOString(),
    to: to.toISOString(),
    running: end > now,
    ...(await troublesBetween(tx, accountId, { from, to, now }, { alarms, limit })),
  };
}

/** Returns outages, and problems that alarms tell, by network; `limit` counts networks. `to` is not after `now`. */
export async function troublesBetween(
  tx: Tx,
  accountId: string,
  span: { from: Date; to: Date; now: Date },
  { alarms: withAlarms, limit }: { alarms: boolean; limit: number },
): Promise<Troubles> {
  const { from, to } = span;
  const outages = await deviceOutages.nights(tx, accountId, span);
  const alarms = withAlarms
    ? await incidents.pastProblems(tx, accountId, { ...span, shortestS: deviceOutages.shortestNightS })
    : [];
  const troubles = [...outages.map(ofOutage), ...alarms.map(ofAlarm)];
  const list = byNetwork(troubles.filter(({ planned }) => planned === null));
  const planned = byNetwork(troubles.filter((each) => each.planned !== null));
  const gaps = await downtimesSince(tx, from, to);
  return {
    list: list.slice(0, limit),
    total: list.length,
    planned: planned.slice(0, limit),
    planned_total: planned.length,
    ...(await deviceOutages.measuredBy(tx, accountId, to)),
    console_s: secondsOfDowntime(gaps, from, to),
  };
}

type OfNetwork = Trouble & { gwid: string; remark: string };

function ofOutage({ began_at, ended_at, ...row }: NightOutage): OfNetwork {
  return { ...row, alarm: null, began_at: began_at.toISOString(), ended_at: ended_at?.toISOString() ?? null };
}

function ofAlarm({ network: remark, kind: alarm, began_at, ended_at, ...row }: PastProblem): OfNetwork {
  return {
    ...row,
    remark,
    alarm,
    cause: null,
    planned: null,
    whole: false,
    began_at: began_at.toISOString(),
    ended_at: ended_at?.toISOString() ?? null,
  };
}

/** Sorts whole networks first, then longest. */
function byNetwork(troubles: readonly OfNetwork[]): Network[] {
  const networks = new Map<string, Network>();
  for (const { gwid, remark, ...trouble } of troubles.toSorted(longestFirst)) {
    const network = networks.get(gwid) ?? { gwid, remark, troubles: [] };
    network.troubles.push(trouble);
    networks.set(gwid, network);
  }
  return [...networks.values()];
}

function longestFirst(a: OfNetwork, b: OfNetwork): number {
  return (
    Number(a.alarm !== null) - Number(b.alarm !== null) ||
    Number(b.whole) - Number(a.whole) ||
    b.seconds - a.seconds ||
    a.remark.localeCompare(b.remark) ||
    a.gwid.localeCompare(b.gwid)
  );
}
