import type { ClockOffset, CommittedReport } from './counted-report.ts';

/** Milliseconds, for whole seconds and transit. */
const slack = 5000;
/** Milliseconds an event may lead its arrival. */
const ahead = 60_000;
/** Milliseconds an event may precede the last report. */
const behind = 3_600_000;

/** Accepts a changed offset once a second report confirms it. */
export function offsetAfter(
  last: Pick<CommittedReport, 'at' | 'localtimeS' | 'offset'> | null,
  { at, localtimeS }: Pick<CommittedReport, 'at' | 'localtimeS'>,
): ClockOffset | null {
  if (localtimeS === null) return last?.offset ?? null;
  const measured = at - localtimeS * 1000;
  const value = Math.abs(measured) <= slack ? 0 : measured;
  if (!last?.offset) return { value, isDoubtful: false };
  if (Math.abs(measured - last.offset.value) <= slack) return { value: last.offset.value, isDoubtful: false };
  const before = last.localtimeS === null ? null : last.at - last.localtimeS * 1000;
  if (before !== null && Math.abs(measured - before) <= slack) return { value, isDoubtful: false };
  return { value: last.offset.value, isDoubtful: true };
}

export interface EventClock {
  known: Pick<CommittedReport, 'at' | 'offset'> | null;
  boundAt: number;
  /** Last report before this session, milliseconds. */
  absentSince: number | null;
}

/**
 * Converts device seconds to server milliseconds. Falls back to the arrival for times that are missing, in the future,
 * or before the binding or the last offline period, when events queue.
 */
export function dateEvent(
  seconds: number | null,
  arrival: number,
  { known, boundAt, absentSince }: EventClock,
): { at: number; isBelieved: boolean } {
  const unknown = { at: arrival, isBelieved: false };
  if (seconds === null || known?.offset?.isDoubtful) return unknown;
  const at = seconds * 1000 + (known?.offset?.value ?? 0);
  const isLive = known !== null && known.at > (absentSince ?? 0);
  const earliest = Math.max(boundAt, absentSince ?? 0, isLive ? known.at - behind : 0);
  if (at > arrival + ahead || at < earliest - slack) return unknown;
  return { at: Math.min(at, arrival), isBelieved: true };
}
