import type pg from 'pg';
import type { ReportDigest } from '../../uplink/ports.ts';
import type { TerminalEvent } from '../extract/events.ts';

export interface WorkerData {
  connection: pg.ClientConfig;
}

/** Of a possible state report, or an event. */
export interface Head {
  id: number;
  accountId: string;
  serial: string;
  epoch: number;
  /** Arrival, milliseconds. */
  at: number;
  /** Frame length; 0 for an event. */
  bytes: number;
  event: TerminalEvent | null;
  upstream: readonly string[];
}

export interface SessionKey {
  serial: string;
  mac: string;
  bssid: string;
}

/** `flush`: all session totals, `complete`: those of these sessions. `frames` is transferred, not copied. */
export type ToWorker =
  | { type: 'work'; heads: Head[]; frames: Uint8Array<ArrayBuffer> }
  | { type: 'flush' }
  | { type: 'complete'; id: number; accountId: string; sessions: readonly SessionKey[] }
  | { type: 'stop' };

/** `inflated`: bytes, 0 if not deflated. */
export type Result = { id: number; inflated: number } & (
  | { outcome: 'committed'; digest: ReportDigest | null }
  | { outcome: 'refused' }
  | { outcome: 'other' }
  | { outcome: 'invalid'; why: string }
);

/** Seconds per stage; `parse` includes inflating. */
export type Stages = Record<'parse' | 'load' | 'count' | 'copy' | 'write' | 'commit', number>;

/** A client came, went, moved or signed in. */
export interface ChangedNetwork {
  accountId: string;
  gwid: string;
}

export type Held = Pick<NodeJS.MemoryUsage, 'heapUsed' | 'heapTotal' | 'external'>;

export type FromWorker =
  | { type: 'memory'; held: Held }
  | { type: 'done'; results: Result[]; clamped: number; batch: { seconds: number; stages: Stages } | null }
  | { type: 'log'; level: 'info' | 'warn' | 'error'; text: string; fields: Record<string, unknown> }
  /** The database's disk became full or has space again. */
  | { type: 'room'; enough: boolean }
  | { type: 'clients'; networks: ChangedNetwork[] }
  | { type: 'flushed' }
  | { type: 'completed'; id: number }
  | { type: 'stopped' };
