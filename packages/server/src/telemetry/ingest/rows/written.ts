import type { StagingTable, Value } from './staging.ts';

export type Rows = Record<StagingTable, Value[][]>;

export interface Written {
  rows: Rows;
  clamped: number;
  /** `YYYY-MM-DD`, UTC. */
  days: Set<string>;
}

export const nothingWritten = (): Written => ({
  rows: { in_device: [], in_sample: [], in_revision: [], in_session: [], in_share: [] },
  clamped: 0,
  days: new Set(),
});
