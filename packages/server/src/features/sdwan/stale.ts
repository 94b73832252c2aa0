import { type Draft, withRevision } from './compile/index.ts';
import type { NodeRow } from './tables.ts';

/**
 * Returns the gateways whose stored documents differ from what the plan compiles to now. None while no gateway has a
 * document: then the network is not deployed, or its package is closed.
 */
export function staleKeys(rows: readonly NodeRow[], drafts: ReadonlyMap<string, Draft>): string[] {
  if (rows.every(({ document }) => document === null)) return [];
  return rows.flatMap(({ gwid, document }) => {
    const draft = drafts.get(gwid);
    return draft && withRevision(draft).revision !== document?.revision ? [gwid] : [];
  });
}
