import type { fleet as contract, DataOf, GatewayReason } from '@yunxun/contract';
import { isRecord } from '@yunxun/contract/device';
import type { Tx } from '../../../platform/database/index.ts';
import { readLatestEdge } from '../../../telemetry/index.ts';
import { capabilitiesOf } from '../device-store.ts';

type Facts = Pick<DataOf<typeof contract.networkDetail>, 'lines' | 'disk' | 'gateway_reason'>;

const without = (gateway_reason: GatewayReason): Facts => ({ lines: null, disk: null, gateway_reason });

/** Returns WANs and disk of the last report, or why they are unknown. `serial` null: no router. */
export async function gatewayFacts(tx: Tx, accountId: string, serial: string | null): Promise<Facts> {
  if (serial === null) return without('no_gateway');
  const capabilities = await capabilitiesOf(tx, accountId, serial);
  if (!isRecord(capabilities) || !isRecord(capabilities.yunxun)) return without('not_agent');
  const edge = await readLatestEdge(tx, { accountId, serial });
  if (!edge) return without('no_report');
  const lines = edge.lines.map((wan) => ({
    ...wan,
    since: wan.since === null ? null : new Date(wan.since * 1000).toISOString(),
  }));
  return { lines, disk: edge.disk, gateway_reason: null };
}
