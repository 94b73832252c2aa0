import { join } from 'node:path';
import { portalTemplates as contract, portalShops } from '@yunxun/contract';
import type { FastifyInstance } from 'fastify';
import type { AccountKeys } from '../../platform/crypto/account-keys.ts';
import { implement, type Route } from '../../platform/http/call.ts';
import type { HttpOptions } from '../../platform/http/http-options.ts';
import type { UnbindParticipant } from '../fleet/index.ts';
import { createPictureDecoder } from './picture-decoder.ts';
import { createPictures, type PictureDeps } from './pictures.ts';
import { createTemplateService, type PortalTemplateDeps } from './service.ts';
import { createShops } from './shop.ts';
import { deleteSitePages } from './site-page-store.ts';
import { createSitePages } from './site-pages.ts';
import { knownTemplates } from './template-store.ts';

export { portalTemplateNames } from './names.ts';

export interface PortalTemplatesOptions extends Omit<PictureDeps, 'decoder'> {
  keys: AccountKeys;
  /** Bundled `picture-worker.ts`; in a build below this file. */
  worker?: string | undefined;
  privateAddresses: boolean;
  usedBy?: PortalTemplateDeps['usedBy'];
  whitelistChanged?: PortalTemplateDeps['whitelistChanged'];
  contentChanged?: PortalTemplateDeps['contentChanged'];
}

const builtWorker = join(import.meta.dirname, 'features/portal-templates/picture-worker.js');

export function createPortalTemplates(options: PortalTemplatesOptions) {
  const { worker, usedBy, whitelistChanged, contentChanged, keys, privateAddresses, ...deps } = options;
  const pictures = createPictures({ ...deps, decoder: createPictureDecoder(worker ?? builtWorker) });
  const templates = createTemplateService({
    clock: deps.clock,
    keys,
    pictures,
    privateAddresses,
    usedBy: usedBy ?? (async () => new Map()),
    whitelistChanged: whitelistChanged ?? (async () => null),
    contentChanged: contentChanged ?? (() => undefined),
  });
  const sitePages = createSitePages({
    clock: deps.clock,
    keys,
    pictures,
    usedBy: usedBy ?? (async () => new Map()),
  });
  const shops = createShops({ pictures });
  return {
    contentsOf: templates.contentsOf,
    opening: templates.opening,
    published: templates.published,
    picture: templates.picture,
    routes: (): Route[] => [
      ...implement(contract, {
        list: ({ tx, acting, input }) => templates.list(tx, acting, input),
        detail: ({ tx, acting, input }) => templates.detail(tx, acting, input),
        create: ({ tx, acting, input }) => templates.create(tx, acting, input),
        save: ({ tx, acting, input }) => templates.save(tx, acting, input),
        publish: ({ tx, acting, input }) => templates.publish(tx, acting, input),
        versions: ({ tx, acting, input }) => templates.versions(tx, acting, input.id),
        restore: ({ tx, acting, input }) => templates.restore(tx, acting, input),
        copy: ({ tx, acting, input }) => templates.copy(tx, acting, input),
        remove: ({ tx, acting, input }) => templates.remove(tx, acting, input.id),
        siteDetail: ({ tx, acting, input }) => sitePages.detail(tx, acting, input),
        siteSave: ({ tx, acting, input }) => sitePages.save(tx, acting, input),
        siteDelete: ({ tx, acting, input }) => sitePages.remove(tx, acting, input),
        pictureUpload: ({ inTenant, acting, input }) => pictures.upload(inTenant, acting, input),
      }),
      ...implement(portalShops, {
        detail: ({ tx, acting, input }) => shops.detail(tx, acting.accountId, input.gwid),
        save: ({ tx, acting, input }) => shops.save(tx, acting, input),
      }),
    ],
    mount: (app: FastifyInstance, { limitFactor }: HttpOptions) => pictures.mount(app, limitFactor),
    /** Takes the network's own pages along. */
    unbind: {
      part: 'value_added',
      remove: async (tx, { accountId, gwid }) => (gwid ? deleteSitePages(tx, accountId, gwid) : 0),
    } satisfies UnbindParticipant,
    objects: { portal_template: knownTemplates },
    tasks: pictures.tasks,
    schedules: pictures.schedules,
  };
}
