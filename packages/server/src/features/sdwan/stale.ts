import { type Draft, withRevision } from './compile/index.ts';
import type { NodeRow } from './tables.ts';

/** Returns gateways whose stored document differs from the plan's. None without documents: not deployed, or closed. */
export function staleKeys(rows: readonly NodeRow[], drafts: ReadonlyMap<string, Draft>): string[] {
  if (rows.every(({ document }) => document === null)) return [];
  return rows.flatMap(({ gwid, document }) => {
    const draft = drafts.get(gwid);
    return draft && withRevision(draft).revision !== document?.revision ? [gwid] : [];
  });
}
