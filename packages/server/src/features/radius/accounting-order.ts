import type { RadiusOddity } from '@yunxun/contract';
import type { SessionTable } from './tables.ts';

/** A report of a session; null counters were not sent. */
export interface Report {
  row: Omit<SessionTable, 'begun' | 'raw_up' | 'raw_down' | 'up_bytes' | 'down_bytes'>;
  up: number | null;
  down: number | null;
  delaySeconds: number;
}

export interface Settled {
  row: SessionTable;
  isNews: boolean;
  oddity: RadiusOddity | null;
}

/** Until then packets without a time are late. */
const lateFor = 5 * 60_000;
const wrapAt = 2 ** 32;
const half = 2 ** 31;

/**
 * Orders a report by totals and arrival: gateways set Acct-Session-Time back, omit it, or let it jump. `wraps`: the
 * client has never sent Gigawords.
 */
export function settle(state: SessionTable | undefined, report: Report, wraps: boolean): Settled {
  const { row } = report;
  if (!state) return begin(report, 0);
  const time = timeOf(state, report);
  const isLate = time === 'unknown' ? row.at.getTime() - state.at.getTime() < lateFor : time === 'earlier';
  if (row.status === 'reset') return isLate ? { row: state, isNews: false, oddity: null } : begin(report, 0);
  if (isOtherGuest(state, row)) return begin(report, state.begun + 1);
  if (state.status === 'stop' && row.status !== 'stop') {
    if (!isLate && row.status === 'start') return begin(report, state.begun + 1);
    if (isLate) return growth(state, report);
  }
  if (row.status === 'start') {
    const counted = time === 'later' ? { ...state, raw_up: 0, raw_down: 0 } : state;
    return { row: counted, isNews: false, oddity: null };
  }
  const { counters, oddity } = count(state, report, { time, wraps });
  const hasGrown = counters.up_bytes > state.up_bytes || counters.down_bytes > state.down_bytes;
  const isNews = row.status === 'interim' || state.status !== 'stop' || hasGrown;
  const times = time === 'earlier' ? { event_time: state.event_time, sent_at: state.sent_at } : {};
  return { row: { ...row, ...times, ...counters, begun: state.begun }, isNews, oddity };
}

function begin({ row, up, down }: Report, begun: number): Settled {
  const counters = { raw_up: up ?? 0, raw_down: down ?? 0, up_bytes: up ?? 0, down_bytes: down ?? 0 };
  return { row: { ...row, ...counters, begun }, isNews: true, oddity: oddityOf(row, up, down) };
}

const isOtherGuest = (state: SessionTable, row: Report['row']) =>
  (row.username !== '' && state.username !== '' && row.username !== state.username) ||
  (row.mac !== null && state.mac !== null && row.mac !== state.mac);

type Time = 'earlier' | 'later' | 'unknown';

/** Event-Timestamp: by the gateway's clock. Acct-Delay-Time: whole seconds. */
function timeOf(state: SessionTable, { row, delaySeconds }: Report): Time {
  if (state.event_time !== null && row.event_time !== null && state.event_time !== row.event_time)
    return row.event_time < state.event_time ? 'earlier' : 'later';
  const sentBefore = row.sent_at.getTime() - 1000 < state.sent_at.getTime();
  return delaySeconds > 0 && sentBefore ? 'earlier' : 'unknown';
}

function growth(state: SessionTable, { up, down }: Report): Settled {
  const more = (raw: number | null, last: number) => Math.max(0, (raw ?? 0) - last);
  const [moreUp, moreDown] = [more(up, state.raw_up), more(down, state.raw_down)];
  const row: SessionTable = {
    ...state,
    raw_up: state.raw_up + moreUp,
    up_bytes: state.up_bytes + moreUp,
    raw_down: state.raw_down + moreDown,
    down_bytes: state.down_bytes + moreDown,
  };
  return { row, isNews: moreUp + moreDown > 0, oddity: null };
}

type Counters = Pick<SessionTable, 'raw_up' | 'raw_down' | 'up_bytes' | 'down_bytes'>;

function count(
  state: SessionTable,
  { row, up, down }: Report,
  { time, wraps }: { time: Time; wraps: boolean },
): { counters: Counters; oddity: RadiusOddity | null } {
  const hasWrapped = (raw: number, last: number) => wraps && last > half && last - raw > half;
  const fallen = [
    { raw: up ?? state.raw_up, last: state.raw_up },
    { raw: down ?? state.raw_down, last: state.raw_down },
  ].filter(({ raw, last }) => raw < last);
  const isOvertaken = time === 'earlier';
  const hasRestarted = !isOvertaken && fallen.some(({ raw, last }) => !hasWrapped(raw, last));
  const since = (raw: number | null, last: number): [raw: number, more: number] => {
    if (hasRestarted) return [raw ?? 0, raw ?? 0];
    if (raw === null) return [last, 0];
    if (raw >= last) return [raw, raw - last];
    return isOvertaken ? [last, 0] : [raw, wrapAt - last + raw];
  };
  const [[rawUp, moreUp], [rawDown, moreDown]] = [since(up, state.raw_up), since(down, state.raw_down)];
  const counters = {
    raw_up: rawUp,
    up_bytes: state.up_bytes + moreUp,
    raw_down: rawDown,
    down_bytes: state.down_bytes + moreDown,
  };
  return { counters, oddity: hasRestarted ? 'counter_fell' : oddityOf(row, up, down) };
}

const oddityOf = (row: Report['row'], up: number | null, down: number | null): RadiusOddity | null =>
  row.status !== 'start' && row.status !== 'reset' && up === null && down === null ? 'no_octets' : null;
