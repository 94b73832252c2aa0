import { layers as contract } from '@yunxun/contract';
import { better, matchOfName } from '../../platform/search/index.ts';
import type { Configuration } from '../configuration/index.ts';
import type { Hit, SearchRequest, SearchSource } from '../search/index.ts';

export function templateSearch(configuration: Pick<Configuration, 'layers'>): SearchSource {
  return { permission: 'config.read', find: (request) => searchTemplates(configuration, request) };
}

/** Finds by name, initials, or an SSID, shown as detail. Callers limited to some networks find none. */
async function searchTemplates(
  { layers }: Pick<Configuration, 'layers'>,
  { tx, accountId, gwids, word }: SearchRequest,
): Promise<Hit[]> {
  if (gwids) return [];
  const hits: Hit[] = [];
  for (const kind of contract.templateKinds) {
    const all = await layers.list(tx, accountId, kind);
    if (all.length === 0) continue;
    const contents = await layers.contents(tx, accountId, all);
    for (const { id, name } of all) {
      const byName = await matchOfName(name, word);
      const ssids = await Promise.all(
        (contents.get(id)?.ssids ?? []).map(async (each) => ({
          name: each.name,
          match: await matchOfName(each.name, word),
        })),
      );
      const bySsid = ssids.map((ssid) => ssid.match).reduce(better, null);
      const match = better(byName, bySsid);
      if (!match) continue;
      const detail = byName ? null : (ssids.find((ssid) => ssid.match === bySsid)?.name ?? null);
      hits.push({
        kind: 'template' as const,
        id,
        title: name,
        detail,
        type: kind,
        gwid: null,
        network: null,
        status: null,
        match,
      });
    }
  }
  return hits;
}
