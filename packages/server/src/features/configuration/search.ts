import { better, type Match, matchOfName } from '../../platform/search/index.ts';
import { fleetNetworks } from '../fleet/index.ts';
import type { Hit, SearchRequest, SearchSource } from '../search/index.ts';

export const ssidSearch: SearchSource = { permission: 'config.read', find: searchSsids };

/** Finds one result a name, with its network if only one. */
async function searchSsids({ tx, accountId, word, entries }: SearchRequest): Promise<Hit[]> {
  const bySsid = new Map<string, { match: Match; gwids: string[] }>();
  for (const { id: gwid, fields } of entries.ssid) {
    for (const ssid of fields) {
      const match = await matchOfName(ssid, word);
      if (!match) continue;
      const known = bySsid.get(ssid);
      bySsid.set(ssid, { match: better(match, known?.match ?? null)!, gwids: [...(known?.gwids ?? []), gwid] });
    }
  }
  const found = [...bySsid];
  const names = await fleetNetworks.names(
    tx,
    accountId,
    found.flatMap(([, { gwids }]) => gwids.slice(0, 1)),
  );
  return found.map(([ssid, { match, gwids }]) => {
    const gwid = gwids.length === 1 ? gwids[0]! : null;
    return {
      kind: 'ssid' as const,
      id: ssid,
      title: ssid,
      detail: null,
      type: null,
      status: null,
      match,
      gwid,
      network: gwid && (names.get(gwid) ?? null),
    };
  });
}
