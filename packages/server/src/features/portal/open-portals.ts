import type { Tx } from '../../platform/database/index.ts';
import { portalTemplateNames } from '../portal-templates/index.ts';
import { portal } from './tables.ts';

/** Returns names in alphabetical order. */
export async function openPortals(tx: Tx, accountId: string, gwids: readonly string[]): Promise<string[]> {
  if (gwids.length === 0) return [];
  const rows = await portal(tx)
    .selectFrom('portal_site')
    .select('template_id')
    .where('account_id', '=', accountId)
    .where('gwid', 'in', [...new Set(gwids)])
    .where('enabled', '=', true)
    .where('template_id', 'is not', null)
    .execute();
  if (rows.length === 0) return [];
  const names = await portalTemplateNames(tx, accountId);
  return [...new Set(rows.flatMap(({ template_id: id }) => names.get(id ?? '') ?? []))].toSorted();
}
