import type { SourceState } from '@yunxun/contract';
import type { AppFlowSource, CategoryFlow } from '../../telemetry/read/index.ts';

/** Returns none, some or all. */
export function sourceOf({ networks: fed }: AppFlowSource, networks: number): SourceState {
  const fedNetworks = new Set(fed.map(({ gwid }) => gwid)).size;
  if (fedNetworks === 0) return 'none';
  return fedNetworks < networks ? 'partial' : 'complete';
}

export function coverageOf(
  { networks: fed }: AppFlowSource,
  categories: readonly Pick<CategoryFlow, 'down' | 'up'>[],
  from: Date,
): { measured: number | null; measured_since: string | null } {
  if (fed.length === 0) return { measured: null, measured_since: null };
  const first = Math.min(...fed.map(({ since }) => since.getTime()));
  return {
    measured: categories.reduce((sum, { down, up }) => sum + down + up, 0),
    measured_since: new Date(Math.max(first, from.getTime())).toISOString(),
  };
}
