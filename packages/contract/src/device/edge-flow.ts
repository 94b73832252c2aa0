import type { ApplicationCategory } from '../enums.ts';

/**
 * Flow by application, as the agent of a gateway counts it. A message of its own (`yunxun.flow`): absolute numbers of a
 * state report may be given up for newer ones, these may not. The device keeps a message until the console has said that it
 * took it (`yunxun.taken`), and sends one at a time, so that numbers arrive in their order.
 */

/** Method of the message from the device. */
export const edgeFlowMethod = 'yunxun.flow';
/** Method of the console's word that it has it; a notification, without an answer. */
export const edgeTakenMethod = 'yunxun.taken';

/** Parameters of `yunxun.flow`. */
export interface EdgeFlowParams {
  serial: string;
  /** Grows with each message, over restarts too, and never comes again with other rows. */
  seq: number;
  /** When the message was closed, Unix seconds. */
  at: number;
  rows: readonly EdgeFlowRow[];
}

/** What one station did in a category within a quarter of an hour (of this message: the next may add to it). */
export interface EdgeFlowRow {
  /** Begin of the quarter, Unix seconds. */
  at: number;
  /** Twelve hexadecimal digits. */
  mac: string;
  category: ApplicationCategory;
  /** Bytes of IP packets to the station, and from it. */
  down: number;
  up: number;
  /** Connections that were begun. */
  uses: number;
}

/** Parameters of `yunxun.taken`: everything up to this number is the console's. */
export interface EdgeTakenParams {
  serial: string;
  seq: number;
}

/** Most rows of one message. */
export const edgeFlowMostRows = 2000;
