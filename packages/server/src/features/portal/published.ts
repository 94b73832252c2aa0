import type { PortalContent } from '@yunxun/contract';
import type { Tx } from '../../platform/database/index.ts';
import type { SiteTable } from './tables.ts';
import type { PortalTemplates } from './templates.ts';

export interface Published {
  id: string;
  version: number;
  name: string;
  content: PortalContent;
}

type Templated = Pick<SiteTable, 'template_id' | 'gwid'>;

export async function publishedOfSites(
  tx: Tx,
  templates: PortalTemplates,
  sites: readonly Templated[],
): Promise<ReadonlyMap<string, Published>> {
  const uses = sites.flatMap(({ template_id: templateId, gwid }) =>
    templateId === null ? [] : [{ templateId, gwid }],
  );
  const contents = await templates.contentsOf(tx, uses);
  return new Map(
    uses.flatMap(({ templateId, gwid }) => {
      const found = contents.get(gwid);
      return found ? [[gwid, { id: templateId, ...found }]] : [];
    }),
  );
}

export async function publishedOf(tx: Tx, templates: PortalTemplates, site: Templated): Promise<Published | null> {
  return (await publishedOfSites(tx, templates, [site])).get(site.gwid) ?? null;
}
