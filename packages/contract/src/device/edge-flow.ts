import type { ApplicationCategory } from '../enums.ts';

/** Deltas, unlike counters, must not be dropped: a message stays until acknowledged (`yunxun.taken`), one at a time. */

export const edgeFlowMethod = 'yunxun.flow';
/** Acknowledgement from the console; a notification. */
export const edgeTakenMethod = 'yunxun.taken';

export interface EdgeFlowParams {
  serial: string;
  /** Across restarts; never reused. */
  seq: number;
  /** Close time, Unix seconds. */
  at: number;
  rows: readonly EdgeFlowRow[];
}

/** Five minutes (before 2026-11: a quarter hour); later messages may add. */
export interface EdgeFlowRow {
  /** Unix seconds. */
  at: number;
  mac: string;
  category: ApplicationCategory;
  /** IP bytes to (`down`) and from the client. */
  down: number;
  up: number;
  uses: number;
}

/** Up to this number. */
export interface EdgeTakenParams {
  serial: string;
  seq: number;
}

export const edgeFlowMaxRows = 2000;
