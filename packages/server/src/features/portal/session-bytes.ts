import type { PortalAdapter } from './adapters/adapter.ts';
import type { Session } from './session-store.ts';

export interface CounterReport {
  counter: string;
  up: number;
  down: number;
  /** Meaning of a lower value. */
  whenLower: 'late' | 'restarted';
}

/** Kept before counters had names; the first report continues it. */
const unnamed = '';
/** Bounds what a gateway can write. */
const maxCounters = 32;

export function addBytes(
  session: Pick<Session, 'counters' | 'up_bytes' | 'down_bytes'>,
  { counter, up, down, whenLower }: CounterReport,
): Pick<Session, 'counters' | 'up_bytes' | 'down_bytes'> {
  const { [unnamed]: before, ...named } = session.counters;
  const [lastUp, lastDown] = named[counter] ?? before ?? [0, 0];
  const count = (value: number, last: number): [last: number, more: number] => {
    if (value >= last) return [value, value - last];
    return whenLower === 'restarted' ? [value, value] : [last, 0];
  };
  const [[nextUp, moreUp], [nextDown, moreDown]] = [count(up, lastUp), count(down, lastDown)];
  const counters = { ...named, [counter]: [nextUp, nextDown] satisfies [number, number] };
  return {
    counters: Object.fromEntries(Object.entries(counters).slice(-maxCounters)),
    up_bytes: session.up_bytes + moreUp,
    down_bytes: session.down_bytes + moreDown,
  };
}

type Counted = Pick<Session, 'counters' | 'up_bytes' | 'down_bytes'>;

/** Returns null for a session of which no gateway has reported traffic: zero would be a figure without a source. */
export function reportedBytes({ counters, up_bytes, down_bytes }: Counted): {
  up_bytes: number | null;
  down_bytes: number | null;
} {
  const isReported = Object.keys(counters).length > 0 || up_bytes + down_bytes > 0;
  return isReported ? { up_bytes, down_bytes } : { up_bytes: null, down_bytes: null };
}

/** Returns what may still be used, at least a byte: 0 is no limit. */
export function allowance({ max_bytes: max, up_bytes: up, down_bytes: down }: Omit<Limited, 'counters'>): number {
  return max === 0 ? 0 : Math.max(1, max - up - down);
}

type Limited = Pick<Session, 'counters' | 'max_bytes' | 'up_bytes' | 'down_bytes'>;

/** Returns null without a limit, and where no traffic is known: RADIUS gateways may send no accounting. */
export function bytesLeft(session: Limited, reportsBy: PortalAdapter['reportsBy']): number | null {
  const { counters, max_bytes: max, up_bytes: up, down_bytes: down } = session;
  const isKnown = reportsBy === 'agent' || (reportsBy === 'accounting' && Object.keys(counters).length > 0);
  return max > 0 && isKnown ? Math.max(0, max - up - down) : null;
}
