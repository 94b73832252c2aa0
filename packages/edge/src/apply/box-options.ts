import type { Clock } from '../clock.ts';
import type { Plan, PlanLine } from '../render/plan.ts';
import type { Drift } from './drift.ts';
import type { Records, Returned } from './records.ts';
import type { TakeSnapshot } from './snapshot.ts';
import type { Executor } from './step.ts';
import type { Paths } from './tunnels.ts';
import type { Verdict } from './verify.ts';
import type { NamesVerdict } from './wan-names.ts';
import type { Lease } from './wans.ts';

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
  /** Whether a cable is in the device. Default: no DHCP lease is waited for. */
  hasCarrier?(device: string): boolean;
  clock: Clock;
  /** Milliseconds of a clock that is never set. Default: `performance.now`. */
  elapsed?(): number;
  /** Tests whether the console answers over a new connection, for at most `within` milliseconds. */
  reach(within: number, signal: AbortSignal): Promise<Verdict>;
  names?(wans: readonly PlanLine[], within: number, signal: AbortSignal): Promise<NamesVerdict>;
  /** Returns what the host lacks of a plan (with WAN states); null if that is unreadable. */
  drift?(wanted: Plan): Promise<Drift | null>;
  /** Called before the first step; `returned` after a rollback. */
  pending(pending: Pending): void;
  returned(returned: Returned): void;
  /** Called before connections are deleted, while their bytes can still be counted. */
  losing?(): Promise<void>;
  log(line: string): void;
}
