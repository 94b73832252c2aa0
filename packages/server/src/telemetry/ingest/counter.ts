/** State of an absolute byte counter. */
export interface Counter {
  /** Last reported value; null: the next one is the baseline. */
  value: number | null;
  /**
   * Alternative baseline while `value` is doubtful: the value before a fall, or before a rise beyond the link's
   * capacity.
   */
  other: number | null;
  /** Bytes of the last report, which the next may revoke. */
  counted: number;
}

export interface Step {
  flow: number;
  /** Correction of the previous report's bytes. */
  revision: number;
  clamped: boolean;
  counter: Counter;
}

/** A counter just created on the device. */
export const zeroCounter: Counter = { value: 0, other: null, counted: 0 };
export const unknownCounter: Counter = { value: null, other: null, counted: 0 };

const wrapAt = 2 ** 32;
/** Maximum ratio of the step over 2^32 to the step before or after it. */
const wrapRatio = 4;

/**
 * Advances a counter to an absolute value. After a restart the caller begins at `zeroCounter`. Otherwise a lower value
 * means that this or the last one is wrong:
 * - Not below the value before the last one: the last report's excess is revoked.
 * - Below: the counter wrapped at 2^32 if that step resembles the step before it. Otherwise the next report decides
 *   between the old value, a wrap and a reset. The first value after a reset is lost.
 * @param most bytes that the link can carry; a larger step waits for the next report
 * @param lapse ratio of this interval to the previous one
 */
export function countOn(last: Counter, now: number | null, most: number, lapse = 1): Step {
  const step = (flow: number, counter: Counter, revision = 0, clamped = false): Step => ({
    ...{ flow, revision, clamped, counter },
  });
  const { value, other, counted } = last;
  if (now === null) return step(0, settled(last));
  if (value === null) return step(0, { value: now, other: null, counted: 0 });
  if (other !== null && now === value) return step(0, settled(last));
  const candidates = other === null ? [value] : [value, other];
  const from = Math.max(...candidates.filter((candidate) => candidate <= now));
  if (!Number.isFinite(from)) {
    if (other !== null) return step(0, { value: now, other, counted: 0 }, -counted);
    if (now >= value - counted) return step(0, { value: now, other: null, counted: 0 }, now - value);
    const over = overWrap(value, now);
    const flow = over !== null && over <= Math.min(wrapRatio * counted * lapse, most) ? over : 0;
    return step(flow, { value: now, other: value, counted: flow });
  }
  const isBack = other !== null && from === other && other > value;
  // only the reported link speed was too low
  const flow = other !== null && other < value && now - other <= most ? now - other : now - from;
  if (flow > most) return step(0, { value: now, other: from, counted: 0 }, 0, true);
  const revision = isBack ? -counted : wrappedBefore(last, now, most, lapse);
  return step(flow, { value: now, other: null, counted: flow }, revision);
}

export function settled({ value, other, counted }: Counter): Counter {
  return { value, other: counted > 0 ? null : other, counted: 0 };
}

/** Returns null if a 32-bit counter cannot have wrapped. */
function overWrap(before: number, after: number): number | null {
  return before < wrapAt && before > wrapAt / 2 && after < wrapAt / 2 ? wrapAt - before + after : null;
}

/** Returns the bytes to add to the last report if the counter wrapped in it. */
function wrappedBefore({ value, other, counted }: Counter, now: number, most: number, lapse: number): number {
  if (value === null || other === null || value >= other || counted > 0) return 0;
  const over = overWrap(other, value);
  return over !== null && over <= Math.min((wrapRatio * (now - value)) / lapse, most / lapse) ? over : 0;
}

/** Confirmed baseline, for storage of one number. */
export const certainValue = ({ value, other }: Counter): number | null => other ?? value;

export const revocable = ({ other, counted }: Counter): number => (other === null ? counted : 0);
