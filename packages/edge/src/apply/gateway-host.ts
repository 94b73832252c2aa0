import { isDeepStrictEqual } from 'node:util';
import { emptyPlan, type Plan, type PlanWan } from '../render/plan.ts';
import { givesWay, owedRoutes } from './aside.ts';
import { changes } from './changes.ts';
import { type Collision, collisionsOf } from './collisions.ts';
import { type Judgement, judge } from './commit-confirm.ts';
import { type Drift, isDefaultRoute } from './drift.ts';
import { putBack, setAside } from './entries.ts';
import type { HostOptions, Outcome, Pending } from './host-options.ts';
import { type ForeignRoute, keptFor, nothingOwned, type Ownership, outwardDevices, ownershipFor } from './ownership.ts';
import { type Returned, unsettled } from './records.ts';
import type { Step } from './step.ts';
import { StepRunner } from './step-runner.ts';
import { type Paths, withPaths } from './tunnels.ts';
import { touchedWans } from './wan-names.ts';
import { carried, isWayOut, leftBehind, type WanState, type WanStates, withWans } from './wans.ts';

/**
 * Journals, applies and verifies a change over a new connection to the console, else rolls back. After a crash the next
 * start rolls back.
 */
export class GatewayHost {
  readonly #options: HostOptions;
  readonly #ended = new AbortController();
  readonly #runner: StepRunner;
  #trial = new AbortController();
  #plan: Plan = emptyPlan;
  #uuid = 0;
  #owned: Ownership = nothingOwned;
  #lines: WanStates = {};
  #paths: Paths = {};
  #pending: Pending | null = null;
  /** Missing foreign default routes. */
  #owed: readonly ForeignRoute[] = [];
  #returning = false;
  #turn: Promise<unknown> = Promise.resolve();
  #changing: Promise<unknown> = Promise.resolve();

  constructor(options: HostOptions) {
    this.#options = options;
    const { executor, losing, log } = options;
    const counting = { ...(losing && { losing }), counts: () => this.#pending !== null };
    this.#runner = new StepRunner({ executor, log, signal: this.#ended.signal, ...counting });
  }

  get plan(): Plan {
    return this.#plan;
  }

  get pending(): Pending | null {
    return this.#pending;
  }

  get collisions(): readonly Collision[] {
    return collisionsOf(this.#plan, this.#lines);
  }

  /** Whether the last rollback does not hold yet; its journal stays until it does. */
  get returning(): boolean {
    return this.#returning;
  }

  get macsBefore(): Readonly<Record<string, string>> {
    const changed = this.#plan.links.filter((link) => link.kind === 'port' && link.mac !== undefined);
    const known = changed.map(({ device }) => [device, this.#owned.ports[device]?.mac] as const);
    return Object.fromEntries(known.flatMap(([device, mac]) => (mac === undefined ? [] : [[device, mac]])));
  }

  get lines(): WanStates {
    return this.#lines;
  }

  /**
   * Rolls back an interrupted change, then applies the confirmed plan, without the console. Returns the rolled-back
   * change.
   */
  async begin(): Promise<Returned | null> {
    const { records, log, lease } = this.#options;
    const journal = unsettled(records);
    const sameBoot = (journal?.boot ?? records.applied.boot) === records.boot;
    const wans = [journal?.previous, journal?.next, records.applied.plan].flatMap((plan) => plan?.lines ?? []);
    // a WAN lost before the restart is still lost; alive it would attract all traffic
    const ways = sameBoot ? ((await this.#options.ways?.()) ?? null) : null;
    if (sameBoot) this.#paths = (await this.#options.paths?.()) ?? {};
    const isAlive = (device: string) => ways === null || ways.size === 0 || ways.has(device);
    this.#lines = Object.fromEntries(
      wans.map(({ device }) => [device, { lease: lease(device), alive: isAlive(device) }]),
    );
    let taken: Returned | null = null;
    if (journal === null) {
      const applied = records.applied;
      this.#found(applied.plan, applied.uuid, applied.owned);
    } else {
      const { uuid, previous, previousUuid, next, owned, boot } = journal;
      log(`configuration ${uuid} was not confirmed when the agent ended: back to ${previousUuid}`);
      const tried = this.#full(next, this.#lines);
      this.#found(previous, previousUuid, owned);
      if (boot === records.boot) await this.#restore(tried);
      const known = records.returned;
      // re-renders of the active configuration are not noted
      if (uuid !== previousUuid) {
        taken = known?.uuid === uuid ? known : { uuid, reason: 'the agent ended before it was confirmed' };
        this.#note(taken);
      }
    }
    if (!sameBoot) {
      this.#owned = await this.#fresh(this.#plan);
      // first: after a kill, the next start would take our entries for foreign ones
      this.#settled();
    }
    await this.#runner.perform(this.#steps(emptyPlan, this.#plan, this.#owned), true);
    // routing continues on a full disk
    this.#settled();
    return taken;
  }

  /**
   * Keeps the plan if the console answers in time. One change at a time. Never rejects; without a journal nothing
   * starts.
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
    const { records, snapshot, clock, log } = this.#options;
    const [previous, previousUuid, wansBefore] = [this.#plan, this.#uuid, this.#lines];
    if (isDeepStrictEqual(previous, next)) {
      // sent again to repair the host
      const failed = await this.#inTurn(() => this.#runner.perform(this.#steps(emptyPlan, next, this.#owned), true));
      this.#uuid = uuid;
      this.#settle();
      return failed === null ? { confirmed: true } : { confirmed: true, warnings: [failed] };
    }
    const owned = ownershipFor(this.#full(previous, wansBefore), next, this.#owned, await snapshot(next));
    const until = Math.ceil(clock.now() / 1000) + confirmSeconds;
    records.begin({ uuid, until, previous, previousUuid, next, owned });
    this.#pending = { uuid, until };
    this.#options.pending(this.#pending);
    const elapsed = this.#options.elapsed ?? (() => performance.now());
    const started = elapsed();
    const [window, touched] = [confirmSeconds * 1000, touchedWans(previous, next)];
    let reason = await this.#go(next, uuid, owned, touched);
    let warnings: readonly string[] = [];
    if (reason === null) {
      const left = () => Math.max(window - (elapsed() - started), 1);
      ({ reason, warnings } = await this.#judge(touched, window, left));
    }
    // routes that only the trial set aside
    if (reason === null) await this.#inTurn(() => this.#giveBack());
    if (reason === null) this.#returning = false;
    reason ??= this.#settled();
    if (reason === null) {
      this.#pending = null;
      const stays = ({ device, mark, fixed }: PlanWan) =>
        next.lines.some((wan) => wan.device === device && isDeepStrictEqual([wan.mark, wan.fixed], [mark, fixed]));
      await this.#inTurn(() => this.#runner.forget(previous.lines.filter((wan) => !stays(wan))));
      return { confirmed: true, ...(warnings.length > 0 ? { warnings } : {}) };
    }
    log(`configuration ${uuid} is taken back: ${reason}`);
    await this.#inTurn(async () => {
      const tried = this.#now();
      this.#take(previous, previousUuid, owned);
      this.#lines = wansBefore;
      await this.#restore(tried);
    });
    this.#pending = null;
    // a re-render is not refused permanently because the console was offline
    const returned = uuid === previousUuid ? null : { uuid, reason };
    if (returned !== null) this.#note(returned);
    // a remaining journal repeats the rollback, which is harmless
    this.#settled();
    if (returned !== null) this.#options.returned(returned);
    return { confirmed: false, reason };
  }

  async #judge(touched: readonly PlanWan[], window: number, left: () => number): Promise<Judgement> {
    const { lease, reach, names, hasCarrier, clock } = this.#options;
    this.#trial = new AbortController();
    const { signal } = this.#trial;
    if (this.#ended.signal.aborted) this.#trial.abort();
    const look = async () => {
      const dynamic = hasCarrier === undefined ? [] : touched.filter(({ fixed }) => fixed === null);
      for (const { device } of dynamic) await this.updateWan(device, { lease: lease(device) });
      return this.#lines;
    };
    const replaced = () => this.#inTurn(() => this.#repair(this.#now(), isDefaultRoute));
    const options = { reach, clock, replaced, ...(names && { names }), ...(hasCarrier && { hasCarrier }) };
    const judged = await judge({ ...options, touched, look, window, left, signal });
    if (!signal.aborted || judged.reason === null) return judged;
    return { ...judged, reason: 'the agent was told to end before the console was reached' };
  }

  /** Restores the active plan at most `restores` times; `heal` does the rest. */
  async #restore(tried: Plan): Promise<void> {
    const wanted = this.#now();
    this.#returning = true;
    for (let time = 0; this.#returning && time < restores; time += 1) {
      const failed = await this.#runner.perform(this.#changes(tried, wanted, this.#owned), true);
      if (await this.#repair(wanted, () => true)) continue;
      await this.#giveBack();
      if (failed === null && this.#owed.length === 0) this.#returning = false;
    }
    if (this.#returning)
      this.#options.log('the configuration before does not hold yet: the agent goes on restoring it');
  }

  async #repair(wanted: Plan, counts: (missing: string) => boolean): Promise<boolean> {
    const drift = (await this.#options.drift?.(wanted)) ?? null;
    if (drift === null || !drift.missing.some(counts)) return false;
    await this.#runner.perform(this.#changes(drift.present, wanted, this.#owned), true);
    return true;
  }

  /** Restores foreign default routes that no WAN of the active plan replaces. */
  async #giveBack(): Promise<void> {
    if ((await this.#look()).length === 0) return;
    await this.#runner.perform(this.#owed.flatMap(putBack), true);
    await this.#look();
  }

  async #look(): Promise<readonly ForeignRoute[]> {
    const wanted = this.#now();
    this.#owed = this.#owned.aside.some(({ device }) => !givesWay(wanted, device))
      ? owedRoutes(wanted, this.#owned, await this.#options.snapshot(wanted), this.#returning)
      : [];
    return this.#owed;
  }

  get paths(): Paths {
    return this.#paths;
  }

  /** Moves SD-WAN prefixes; ignored while a change awaits the console. */
  path(moved: Paths): Promise<void> {
    return this.#inTurn(async () => {
      if (this.#pending !== null || this.#ended.signal.aborted) return;
      const before = this.#now();
      this.#paths = { ...this.#paths, ...moved };
      await this.#runner.perform(this.#changes(before, this.#now(), this.#owned), true);
    });
  }

  updateWan(device: string, state: Partial<WanState>): Promise<void> {
    return this.#inTurn(async () => {
      const wan = this.#plan.lines.find((one) => one.device === device);
      if (wan === undefined) return;
      const old = this.#lines[device] ?? { lease: null, alive: true };
      const fresh = { ...old, ...state };
      if (isDeepStrictEqual(old, fresh)) return;
      const before = this.#now();
      this.#lines = { ...this.#lines, [device]: fresh };
      const after = this.#now();
      await this.#runner.perform(this.#changes(before, after, this.#owned), true);
      // also connections of a lost only way out, and of a changed address
      const moved = old.lease !== null && fresh.lease !== null && old.lease.address !== fresh.lease.address;
      const over = (one: PlanWan) => (isWayOut(before, one) && !isWayOut(after, one)) || (moved && one === wan);
      await this.#runner.forget([...this.#plan.lines.filter(over), ...leftBehind(before, after)]);
    });
  }

  /**
   * Restores missing parts. `look`, called before and after, returns the drift. Returns what is still missing; null
   * during a change, without drift, or if unreadable.
   */
  heal(look: (wanted: Plan) => Promise<Drift | null>): Promise<readonly string[] | null> {
    return this.#inTurn(async () => {
      if (this.#pending !== null || this.#ended.signal.aborted) return null;
      const wanted = this.#now();
      const drift = await look(wanted);
      if (drift === null) return null;
      await this.#giveBack();
      if (drift.missing.length === 0) {
        if (this.#returning && this.#owed.length === 0) {
          this.#returning = false;
          this.#settled();
        }
        return null;
      }
      const { intruders } = drift;
      if (intruders.length > 0) {
        const known = (route: ForeignRoute) => this.#owned.aside.some((one) => isDeepStrictEqual(one, route));
        const aside = [...this.#owned.aside, ...intruders.filter((route) => !known(route))];
        this.#owned = { ...this.#owned, aside };
        // on disk, to restore them when the WAN is removed
        this.#settled();
      }
      await this.#runner.perform(
        [...intruders.map(setAside), ...this.#changes(drift.present, wanted, this.#owned)],
        true,
      );
      return (await look(wanted))?.missing ?? null;
    });
  }

  async clear(): Promise<void> {
    // a pending change would later restore its previous plan
    this.#trial.abort();
    await this.#changing;
    await this.#inTurn(async () => {
      await this.#runner.perform(this.#steps(this.#plan, emptyPlan, this.#owned), true);
      this.#take(emptyPlan, 0, nothingOwned);
      this.#options.records.forget();
    });
  }

  /** Rolls back a pending change. Resolves when the host is no longer modified. */
  async close(): Promise<void> {
    this.#ended.abort();
    this.#trial.abort();
    await this.#changing;
    await this.#turn;
  }

  #full(plan: Plan, wans: WanStates): Plan {
    return withPaths(withWans(plan, wans), this.#paths);
  }

  #now(): Plan {
    return this.#full(this.#plan, this.#lines);
  }

  #go(next: Plan, uuid: number, owned: Ownership, touched: readonly PlanWan[]): Promise<string | null> {
    return this.#inTurn(async () => {
      const before = this.#now();
      this.#take(next, uuid, owned);
      const steps = this.#changes(before, this.#full(next, this.#lines), owned);
      // a WAN without a lease counts too: the console would be reached over its routes
      const devices = outwardDevices({ ...next, lines: touched });
      const aside = owned.aside.filter(({ device }) => devices.has(device)).map(setAside);
      return this.#runner.perform([...steps, ...aside], false);
    });
  }

  #steps(before: Plan, after: Plan, owned: Ownership): Step[] {
    return this.#changes(this.#full(before, this.#lines), this.#full(after, this.#lines), owned);
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
    if (this.#returning) return;
    this.#owned = keptFor(this.#plan, this.#owned, this.#owed);
    this.#options.records.settle({ uuid: this.#uuid, plan: this.#plan, owned: this.#owned });
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#turn.then(work, work);
    this.#turn = done.catch(() => {});
    return done;
  }
}

/** Immediate attempts. */
const restores = 3;
