import type pg from 'pg';
import type { ReportDigest } from '../../uplink/ports.ts';
import type { TerminalEvent } from '../extract/events.ts';

/** What a worker is started with. */
export interface WorkerData {
  /** How the system role connects. */
  connection: pg.ClientConfig;
}

/** Something a device said, on its way to the worker: a frame that looks like a state report, or a terminal's event. */
export interface Head {
  id: number;
  accountId: string;
  serial: string;
  /** Number of the session it came in. */
  epoch: number;
  /** Arrival, milliseconds. */
  at: number;
  /** Length of its frame in `frames`; 0 of an event. */
  bytes: number;
  event: TerminalEvent | null;
}

/** To the worker. `flush` is answered when the running totals of sessions are written. The frames lie one after the other in one buffer, which goes over without being copied. */
export type ToWorker =
  | { type: 'work'; heads: Head[]; frames: Uint8Array<ArrayBuffer> }
  | { type: 'flush' }
  | { type: 'stop' };

/** What became of one. `inflated` is what inflating it brought, bytes. */
export type Result = { id: number; inflated: number } & (
  | { outcome: 'committed'; digest: ReportDigest | null }
  | { outcome: 'refused' }
  | { outcome: 'other' }
  | { outcome: 'invalid'; why: string }
);

/** Seconds that a batch took, by stage; `parse` is inflating, parsing and extracting. */
export type Stages = Record<'parse' | 'load' | 'count' | 'copy' | 'write' | 'commit', number>;

/** Bytes that the worker holds: of its heap, and outside of it. */
export type Held = Pick<NodeJS.MemoryUsage, 'heapUsed' | 'heapTotal' | 'external'>;

/** From the worker. */
export type FromWorker =
  | { type: 'memory'; held: Held }
  | { type: 'done'; results: Result[]; clamped: number; batch: { seconds: number; stages: Stages } | null }
  | { type: 'log'; level: 'info' | 'warn' | 'error'; text: string; fields: Record<string, unknown> }
  | { type: 'flushed' }
  | { type: 'stopped' };
