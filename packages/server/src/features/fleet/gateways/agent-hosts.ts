import { asRecord, asText, type Capabilities, type EdgeCapabilities } from '@yunxun/contract/device';
import { sql } from 'kysely';
import type { Tx } from '../../../platform/database/index.ts';
import { fleet } from '../tables.ts';

export interface AgentHost {
  serial: string;
  name: string;
  gwid: string | null;
  network: string | null;
  online: boolean;
  /** Otherwise it gets no settings. */
  confirmed: boolean;
  agent: string | null;
  /** Null: agent without plugins. */
  arch: string | null;
}

/** Returns visible gateways and edge agents by name; `serials`: only these. */
export async function agentHosts(tx: Tx, accountId: string, serials?: readonly string[]): Promise<AgentHost[]> {
  const rows = await fleet(tx)
    .selectFrom('device')
    .leftJoin('network', (join) =>
      join.onRef('network.account_id', '=', 'device.account_id').onRef('network.gwid', '=', 'device.gwid'),
    )
    .select(['device.serial', 'device.remark as name', 'device.gwid', 'network.remark as network', 'device.online'])
    .select(['device.confirmed', 'device.capabilities'])
    .where('device.account_id', '=', accountId)
    .where(sql<boolean>`(device.kind = 'gateway' or device.capabilities ? 'yunxun')`)
    .$if(serials !== undefined, (query) => query.where('device.serial', 'in', [...(serials ?? []), '']))
    .orderBy('device.remark')
    .orderBy('device.serial')
    .execute();
  return rows.map(({ capabilities, ...row }) => {
    const { yunxun } = asRecord<Capabilities>(capabilities);
    const edge = asRecord<EdgeCapabilities>(yunxun);
    const runs = asRecord<EdgeCapabilities['abilities']>(edge.abilities).plugins === true;
    return { ...row, agent: asText(edge.agent, 32), arch: runs ? asText(edge.arch, 16) : null };
  });
}
