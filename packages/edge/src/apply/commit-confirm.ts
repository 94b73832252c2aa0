import { isDeepStrictEqual } from 'node:util';
import { wait } from '../clock.ts';
import type { PlanWan } from '../render/plan.ts';
import type { HostOptions } from './host-options.ts';
import type { WanStates } from './wans.ts';

export interface Trial extends Pick<HostOptions, 'reach' | 'names' | 'hasCarrier' | 'clock'> {
  touched: readonly PlanWan[];
  look(): Promise<WanStates>;
  /** Puts back our default routes that another program replaced; returns whether any was. */
  replaced(): Promise<boolean>;
  /** Confirm window and the rest of it, milliseconds. */
  window: number;
  left(): number;
  signal: AbortSignal;
}

export interface Judgement {
  /** Null if the change stays. */
  reason: string | null;
  warnings: readonly string[];
}

/** Share of the window kept for console and names if a lease does not come. */
const shareForConsole = 1 / 3;
/** Milliseconds that a port negotiates its speed. */
const carrierWait = 5_000;
/** Milliseconds. */
const pause = 250;

/**
 * Judges an applied change: each dynamic WAN gets time for its lease, then the new routes must reach the console and
 * resolve names. Repeats if a lease changed meanwhile, or a DHCP client of the distribution replaced our default route: the
 * console may have answered over its own.
 */
export async function judge(trial: Trial): Promise<Judgement> {
  const { touched, reach, names, look, replaced, left, window, signal } = trial;
  const leasesOf = (states: WanStates) => touched.map(({ device }) => states[device]?.lease ?? null);
  for (;;) {
    const states = await awaitLeases(trial);
    const unleased = touched.filter((wan) => lacksLease(trial, wan, states)).map(unleasedText);
    const verdict = await reach(left(), signal);
    if (!verdict.reached) {
      const causes = [verdict.detail, ...unleased].join('; ');
      return { reason: `the console was not reached within ${window / 1000} s (${causes})`, warnings: [] };
    }
    const found = touched.length > 0 ? await names?.(touched, left(), signal) : undefined;
    if (found?.failed) return { reason: found.failed, warnings: [] };
    const warnings = [...(found?.warnings ?? []), ...unleased];
    const stays = isDeepStrictEqual(leasesOf(await look()), leasesOf(states));
    if (!(await replaced()) && stays) return { reason: null, warnings };
  }
}

/** Waits for the lease of each dynamic WAN with a cable, in time for the console. */
async function awaitLeases(trial: Trial): Promise<WanStates> {
  const { touched, look, window, left, clock, hasCarrier, signal } = trial;
  const mayCome = (wan: PlanWan) => hasCarrier?.(wan.device) || window - left() < carrierWait;
  for (;;) {
    const states = await look();
    const waits = hasCarrier !== undefined && touched.some((wan) => isUnleased(wan, states) && mayCome(wan));
    if (!waits || left() <= window * shareForConsole || signal.aborted) return states;
    await wait(clock, pause);
  }
}

function isUnleased({ device, fixed }: PlanWan, states: WanStates): boolean {
  return fixed === null && (states[device]?.lease ?? null) === null;
}

function lacksLease({ hasCarrier }: Trial, wan: PlanWan, states: WanStates): boolean {
  return isUnleased(wan, states) && hasCarrier?.(wan.device) === true;
}

function unleasedText({ name }: PlanWan): string {
  return `${name} gets no address by DHCP`;
}
