export interface Counter {
  /** Null: the next value is the baseline. */
  value: number | null;
  /** Alternative baseline while `value` is doubtful: before a fall, or a rise beyond the link's capacity. */
  other: number | null;
  /**
   * Bytes of the last step, revocable by the next value. After a fall: the step that the former rate predicted, which a
   * wrap has to resemble.
   */
  counted: number;
  /** Arrival of the last step or fall, milliseconds; its sample is corrected. */
  countedAt: number;
}

export interface Step {
  flow: number;
  /** Correction of the report at `last.countedAt`, bytes. */
  revision: number;
  clamped: boolean;
  counter: Counter;
}

export const zeroCounter: Counter = { value: 0, other: null, counted: 0, countedAt: 0 };
export const unknownCounter: Counter = { value: null, other: null, counted: 0, countedAt: 0 };

const wrapAt = 2 ** 32;
/** Ratio of the step over 2^32 to the steps around it. */
const wrapRatio = 2;

/**
 * Advances a counter to an absolute value. After a restart the caller begins at `zeroCounter`. Otherwise a lower value
 * means that this or the last one is wrong:
 * - Not below the value before the last one: the last report's excess is revoked.
 * - Below: nothing counts yet. The next value continues the old value, or the new one. In the second case the counter
 * was reset, and its first value is lost; or it wrapped at 2^32, if the step over 2^32 resembles both steps around it:
 * then its bytes are added to the fall's report.
 *
 * So a single wrong value changes no total once two true values follow, except just before the counter ends (restart,
 * leave). Then it adds at most `max`: holding it back would lose the true bytes of every last interval.
 * @param now null: not reported, which changes nothing
 * @param at arrival, milliseconds
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
    flow,
    revision,
    clamped: false,
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

/** Returns the bytes of the last fall if it was a wrap, else 0. */
function wrappedBefore({ value, other, counted }: Counter, now: number, max: number, lapse: number): number {
  if (value === null || other === null || value >= other) return 0;
  // a 32-bit counter wraps from above the middle to below it
  if (other >= wrapAt || other <= wrapAt / 2 || value >= wrapAt / 2) return 0;
  const over = wrapAt - other + value;
  const isInStep = over <= wrapRatio * Math.min(counted, (now - value) / lapse);
  return isInStep && over <= max / lapse ? over : 0;
}

/** Returns the confirmed baseline, for one stored number. */
export const certainValue = ({ value, other }: Counter): number | null => other ?? value;

export const revocable = ({ other, counted }: Counter): number => (other === null ? counted : 0);
