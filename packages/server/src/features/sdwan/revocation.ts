import type { EdgeSdwan } from '@yunxun/contract/device';
import type { Tx } from '../../platform/database/index.ts';
import { withRevision } from './compile/index.ts';
import { saveDocument } from './store.ts';
import type { NodeRow } from './tables.ts';

/**
 * Removes tunnels to `gone` from stored documents, and their own. Needs no valid plan. @param rows all nodes of the
 * networks
 */
export async function revoke(
  tx: Tx,
  rows: readonly NodeRow[],
  gone: ReadonlySet<string | null>,
): Promise<{ changed: string[]; leaving: number }> {
  const changed = new Set<string>();
  const leaving = rows.filter((row) => gone.has(row.gwid) && row.document);
  for (const networkId of new Set(leaving.map(({ network_id }) => network_id))) {
    const own = rows.filter(({ network_id, document }) => network_id === networkId && document);
    const left = own.flatMap(({ gwid, document }) => (gone.has(gwid) ? [document!] : []));
    for (const row of own) {
      const document = gone.has(row.gwid) ? null : without(row.document!, left);
      if (document === row.document) continue;
      await saveDocument(tx, row, document);
      if (!gone.has(row.gwid)) changed.add(row.gwid);
    }
  }
  return { changed: [...changed], leaving: leaving.length };
}

/** Returns the same document for no neighbour, null without tunnels. */
function without(given: EdgeSdwan, left: readonly EdgeSdwan[]): EdgeSdwan | null {
  const addresses = new Set(left.map(({ address }) => address));
  if (!given.interfaces.some(({ peers }) => peers.some(({ address }) => addresses.has(address)))) return given;
  const { revision: _, ...document } = given;
  const prefixes = new Set(left.flatMap(({ lans }) => lans.map(({ prefix, as }) => as ?? prefix)));
  const interfaces = document.interfaces
    .map((each) => ({ ...each, peers: each.peers.filter(({ address }) => !addresses.has(address)) }))
    .filter(({ peers }) => peers.length > 0);
  if (interfaces.length === 0) return null;
  const names = new Set(interfaces.map(({ name }) => name));
  const routes = document.routes
    .filter(({ prefix }) => !prefixes.has(prefix))
    .map((route) => ({
      ...route,
      candidates: route.candidates.filter(({ interface: name, probe }) => names.has(name) && !addresses.has(probe)),
    }))
    .filter(({ candidates }) => candidates.length > 0);
  return withRevision({ ...document, interfaces, routes });
}
