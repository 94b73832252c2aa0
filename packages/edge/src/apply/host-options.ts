import type { Clock } from '../clock.ts';
import type { Plan, PlanWan } from '../render/plan.ts';
import type { Drift } from './drift.ts';
import type { Records, Returned } from './records.ts';
import type { TakeSnapshot } from './snapshot.ts';
import type { Executor } from './step.ts';
import type { Paths } from './tunnels.ts';
import type { Verdict } from './verify.ts';
import type { NamesVerdict } from './wan-names.ts';
import type { Lease } from './wans.ts';

/** Until Unix seconds. */
export interface Pending {
  uuid: number;
  until: number;
}

/** `warnings` cause no rollback. */
export type Outcome = { confirmed: true; warnings?: readonly string[] } | { confirmed: false; reason: string };

export interface HostOptions {
  records: Records;
  executor: Executor;
  snapshot: TakeSnapshot;
  run: string;
  /** Folder of the DHCP hook; must allow execution. Default: `run`. */
  hooks?: string;
  ways?(): Promise<ReadonlySet<string> | null>;
  /** Returns the devices of the SD-WAN prefixes, as left by the previous agent. */
  paths?(): Promise<Paths | null>;
  lease(device: string): Lease | null;
  /** Defaults to waiting for no lease. */
  hasCarrier?(device: string): boolean;
  clock: Clock;
  /** Returns milliseconds of a clock that is never set. Default: `performance.now`. */
  elapsed?(): number;
  /** Tests over a new connection whether the console answers within milliseconds. */
  reach(within: number, signal: AbortSignal): Promise<Verdict>;
  names?(wans: readonly PlanWan[], within: number, signal: AbortSignal): Promise<NamesVerdict>;
  /** Returns what the host lacks of a plan (with WAN states); null if unreadable. */
  drift?(wanted: Plan): Promise<Drift | null>;
  /** Runs before the first step; `returned` after a rollback. */
  pending(pending: Pending): void;
  returned(returned: Returned): void;
  /** Runs before connections are deleted, while their bytes can be counted. */
  losing?(): Promise<void>;
  log(line: string): void;
}
