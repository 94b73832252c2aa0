import type { portalTemplates as contract, DataOf, InputOf } from '@yunxun/contract';
import type { Acting } from '../../platform/acting.ts';
import { requireWholeAccount } from '../../platform/acting.ts';
import type { Tx } from '../../platform/database/index.ts';
import { Failure } from '../../platform/failure.ts';
import { fleetNetworks } from '../fleet/index.ts';
import { record } from '../logs/index.ts';
import { checkPage } from './content.ts';
import type { PortalTemplateDeps } from './service.ts';
import { deleteSitePage, findSitePage, putSitePage } from './site-page-store.ts';
import * as store from './template-store.ts';

type Contract = typeof contract;

/** Page copies for networks; methods and whitelist stay the template's. */
export function createSitePages({
  clock,
  keys,
  pictures,
  usedBy,
}: Pick<PortalTemplateDeps, 'clock' | 'keys' | 'pictures' | 'usedBy'>) {
  async function need(tx: Tx, acting: Acting, id: string, permission: 'config.read' | 'config.write') {
    requireWholeAccount(acting, permission);
    const template = await store.findTemplate(tx, acting.accountId, id);
    if (!template) throw new Failure('notFound');
    return template;
  }

  async function about(tx: Tx, accountId: string, gwid: string, { id, name }: store.Template) {
    const network = (await fleetNetworks.names(tx, accountId, [gwid])).get(gwid) ?? gwid;
    return { object: { type: 'portal_template' as const, id, name }, gwid, network };
  }

  return {
    async detail(
      tx: Tx,
      acting: Acting,
      { gwid, id }: InputOf<Contract['siteDetail']>,
    ): Promise<DataOf<Contract['siteDetail']>> {
      const template = await need(tx, acting, id, 'config.read');
      const { accountId } = acting;
      const own = await findSitePage(tx, { accountId, gwid, id });
      const { published_version: version } = template;
      const published = version === null ? undefined : await store.versionOf(tx, keys, template, version);
      const { content } = published ?? (await store.draftOf(tx, keys, template));
      const page = own?.page ?? content.page;
      const { network } = await about(tx, accountId, gwid, template);
      const sites = (await usedBy(tx, accountId, [id])).get(id) ?? [];
      return {
        name: template.name,
        network,
        own: own !== undefined,
        in_use: sites.some((site) => site.gwid === gwid),
        methods: content.methods.map(({ kind }) => kind),
        page,
        pictures: [...(await pictures.shown(tx, accountId, [page])).values()],
        revision: own?.revision ?? 0,
        updated_by: own?.updated_by ?? null,
        updated_at: own?.updated_at.toISOString() ?? null,
      };
    },

    /** @throws Failure changedMeanwhile; Invalid */
    async save(
      tx: Tx,
      acting: Acting,
      { gwid, id, revision: over, page, show = [] }: InputOf<Contract['siteSave']>,
    ): Promise<{ revision: number }> {
      const template = await need(tx, acting, id, 'config.write');
      const { accountId } = acting;
      checkPage(page, show);
      await pictures.use(tx, accountId, page);
      const before = await findSitePage(tx, { accountId, gwid, id }, true);
      const revision = over + 1;
      const by = { updated_at: clock.now(), updated_by: acting.actor?.name ?? acting.source };
      const isNewest = (before?.revision ?? 0) === over;
      const row = { account_id: accountId, gwid, template_id: id, page, revision, ...by };
      if (!isNewest || !(await putSitePage(tx, row)))
        throw new Failure('changedMeanwhile', {
          data: { revision: before?.revision ?? 0, updated_by: before?.updated_by ?? null },
        });
      const { network, ...named } = await about(tx, accountId, gwid, template);
      await record(tx, acting, {
        action: 'portal_template.site_save',
        ...named,
        before: before ? { page: before.page } : null,
        after: { network, page },
      });
      return { revision };
    },

    /** @throws Failure notFound without a copy */
    async remove(
      tx: Tx,
      acting: Acting,
      { gwid, id }: InputOf<Contract['siteDelete']>,
    ): Promise<Record<string, never>> {
      const template = await need(tx, acting, id, 'config.write');
      const { accountId } = acting;
      const before = await findSitePage(tx, { accountId, gwid, id }, true);
      if (!before) throw new Failure('notFound');
      await deleteSitePage(tx, before);
      const { network, ...named } = await about(tx, accountId, gwid, template);
      await record(tx, acting, {
        action: 'portal_template.site_delete',
        ...named,
        before: { network, page: before.page },
      });
      return {};
    },
  };
}
