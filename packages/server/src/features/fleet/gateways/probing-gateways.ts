import { asRecord, type Capabilities, type EdgeCapabilities } from '@yunxun/contract/device';
import type { Tx } from '../../../platform/database/index.ts';
import { fleet } from '../tables.ts';

const lanTools = ['scan', 'wake', 'snapshot'] as const;
type LanTool = (typeof lanTools)[number];

export interface ProbingGateway {
  accountId: string;
  gwid: string;
  serial: string;
  online: boolean;
  probes: boolean;
  lanTools: ReadonlySet<LanTool>;
  shields: boolean;
  captures: boolean;
}

/** Omits networks without a gateway. */
export async function probingGateways(tx: Tx, gwids: readonly string[]): Promise<ReadonlyMap<string, ProbingGateway>> {
  if (gwids.length === 0) return new Map();
  const rows = await fleet(tx)
    .selectFrom('network')
    .innerJoin('device', (join) =>
      join.onRef('device.account_id', '=', 'network.account_id').onRef('device.serial', '=', 'network.gateway_serial'),
    )
    .select(['network.account_id', 'network.gwid', 'device.serial', 'device.online', 'device.capabilities'])
    .where('network.gwid', 'in', [...new Set(gwids)])
    .execute();
  return new Map(
    rows.map((row) => [
      row.gwid,
      {
        accountId: row.account_id,
        gwid: row.gwid,
        serial: row.serial,
        online: row.online,
        probes: abilitiesOf(row.capabilities).watch === true,
        lanTools: new Set(lanTools.filter((tool) => abilitiesOf(row.capabilities)[tool] === true)),
        shields: abilitiesOf(row.capabilities).shield === true,
        captures: abilitiesOf(row.capabilities).captive === true,
      },
    ]),
  );
}

function abilitiesOf(capabilities: unknown): Partial<Record<string, unknown>> {
  const { yunxun } = asRecord<Capabilities>(capabilities);
  return asRecord<EdgeCapabilities['abilities']>(asRecord<EdgeCapabilities>(yunxun).abilities);
}
