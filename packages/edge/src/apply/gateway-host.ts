import { isDeepStrictEqual } from 'node:util';
import type { Clock } from '../clock.ts';
import { emptyPlan, mainTable, type Plan, type PlanLine } from '../render/plan.ts';
import { changes } from './changes.ts';
import type { Drift } from './drift.ts';
import { setAside } from './entries.ts';
import { type ForeignRoute, keptFor, nothingOwned, type Ownership, ownershipFor } from './ownership.ts';
import { type Records, type Returned, unsettled } from './records.ts';
import type { TakeSnapshot } from './snapshot.ts';
import type { Executor, Step } from './step.ts';
import { type Paths, withPaths } from './tunnels.ts';
import type { Verdict } from './verify.ts';
import { type NamesVerdict, touchedWans } from './wan-names.ts';
import { carried, forgetConnections, type Lease, type LineState, type LineStates, withLines } from './wans.ts';

/** Change that awaits the console until `until` (Unix seconds). */
export interface Pending {
  uuid: number;
  until: number;
}

/** Result of a change. `warnings` are problems that do not cause a rollback. */
export type Outcome = { confirmed: true; warnings?: readonly string[] } | { confirmed: false; reason: string };

export interface BoxOptions {
  records: Records;
  executor: Executor;
  snapshot: TakeSnapshot;
  run: string;
  /** Folder of the DHCP hook; its file system must allow execution. Default: `run`. */
  hooks?: string;
  ways?(): Promise<ReadonlySet<string> | null>;
  /** Devices that carry the SD-WAN prefixes now, as left by the previous agent. */
  paths?(): Promise<Paths | null>;
  lease(device: string): Lease | null;
  clock: Clock;
  /** Tests whether the console answers over a new connection, for at most `within` milliseconds. */
  reach(within: number, signal: AbortSignal): Promise<Verdict>;
  names?(wans: readonly PlanLine[], within: number, signal: AbortSignal): Promise<NamesVerdict>;
  /** Called before the first step; `returned` after a rollback. */
  pending(pending: Pending): void;
  returned(returned: Returned): void;
  /** Called before connections are deleted, while their bytes can still be counted. */
  losing?(): Promise<void>;
  log(line: string): void;
}

/**
 * Network configuration of the gateway host. A change is journaled, applied, and verified over a new connection to the
 * console; if that fails it is rolled back. After a crash the next start rolls back.
 */
export class Box {
  readonly #options: BoxOptions;
  readonly #ended = new AbortController();
  #trial = new AbortController();
  #plan: Plan = emptyPlan;
  #uuid = 0;
  #owned: Ownership = nothingOwned;
  #lines: LineStates = {};
  #paths: Paths = {};
  #pending: Pending | null = null;
  #turn: Promise<unknown> = Promise.resolve();
  #changing: Promise<unknown> = Promise.resolve();

  constructor(options: BoxOptions) {
    this.#options = options;
  }

  get plan(): Plan {
    return this.#plan;
  }

  get pending(): Pending | null {
    return this.#pending;
  }

  get macsBefore(): Readonly<Record<string, string>> {
    const changed = this.#plan.links.filter((link) => link.kind === 'port' && link.mac !== undefined);
    const known = changed.map(({ device }) => [device, this.#owned.ports[device]?.mac] as const);
    return Object.fromEntries(known.flatMap(([device, mac]) => (mac === undefined ? [] : [[device, mac]])));
  }

  get lines(): LineStates {
    return this.#lines;
  }

  /**
   * Rolls back an interrupted change, then applies the confirmed plan; needs no console. Returns the rolled-back
   * change.
   */
  async begin(): Promise<Returned | null> {
    const { records, log, lease } = this.#options;
    const journal = unsettled(records);
    const sameBoot = (journal?.boot ?? records.applied.boot) === records.boot;
    const lines = [journal?.previous, journal?.next, records.applied.plan].flatMap((plan) => plan?.lines ?? []);
    // a WAN that was lost before the restart is still lost; marking it alive would send all traffic into it
    const ways = sameBoot ? ((await this.#options.ways?.()) ?? null) : null;
    if (sameBoot) this.#paths = (await this.#options.paths?.()) ?? {};
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
      // a re-render of the active configuration is not noted as rolled back
      if (uuid !== previousUuid) {
        taken = known?.uuid === uuid ? known : { uuid, reason: 'the agent ended before it was confirmed' };
        this.#note(taken);
      }
    }
    if (!sameBoot) {
      this.#owned = await this.#fresh(this.#plan);
      // before the first step: after a kill in between, the next start would take our entries for foreign ones
      this.#settled();
    }
    await this.#perform(this.#steps(emptyPlan, this.#plan, this.#owned), true);
    // routing continues even if the disk is full
    this.#settled();
    return taken;
  }

  /**
   * Applies the plan and keeps it if the console answers in time. One change at a time. Never rejects; a change that
   * cannot be journaled is not started.
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
    const { records, snapshot, clock, reach, names, log } = this.#options;
    const [previous, previousUuid, linesBefore] = [this.#plan, this.#uuid, this.#lines];
    if (isDeepStrictEqual(previous, next)) {
      this.#uuid = uuid;
      this.#settle();
      return { confirmed: true };
    }
    const owned = ownershipFor(this.#full(previous, linesBefore), next, this.#owned, await snapshot(next));
    const until = Math.ceil(clock.now() / 1000) + confirmSeconds;
    records.begin({ uuid, until, previous, previousUuid, next, owned });
    this.#pending = { uuid, until };
    this.#options.pending(this.#pending);
    const started = performance.now();
    let reason = await this.#go(next, uuid, owned);
    let warnings: readonly string[] = [];
    if (reason === null) {
      const left = () => Math.max(confirmSeconds * 1000 - (performance.now() - started), 1);
      this.#trial = new AbortController();
      const { signal } = this.#trial;
      if (this.#ended.signal.aborted) this.#trial.abort();
      const verdict = await reach(left(), signal);
      const wans = verdict.reached ? touchedWans(previous, next) : [];
      if (!verdict.reached) reason = `the console was not reached within ${confirmSeconds} s (${verdict.detail})`;
      else if (wans.length > 0 && names !== undefined)
        ({ failed: reason, warnings } = await names(wans, left(), signal));
      if (signal.aborted && reason !== null) reason = 'the agent was told to end before the console was reached';
    }
    reason ??= this.#settled();
    if (reason === null) {
      this.#pending = null;
      const stays = ({ device, mark, fixed }: PlanLine) =>
        next.lines.some((line) => line.device === device && isDeepStrictEqual([line.mark, line.fixed], [mark, fixed]));
      await this.#inTurn(() => this.#forget(previous.lines.filter((line) => !stays(line))));
      return { confirmed: true, ...(warnings.length > 0 ? { warnings } : {}) };
    }
    log(`configuration ${uuid} is taken back: ${reason}`);
    await this.#inTurn(async () => {
      const tried = this.#now();
      this.#take(previous, previousUuid, owned);
      this.#lines = linesBefore;
      await this.#perform(this.#changes(tried, this.#full(previous, linesBefore), owned), true);
    });
    this.#pending = null;
    // a re-render of the active configuration is not refused permanently because the console was offline
    const returned = uuid === previousUuid ? null : { uuid, reason };
    if (returned !== null) this.#note(returned);
    // if this write fails, the journal remains and the next start repeats the rollback, which is harmless
    this.#settled();
    if (returned !== null) this.#options.returned(returned);
    return { confirmed: false, reason };
  }

  get paths(): Paths {
    return this.#paths;
  }

  /** Moves SD-WAN prefixes to other devices. Ignored while a change awaits the console. */
  path(moved: Paths): Promise<void> {
    return this.#inTurn(async () => {
      if (this.#pending !== null || this.#ended.signal.aborted) return;
      const before = this.#now();
      this.#paths = { ...this.#paths, ...moved };
      await this.#perform(this.#changes(before, this.#now(), this.#owned), true);
    });
  }

  line(device: string, state: Partial<LineState>): Promise<void> {
    return this.#inTurn(async () => {
      const line = this.#plan.lines.find((one) => one.device === device);
      if (line === undefined) return;
      const old = this.#lines[device] ?? { lease: null, alive: true };
      const fresh = { ...old, ...state };
      if (isDeepStrictEqual(old, fresh)) return;
      const before = this.#now();
      this.#lines = { ...this.#lines, [device]: fresh };
      const after = this.#now();
      await this.#perform(this.#changes(before, after, this.#owned), true);
      // also connections of a lost WAN that was the only way out until now, and of an address that changed
      const moved = old.lease !== null && fresh.lease !== null && old.lease.address !== fresh.lease.address;
      const over = (one: PlanLine) => (isWayOut(before, one) && !isWayOut(after, one)) || (moved && one === line);
      await this.#forget(this.#plan.lines.filter(over));
    });
  }

  /**
   * Restores missing parts of the active plan. `look` returns the drift; it is called before and after. Returns what is
   * still missing. Returns null during a change, without drift, or if the state is unreadable.
   */
  heal(look: (wanted: Plan) => Promise<Drift | null>): Promise<readonly string[] | null> {
    return this.#inTurn(async () => {
      if (this.#pending !== null || this.#ended.signal.aborted) return null;
      const wanted = this.#now();
      const drift = await look(wanted);
      if (drift === null || drift.missing.length === 0) return null;
      const { intruders } = drift;
      if (intruders.length > 0) {
        const known = (route: ForeignRoute) => this.#owned.aside.some((one) => isDeepStrictEqual(one, route));
        const aside = [...this.#owned.aside, ...intruders.filter((route) => !known(route))];
        this.#owned = { ...this.#owned, aside };
        // noted on disk, so that they are restored when the WAN is removed
        this.#settled();
      }
      await this.#perform([...intruders.map(setAside), ...this.#changes(drift.present, wanted, this.#owned)], true);
      return (await look(wanted))?.missing ?? null;
    });
  }

  /** Removes all our configuration from the host and deletes the records. */
  async clear(): Promise<void> {
    // roll back a pending change first: later it would restore its previous plan
    this.#trial.abort();
    await this.#changing;
    await this.#inTurn(async () => {
      await this.#perform(this.#steps(this.#plan, emptyPlan, this.#owned), true);
      this.#take(emptyPlan, 0, nothingOwned);
      this.#options.records.forget();
    });
  }

  /** Rolls back a pending change at once. Resolves when the host is no longer modified. */
  async close(): Promise<void> {
    this.#ended.abort();
    this.#trial.abort();
    await this.#changing;
    await this.#turn;
  }

  /** Returns the plan with what WAN states and failover add to it. */
  #full(plan: Plan, lines: LineStates): Plan {
    return withPaths(withLines(plan, lines), this.#paths);
  }

  #now(): Plan {
    return this.#full(this.#plan, this.#lines);
  }

  #go(next: Plan, uuid: number, owned: Ownership): Promise<string | null> {
    return this.#inTurn(async () => {
      const before = this.#now();
      this.#take(next, uuid, owned);
      const steps = this.#changes(before, this.#full(next, this.#lines), owned);
      return this.#perform(steps, false);
    });
  }

  #steps(before: Plan, after: Plan, owned: Ownership): Step[] {
    return this.#changes(this.#full(before, this.#lines), this.#full(after, this.#lines), owned);
  }

  async #perform(steps: readonly Step[], keepGoing: boolean): Promise<string | null> {
    let complaint: string | null = null;
    for (const step of steps) {
      if (this.#ended.signal.aborted && !keepGoing) return complaint ?? 'the agent was stopped';
      // at start no bytes have been counted yet
      if (step.do === 'disconnect' && this.#pending !== null) await within(losingPatience, this.#options.losing?.());
      try {
        await this.#options.executor.perform(step);
      } catch (error) {
        const said = error instanceof Error ? error.message : String(error);
        this.#options.log(said);
        if (step.do === 'run' && step.optional) continue;
        complaint ??= said;
        if (!keepGoing) return complaint;
      }
    }
    return complaint;
  }

  async #forget(lines: readonly PlanLine[]): Promise<void> {
    if (lines.length === 0) return;
    await within(losingPatience, this.#options.losing?.());
    await this.#perform(lines.map(forgetConnections), true);
  }

  async #fresh(plan: Plan): Promise<Ownership> {
    return ownershipFor(emptyPlan, plan, nothingOwned, await this.#options.snapshot(plan));
  }

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

/** Time limit for counting before connections are deleted, in milliseconds; WAN changes must not wait longer. */
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

function isWayOut({ routes }: Plan, { device }: PlanLine): boolean {
  return routes.some((route) => route.table === mainTable && route.to === 'default' && route.device === device);
}
