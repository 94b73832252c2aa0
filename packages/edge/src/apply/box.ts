import { isDeepStrictEqual } from 'node:util';
import type { Clock } from '../clock.ts';
import { emptyPlan, mainTable, type Plan, type PlanLine } from '../render/plan.ts';
import { changes } from './changes.ts';
import type { Drift } from './drift.ts';
import { setAside } from './entries.ts';
import { forgetConnections, type Lease, type LineState, type LineStates, withLines } from './lines.ts';
import { type ForeignRoute, keptFor, nothingOwned, type Ownership, ownershipFor } from './ownership.ts';
import type { Records, Returned } from './records.ts';
import type { TakeSnapshot } from './snapshot.ts';
import type { Executor, Step } from './step.ts';
import type { Verdict } from './verify.ts';

/** A change that waits for the console: until then (unix seconds) it must have been reached. */
export interface Pending {
  uuid: number;
  until: number;
}

/** How a change ended. */
export type Outcome = { confirmed: true } | { confirmed: false; reason: string };

/** What a box is built from. */
export interface BoxOptions {
  records: Records;
  executor: Executor;
  snapshot: TakeSnapshot;
  /** Folder of our daemons' files. */
  run: string;
  /** Folder of the program that DHCP clients call: one that programs may be run from. Default: `run`. */
  hooks?: string;
  /** The lines' devices over which our default routes lead now, where that can be seen. */
  ways?(): Promise<ReadonlySet<string> | null>;
  /** What the DHCP client of a device knows, where it lives on from an earlier run of the program. */
  lease(device: string): Lease | null;
  clock: Clock;
  /** Whether the console answers over a new connection, tried for so many milliseconds. */
  reach(within: number, signal: AbortSignal): Promise<Verdict>;
  /** Told before the first step, and when a change was taken back. */
  pending(pending: Pending): void;
  returned(returned: Returned): void;
  /** Connections are about to be ended: what they carried can still be counted. */
  losing?(): Promise<void>;
  log(line: string): void;
}

/**
 * The network of this box and the one way to change it: note what will be done, do it, see whether the console answers
 * over it, else take it back. Whatever ends the program in between, the next start takes it back.
 */
export class Box {
  readonly #options: BoxOptions;
  readonly #ended = new AbortController();
  /** Of the change that waits for the console. */
  #trial = new AbortController();
  #plan: Plan = emptyPlan;
  #uuid = 0;
  #owned: Ownership = nothingOwned;
  #lines: LineStates = {};
  #pending: Pending | null = null;
  #turn: Promise<unknown> = Promise.resolve();
  #changing: Promise<unknown> = Promise.resolve();

  constructor(options: BoxOptions) {
    this.#options = options;
  }

  /** The plan that runs, confirmed or not yet. */
  get plan(): Plan {
    return this.#plan;
  }

  get pending(): Pending | null {
    return this.#pending;
  }

  get lines(): LineStates {
    return this.#lines;
  }

  /**
   * After a start of the program: takes back what was under way, then makes the confirmed plan hold, also without a
   * console. Gives what was taken back.
   */
  async begin(): Promise<Returned | null> {
    const { records, log, lease } = this.#options;
    const journal = records.journal;
    const sameBoot = (journal?.boot ?? records.applied.boot) === records.boot;
    const lines = [journal?.previous, journal?.next, records.applied.plan].flatMap((plan) => plan?.lines ?? []);
    // a line that was lost when the program ended is so still: whoever is told otherwise sends everything into it
    const ways = sameBoot ? ((await this.#options.ways?.()) ?? null) : null;
    const isAlive = (device: string) => ways === null || ways.size === 0 || ways.has(device);
    this.#lines = Object.fromEntries(
      lines.map(({ device }) => [device, { lease: lease(device), alive: isAlive(device) }]),
    );
    let taken: Returned | null = null;
    if (journal === null) {
      const applied = records.applied;
      this.#found(applied.plan, applied.uuid, applied.owned);
    } else {
      const { uuid, previous, previousUuid, next, owned, boot } = journal;
      log(`configuration ${uuid} was not confirmed when the agent ended: back to ${previousUuid}`);
      if (boot === records.boot) await this.#perform(this.#steps(next, previous, owned), true);
      this.#found(previous, previousUuid, owned);
      const known = records.returned;
      // the same configuration, rendered anew, is no other one
      if (uuid !== previousUuid) {
        taken = known?.uuid === uuid ? known : { uuid, reason: 'the agent ended before it was confirmed' };
        this.#note(taken);
      }
    }
    if (!sameBoot) {
      this.#owned = await this.#fresh(this.#plan);
      // before the first step: a start after a kill in the middle would take what is ours for theirs
      this.#settled();
    }
    await this.#perform(this.#steps(emptyPlan, this.#plan, this.#owned), true);
    // a disk that is full keeps nobody from routing
    this.#settled();
    return taken;
  }

  /**
   * Makes this plan the running one, if the console answers over it within the time. One change at a time. Never rejects:
   * what cannot be noted down is not begun.
   */
  change(next: Plan, uuid: number, confirmSeconds: number): Promise<Outcome> {
    const outcome = this.#change(next, uuid, confirmSeconds).catch((error: unknown): Outcome => {
      this.#pending = null;
      return { confirmed: false, reason: error instanceof Error ? error.message : String(error) };
    });
    this.#changing = outcome;
    return outcome;
  }

  async #change(next: Plan, uuid: number, confirmSeconds: number): Promise<Outcome> {
    const { records, snapshot, clock, reach, log } = this.#options;
    const [previous, previousUuid, linesBefore] = [this.#plan, this.#uuid, this.#lines];
    if (isDeepStrictEqual(previous, next)) {
      this.#uuid = uuid;
      this.#settle();
      return { confirmed: true };
    }
    const owned = ownershipFor(withLines(previous, linesBefore), next, this.#owned, await snapshot(next));
    const until = Math.ceil(clock.now() / 1000) + confirmSeconds;
    records.begin({ uuid, until, previous, previousUuid, next, owned });
    this.#pending = { uuid, until };
    this.#options.pending(this.#pending);
    const started = performance.now();
    let reason = await this.#go(next, uuid, owned);
    if (reason === null) {
      const left = confirmSeconds * 1000 - (performance.now() - started);
      this.#trial = new AbortController();
      if (this.#ended.signal.aborted) this.#trial.abort();
      const verdict = await reach(Math.max(left, 1), this.#trial.signal);
      if (!verdict.reached)
        reason = this.#trial.signal.aborted
          ? 'the agent was told to end before the console was reached'
          : `the console was not reached within ${confirmSeconds} s (${verdict.detail})`;
    }
    reason ??= this.#settled();
    if (reason === null) {
      this.#pending = null;
      // connections that carry the mark of a line that is gone, or has another number or address now
      const stays = ({ device, mark, fixed }: PlanLine) =>
        next.lines.some((line) => line.device === device && isDeepStrictEqual([line.mark, line.fixed], [mark, fixed]));
      await this.#inTurn(() => this.#forget(previous.lines.filter((line) => !stays(line))));
      return { confirmed: true };
    }
    log(`configuration ${uuid} is taken back: ${reason}`);
    await this.#inTurn(async () => {
      const tried = withLines(this.#plan, this.#lines);
      this.#take(previous, previousUuid, owned);
      this.#lines = linesBefore;
      await this.#perform(this.#changes(tried, withLines(previous, linesBefore), owned), true);
    });
    this.#pending = null;
    // the configuration that runs, rendered anew, is not refused for good because the console was away
    const returned = uuid === previousUuid ? null : { uuid, reason };
    if (returned !== null) this.#note(returned);
    // a journal that stays lets the next start return once more to where the box is already
    this.#settled();
    if (returned !== null) this.#options.returned(returned);
    return { confirmed: false, reason };
  }

  /** A line got or lost its address, or its life. What that means in the kernel is done when this resolves. */
  line(device: string, state: Partial<LineState>): Promise<void> {
    return this.#inTurn(async () => {
      const line = this.#plan.lines.find((one) => one.device === device);
      if (line === undefined) return;
      const old = this.#lines[device] ?? { lease: null, alive: true };
      const fresh = { ...old, ...state };
      if (isDeepStrictEqual(old, fresh)) return;
      const before = withLines(this.#plan, this.#lines);
      this.#lines = { ...this.#lines, [device]: fresh };
      const after = withLines(this.#plan, this.#lines);
      await this.#perform(this.#changes(before, after, this.#owned), true);
      // also those of a lost line that was the way out for want of another, now that there is one
      // and what was translated to an address that is not ours any more
      const moved = old.lease !== null && fresh.lease !== null && old.lease.address !== fresh.lease.address;
      const over = (one: PlanLine) => (isWayOut(before, one) && !isWayOut(after, one)) || (moved && one === line);
      await this.#forget(this.#plan.lines.filter(over));
    });
  }

  /**
   * Puts back what is gone of the running plan. `look` tells what of it is left, before and after. Gives what is missing
   * still; null when nothing was done because a change is under way, or nothing could be seen.
   */
  heal(look: (wanted: Plan) => Promise<Drift | null>): Promise<readonly string[] | null> {
    return this.#inTurn(async () => {
      if (this.#pending !== null || this.#ended.signal.aborted) return null;
      const wanted = withLines(this.#plan, this.#lines);
      const drift = await look(wanted);
      if (drift === null || drift.missing.length === 0) return null;
      const { intruders } = drift;
      if (intruders.length > 0) {
        const known = (route: ForeignRoute) => this.#owned.aside.some((one) => isDeepStrictEqual(one, route));
        const aside = [...this.#owned.aside, ...intruders.filter((route) => !known(route))];
        this.#owned = { ...this.#owned, aside };
        // they are put back when the line goes
        this.#settled();
      }
      await this.#perform([...intruders.map(setAside), ...this.#changes(drift.present, wanted, this.#owned)], true);
      return (await look(wanted))?.missing ?? null;
    });
  }

  /** Takes everything of ours off the box and forgets it. */
  async clear(): Promise<void> {
    // a change that waits is taken back first: afterwards it would bring its previous plan back
    this.#trial.abort();
    await this.#changing;
    await this.#inTurn(async () => {
      await this.#perform(this.#steps(this.#plan, emptyPlan, this.#owned), true);
      this.#take(emptyPlan, 0, nothingOwned);
      this.#options.records.forget();
    });
  }

  /**
   * The program ends: a change that waits is taken back at once instead of by the next start. Resolves when nothing more is
   * being done to the box.
   */
  async close(): Promise<void> {
    this.#ended.abort();
    this.#trial.abort();
    await this.#changing;
    await this.#turn;
  }

  /** Null when every step was done, else why not. */
  #go(next: Plan, uuid: number, owned: Ownership): Promise<string | null> {
    return this.#inTurn(async () => {
      const before = withLines(this.#plan, this.#lines);
      this.#take(next, uuid, owned);
      const steps = this.#changes(before, withLines(next, this.#lines), owned);
      return this.#perform(steps, false);
    });
  }

  #steps(before: Plan, after: Plan, owned: Ownership): Step[] {
    return this.#changes(withLines(before, this.#lines), withLines(after, this.#lines), owned);
  }

  /** Does the steps; one that fails ends it, unless as much as can be is wanted. Gives the first complaint. */
  async #perform(steps: readonly Step[], keepGoing: boolean): Promise<string | null> {
    let complaint: string | null = null;
    for (const step of steps) {
      if (this.#ended.signal.aborted && !keepGoing) return complaint ?? 'the agent was stopped';
      try {
        await this.#options.executor.perform(step);
      } catch (error) {
        const said = error instanceof Error ? error.message : String(error);
        this.#options.log(said);
        complaint ??= said;
        if (!keepGoing) return complaint;
      }
    }
    return complaint;
  }

  /** Ends the connections of lines, once they were counted. */
  async #forget(lines: readonly PlanLine[]): Promise<void> {
    if (lines.length === 0) return;
    await within(losingPatience, this.#options.losing?.());
    await this.#perform(lines.map(forgetConnections), true);
  }

  async #fresh(plan: Plan): Promise<Ownership> {
    return ownershipFor(emptyPlan, plan, nothingOwned, await this.#options.snapshot(plan));
  }

  /** A plan that ran before the program began: what is known of its lines is of these lines. */
  #found(plan: Plan, uuid: number, owned: Ownership): void {
    this.#plan = plan;
    this.#take(plan, uuid, owned);
  }

  #take(plan: Plan, uuid: number, owned: Ownership): void {
    this.#lines = carried(this.#plan, plan, this.#lines);
    this.#plan = plan;
    this.#uuid = uuid;
    this.#owned = owned;
  }

  #note(returned: Returned): void {
    try {
      this.#options.records.note(returned);
    } catch (error) {
      this.#options.log(`what was taken back cannot be noted: ${String(error)}`);
    }
  }

  #changes(before: Plan, after: Plan, owned: Ownership): Step[] {
    return changes(before, after, owned, this.#options.run, this.#options.hooks);
  }

  /** Null when it is on disk, else why not. */
  #settled(): string | null {
    try {
      this.#settle();
      return null;
    } catch (error) {
      this.#options.log(String(error));
      return `it cannot be kept: ${error instanceof Error ? error.message : String(error)}`;
    }
  }

  #settle(): void {
    this.#owned = keptFor(this.#plan, this.#owned);
    this.#options.records.settle({ uuid: this.#uuid, plan: this.#plan, owned: this.#owned });
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#turn.then(work, work);
    this.#turn = done.catch(() => {});
    return done;
  }
}

/** The connections that end are counted within this, milliseconds, or not at all: what the box does for its lines cannot wait. */
const losingPatience = 3_000;

async function within(time: number, work: Promise<void> | undefined): Promise<void> {
  if (work === undefined) return;
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, time);
  });
  await Promise.race([work.catch(() => {}), over]);
  clearTimeout(timer);
}

/** Whether a line has a default route in the main table. */
function isWayOut({ routes }: Plan, { device }: PlanLine): boolean {
  return routes.some((route) => route.table === mainTable && route.to === 'default' && route.device === device);
}

/** What is known of lines that a new plan has too. One that changed is a new one: nobody has probed it yet. */
function carried(before: Plan, after: Plan, states: LineStates): LineStates {
  const sides = (plan: Plan, device: string) => [
    plan.lines.find((line) => line.device === device),
    plan.addresses.filter((address) => address.device === device),
    plan.dhcpClients.find((client) => client.device === device),
  ];
  const kept = after.lines.flatMap(({ device, fixed }) => {
    const state = states[device];
    if (state === undefined) return [];
    const same = isDeepStrictEqual(sides(before, device), sides(after, device));
    return [[device, { lease: fixed === null ? state.lease : null, alive: !same || state.alive }] as const];
  });
  return Object.fromEntries(kept);
}
