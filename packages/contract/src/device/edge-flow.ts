import type { ApplicationCategory } from '../enums.ts';

/**
 * Application flow in its own message: unlike absolute counters, these deltas must not be dropped. The agent keeps each
 * message until acknowledged (`yunxun.taken`), one at a time to preserve order.
 */

export const edgeFlowMethod = 'yunxun.flow';
/** Acknowledgement from the console; a notification. */
export const edgeTakenMethod = 'yunxun.taken';

export interface EdgeFlowParams {
  serial: string;
  /** Increases across restarts; never reused. */
  seq: number;
  /** Close time, Unix seconds. */
  at: number;
  rows: readonly EdgeFlowRow[];
}

/** Client and category in five minutes (agents before 2026-11: a quarter hour); the next message may add to it. */
export interface EdgeFlowRow {
  /** Start of the five minutes, Unix seconds. */
  at: number;
  mac: string;
  category: ApplicationCategory;
  /** IP bytes to (`down`) and from the client. */
  down: number;
  up: number;
  uses: number;
}

/** Acknowledges all messages up to this number. */
export interface EdgeTakenParams {
  serial: string;
  seq: number;
}

export const edgeFlowMostRows = 2000;
