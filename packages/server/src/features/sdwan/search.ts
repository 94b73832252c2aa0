import { better, matchOfName } from '../../platform/search/index.ts';
import { fleetNetworks } from '../fleet/index.ts';
import { accounts } from '../identity/index.ts';
import type { Hit, SearchRequest, SearchSource } from '../search/index.ts';
import { readNodes } from './store.ts';
import { sdwanTables } from './tables.ts';

export const sdwanSearch: SearchSource = { permission: 'network.read', find: searchSdwan };

/**
 * Finds by name, or by group or member, shown as detail. Callers limited to some networks find none, nor accounts
 * without SD-WAN.
 */
async function searchSdwan({ tx, accountId, gwids, word }: SearchRequest): Promise<Hit[]> {
  if (gwids || !(await accounts.accountOf(tx, accountId)).sdwan_status) return [];
  const networks = await sdwanTables(tx)
    .selectFrom('sdwan_network')
    .select(['id', 'name'])
    .where('account_id', '=', accountId)
    .execute();
  if (networks.length === 0) return [];
  const groups = await sdwanTables(tx)
    .selectFrom('sdwan_group')
    .select(['network_id', 'name'])
    .where('account_id', '=', accountId)
    .execute();
  const nodes = await readNodes(tx, accountId);
  const gatewayNames = await fleetNetworks.names(tx, accountId, [...new Set(nodes.map(({ gwid }) => gwid))]);
  const parts = [
    ...groups,
    ...nodes.map(({ network_id, gwid }) => ({ network_id, name: gatewayNames.get(gwid) ?? '' })),
  ];
  const found = new Map<string, { name: string; match: Hit['match'] }>();
  for (const { network_id, name } of parts) {
    const match = await matchOfName(name, word);
    const before = found.get(network_id);
    if (match && (!before || better(before.match, match) !== before.match)) found.set(network_id, { name, match });
  }
  const hits = networks.map(async ({ id, name }): Promise<Hit[]> => {
    const byName = await matchOfName(name, word);
    const part = found.get(id);
    const match = byName ?? part?.match;
    if (!match) return [];
    const detail = byName ? null : part!.name;
    const none = { type: null, gwid: null, network: null, status: null };
    return [{ kind: 'sdwan', id, title: name, detail, ...none, match }];
  });
  return (await Promise.all(hits)).flat();
}
