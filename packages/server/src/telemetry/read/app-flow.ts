import type { ApplicationCategory } from '@yunxun/contract';
import type { Tx } from '../../platform/database/index.ts';
import type { Reach, Span } from './types.ts';

/** Bytes and uses of a category. */
export interface CategoryFlow {
  category: ApplicationCategory;
  down: number;
  up: number;
  uses: number;
}

/** Whether anybody tells the flow of these networks by category. */
export interface AppFlowSource {
  /** Networks with a source; those of the reach without one say "no source". */
  networks: { gwid: string; kind: 'edge' | 'ipfix'; since: Date; lastAt: Date }[];
}

/** Who feeds the flow by category. No network in the answer: no source, and no number may be shown. */
export async function appFlowSources(_tx: Tx, _accountId: string, _reach: Reach): Promise<AppFlowSource> {
  throw new Error('not yet');
}

/** Flow by category over a span, most bytes first. */
export async function appFlowTotals(_tx: Tx, _accountId: string, _query: Reach & Span): Promise<CategoryFlow[]> {
  throw new Error('not yet');
}

/** Flow by category and four-hour slot of the local day: 0 is 0–4 h, 5 is 20–24 h. */
export async function appFlowBySlot(
  _tx: Tx,
  _accountId: string,
  _query: Reach & Span & { zone: string },
): Promise<(CategoryFlow & { slot: number })[]> {
  throw new Error('not yet');
}

/** Categories by uses, most first. */
export async function appFlowRanking(_tx: Tx, _accountId: string, _query: Reach & Span): Promise<CategoryFlow[]> {
  throw new Error('not yet');
}
