import type { SourceState } from '@yunxun/contract';
import type { Tx } from '../../platform/database/index.ts';
import { appFlowSources } from '../../telemetry/read/index.ts';
import type { Asked } from './scope.ts';

/** Returns none, some or all. */
export async function sourceOf(tx: Tx, { accountId, gwids }: Asked, networks: number): Promise<SourceState> {
  const { networks: fed } = await appFlowSources(tx, accountId, { gwids });
  const fedNetworks = new Set(fed.map(({ gwid }) => gwid)).size;
  if (fedNetworks === 0) return 'none';
  return fedNetworks < networks ? 'partial' : 'complete';
}
