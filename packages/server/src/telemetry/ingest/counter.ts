/** State of an absolute byte counter. */
export interface Counter {
  /** Last reported value; null: the next one is the baseline. */
  value: number | null;
  /**
   * Alternative baseline while `value` is doubtful: the value before a fall, or before a rise beyond the link's
   * capacity.
   */
  other: number | null;
  /**
   * Bytes of the last step, which the next value may revoke. After a fall nothing is revocable: then it is the step
   * that the former rate predicted, which a wrap has to resemble.
   */
  counted: number;
  /** Arrival of the report that made the last step or the fall, milliseconds: a revision corrects its sample. */
  countedAt: number;
}

export interface Step {
  flow: number;
  /** Correction of the bytes of the report at `last.countedAt`. */
  revision: number;
  clamped: boolean;
  counter: Counter;
}

/** A counter just created on the device. */
export const zeroCounter: Counter = { value: 0, other: null, counted: 0, countedAt: 0 };
export const unknownCounter: Counter = { value: null, other: null, counted: 0, countedAt: 0 };

const wrapAt = 2 ** 32;
/** Maximum ratio of the step over 2^32 to the steps before and after it. */
const wrapRatio = 2;

/**
 * Advances a counter to an absolute value. After a restart the caller begins at `zeroCounter`. Otherwise a lower value
 * means that this or the last one is wrong:
 * - Not below the value before the last one: the last report's excess is revoked.
 * - Below: nothing is counted, and the next value decides. It continues the old value, or the new one. In the second
 *   case the counter was reset, and the first value after the reset is lost; or it wrapped at 2^32, if the step over
 *   2^32 resembles both the step before it and the one after it. Only then are its bytes added, to the fall's report.
 *
 * A single wrong value therefore changes no total once two true values follow. The exception is a value after which
 * the counter ends (the device restarts, the client leaves): no later value can revoke it. What it adds is at most
 * `max`, the link speed times the interval. Holding such a step back would lose the true bytes of every last interval.
 * @param now null: not reported, which changes nothing
 * @param at arrival of the report, milliseconds
 * @param max bytes that the link can carry; a larger step waits for the next report
 * @param lapse ratio of this interval to the previous one
 */
export function countOn(
  last: Counter,
  now: number | null,
  { at, max, lapse = 1 }: { at: number; max: number; lapse?: number },
): Step {
  const { value, other, counted } = last;
  const step = (flow: number, counter: Pick<Counter, 'other'> & Partial<Counter>, revision = 0): Step => ({
    ...{ flow, revision, clamped: false },
    counter: { value: now, counted: flow, countedAt: at, ...counter },
  });
  if (now === null || (other !== null && now === value)) return { flow: 0, revision: 0, clamped: false, counter: last };
  if (value === null) return step(0, { other: null });
  const candidates = other === null ? [value] : [value, other];
  const from = Math.max(...candidates.filter((candidate) => candidate <= now));
  if (!Number.isFinite(from)) {
    if (other !== null) return step(0, { other, counted });
    if (now >= value - counted) return step(0, { other: null }, now - value);
    return step(0, { other: value, counted: Math.round(counted * lapse) });
  }
  // only the reported link speed was too low
  const flow = other !== null && other < value && now - other <= max ? now - other : now - from;
  if (flow > max) return { ...step(0, { other: from }), clamped: true };
  return step(flow, { other: null }, from === value ? wrappedBefore(last, now, max, lapse) : 0);
}

/** Confirms the last step. */
export const settled = (counter: Counter): Counter => ({ ...counter, counted: 0 });

/** Returns the bytes of the last report's fall if the counter wrapped in it, else 0. */
function wrappedBefore({ value, other, counted }: Counter, now: number, max: number, lapse: number): number {
  if (value === null || other === null || value >= other) return 0;
  // a 32-bit counter that was below the middle, or is above it, did not wrap
  if (other >= wrapAt || other <= wrapAt / 2 || value >= wrapAt / 2) return 0;
  const over = wrapAt - other + value;
  const isInStep = over <= wrapRatio * Math.min(counted, (now - value) / lapse);
  return isInStep && over <= max / lapse ? over : 0;
}

/** Confirmed baseline, for storage of one number. */
export const certainValue = ({ value, other }: Counter): number | null => other ?? value;

export const revocable = ({ other, counted }: Counter): number => (other === null ? counted : 0);
