import { isDeepStrictEqual } from 'node:util';
import type { portalTemplates as contract, DataOf, InputOf, PortalStatus } from '@yunxun/contract';
import { portalTemplates } from '@yunxun/contract';
import { LRUCache } from 'lru-cache';
import type { Acting } from '../../platform/acting.ts';
import { requireWholeAccount } from '../../platform/acting.ts';
import type { Clock } from '../../platform/clock.ts';
import type { AccountKeys } from '../../platform/crypto/account-keys.ts';
import { newId, type Tx } from '../../platform/database/index.ts';
import { Failure } from '../../platform/failure.ts';
import { hostOf, refusePrivateHost } from '../../platform/outgoing/address.ts';
import { record } from '../logs/index.ts';
import { type Draft, draftFrom, type PortalContent, picturesOn, present, type Stored, wholeOf } from './content.ts';
import { anyPicture } from './picture-store.ts';
import type { Pictures } from './pictures.ts';
import { pageOfShop } from './shop.ts';
import * as store from './template-store.ts';

type Contract = typeof contract;
type Row = DataOf<Contract['list']>['list'][number];

export interface TemplateSite {
  gwid: string;
  name: string;
}

export interface PortalTemplateDeps {
  clock: Clock;
  keys: AccountKeys;
  pictures: Pictures;
  privateAddresses: boolean;
  /** Pushes another whitelist. @returns the job; null without one */
  whitelistChanged(tx: Tx, acting: Acting, id: string): Promise<string | null>;
  /** What guests were let in by may be gone. */
  contentChanged(tx: Tx, accountId: string): void;
  usedBy(tx: Tx, accountId: string, ids: readonly string[]): Promise<ReadonlyMap<string, readonly TemplateSite[]>>;
}

const statusOf = ({ published_version, changed }: store.Template): PortalStatus =>
  published_version === null ? 'draft' : changed ? 'changed' : 'published';
const taken = () => new Failure('nameExists', { params: { kind: 'template' } });
const about = ({ id, name }: { id: string; name: string }) => ({
  object: { type: 'portal_template' as const, id, name },
});
function changedSecrets(before: Draft, after: Draft) {
  const { password: old, ...clientsBefore } = before.secrets;
  const { password, ...clients } = after.secrets;
  return { password_changed: old !== password, client_secrets_changed: !isDeepStrictEqual(clientsBefore, clients) };
}
const author = (acting: Acting) => acting.actor?.name ?? acting.source;

/** Hides templates from delegations for some networks. */
export interface PublishedContent {
  version: number;
  name: string;
  content: PortalContent;
}

export function createTemplateService(deps: PortalTemplateDeps) {
  const { clock, keys, pictures, usedBy, whitelistChanged, contentChanged } = deps;

  const contents = new LRUCache<string, PortalContent>({ max: 1000 });

  async function need(tx: Tx, acting: Acting, id: string, write = false): Promise<store.Template> {
    requireWholeAccount(acting, write ? 'config.write' : 'config.read');
    const template = await store.findTemplate(tx, acting.accountId, id, write);
    if (!template) throw new Failure('notFound');
    return template;
  }

  /** @throws Failure changedMeanwhile unless this draft was seen */
  async function needRevision(tx: Tx, acting: Acting, { id, revision }: { id: string; revision: number }) {
    const template = await need(tx, acting, id, true);
    if (template.revision !== revision)
      throw new Failure('changedMeanwhile', {
        data: { revision: template.revision, updated_by: template.updated_by },
      });
    return template;
  }

  async function sitesOf(tx: Tx, { account_id, id }: store.Template): Promise<readonly TemplateSite[]> {
    return (await usedBy(tx, account_id, [id])).get(id) ?? [];
  }

  async function insert(tx: Tx, acting: Acting, name: string, draft: Draft): Promise<string> {
    const { accountId } = acting;
    const used = (await store.templatesOf(tx, accountId)).length;
    const limit = portalTemplates.pictureLimits.templates;
    if (used >= limit) throw new Failure('limitReached', { data: { limit, used }, params: { limit, used } });
    const id = newId();
    const state = { revision: 1, published_version: null, changed: false };
    const by = { updated_at: clock.now(), updated_by: author(acting) };
    if (!(await store.insertTemplate(tx, keys, { account_id: accountId, id, name, draft, ...state, ...by })))
      throw taken();
    return id;
  }

  async function write(tx: Tx, acting: Acting, template: store.Template, name: string, draft: Draft): Promise<number> {
    const version = template.published_version;
    const published = version === null ? undefined : await store.versionOf(tx, keys, template, version);
    const revision = template.revision + 1;
    await store.updateDraft(tx, keys, template, {
      name,
      draft,
      revision,
      changed: published !== undefined && !isDeepStrictEqual(published, draft),
      updated_at: clock.now(),
      updated_by: author(acting),
    });
    return revision;
  }

  async function contentOf(tx: Tx, found: store.PublishedRow): Promise<PublishedContent | null> {
    const { templateId: id, gwid, accountId, name, version, stamp, own } = found;
    const known = `${id} ${version} ${stamp}`;
    let content = contents.get(known);
    if (!content) {
      const draft = await store.versionOf(tx, keys, { account_id: accountId, id }, version);
      if (!draft) return null;
      content = wholeOf(draft);
      contents.set(known, content);
    }
    const page = await pageOfShop(tx, { accountId, gwid, isOwn: own !== null }, own ?? content.page);
    return { version, name, content: { ...content, page } };
  }

  /** @throws Invalid */
  function readDraft(given: Parameters<typeof draftFrom>[0], kept: Draft | null): Draft {
    const draft = draftFrom(given, kept);
    for (const [index, { issuer }] of draft.content.methods.entries())
      if (typeof issuer === 'string' && !deps.privateAddresses)
        refusePrivateHost(`methods.${index}.issuer`, hostOf(issuer));
    return draft;
  }

  return {
    async list(tx: Tx, acting: Acting, input: InputOf<Contract['list']>): Promise<{ list: Row[]; total: number }> {
      requireWholeAccount(acting, 'config.read');
      const { accountId } = acting;
      const word = input.keyword?.toLowerCase() ?? '';
      const rows = (await store.templatesOf(tx, accountId)).filter(
        (one) =>
          one.name.toLowerCase().includes(word) && (input.status === undefined || statusOf(one) === input.status),
      );
      const sort = input.sort ?? 'updated_at';
      const uses = await usedBy(
        tx,
        accountId,
        rows.map(({ id }) => id),
      );
      const by = (one: store.Template) => (sort === 'networks' ? (uses.get(one.id)?.length ?? 0) : one[sort]);
      const sorted = rows.toSorted((a, b) => (by(a) < by(b) ? -1 : by(a) > by(b) ? 1 : 0));
      if ((input.order ?? (input.sort ? 'asc' : 'desc')) === 'desc') sorted.reverse();
      const limit = input.limit ?? 10;
      const from = ((input.page ?? 1) - 1) * limit;
      const page = sorted.slice(from, from + limit);
      const shown = await pictures.shown(
        tx,
        accountId,
        page.map(({ draft }) => draft.page),
      );
      return {
        list: page.map((one) => ({
          id: one.id,
          name: one.name,
          methods: one.draft.methods.map(({ kind }) => kind),
          status: statusOf(one),
          version: one.published_version,
          revision: one.revision,
          networks: uses.get(one.id)?.length ?? 0,
          page: one.draft.page,
          pictures: picturesOn(one.draft.page).flatMap(({ id }) => shown.get(id) ?? []),
          updated_at: one.updated_at.toISOString(),
          updated_by: one.updated_by,
        })),
        total: rows.length,
      };
    },

    /** @throws Failure notFound */
    async detail(
      tx: Tx,
      acting: Acting,
      { id, version }: InputOf<Contract['detail']>,
    ): Promise<DataOf<Contract['detail']>> {
      const template = await need(tx, acting, id);
      const draft =
        version === undefined
          ? await store.draftOf(tx, keys, template)
          : await store.versionOf(tx, keys, template, version);
      if (!draft) throw new Failure('notFound');
      const shown = await pictures.shown(tx, acting.accountId, [draft.content.page]);
      return {
        id,
        name: template.name,
        status: statusOf(template),
        version: template.published_version,
        revision: template.revision,
        ...present(draft),
        pictures: [...shown.values()],
        networks: [...(await sitesOf(tx, template))],
        updated_at: template.updated_at.toISOString(),
        updated_by: template.updated_by,
      };
    },

    /** @throws Failure nameExists, limitReached; Invalid */
    async create(tx: Tx, acting: Acting, { name, ...given }: InputOf<Contract['create']>) {
      requireWholeAccount(acting, 'config.write');
      const draft = readDraft(given, null);
      await pictures.use(tx, acting.accountId, draft.content.page);
      const id = await insert(tx, acting, name, draft);
      await record(tx, acting, {
        action: 'portal_template.create',
        ...about({ id, name }),
        after: present(draft),
        inverse: { path: portalTemplates.remove.path, input: { id } },
      });
      return { id, revision: 1 };
    },

    /** @throws Failure changedMeanwhile, nameExists; Invalid */
    async save(tx: Tx, acting: Acting, { id, revision: over, name, ...given }: InputOf<Contract['save']>) {
      const template = await needRevision(tx, acting, { id, revision: over });
      if (await store.isNameTaken(tx, template, name)) throw taken();
      const before = await store.draftOf(tx, keys, template);
      const draft = readDraft(given, before);
      await pictures.use(tx, acting.accountId, draft.content.page);
      const revision = await write(tx, acting, template, name, draft);
      await record(tx, acting, {
        action: 'portal_template.save',
        ...about({ id, name }),
        before: { name: template.name, ...present(before) },
        after: { name, ...present(draft), ...changedSecrets(before, draft) },
      });
      return { revision };
    },

    /** @throws Failure changedMeanwhile, inUse if unchanged */
    async publish(tx: Tx, acting: Acting, input: InputOf<Contract['publish']>) {
      const template = await needRevision(tx, acting, input);
      const { published_version: last } = template;
      if (statusOf(template) === 'published') throw new Failure('inUse', { params: { kind: 'nothing' } });
      const version = (last ?? 0) + 1;
      const draft = await store.draftOf(tx, keys, template);
      const before = last === null ? undefined : await store.versionOf(tx, keys, template, last);
      await store.insertVersion(tx, keys, template, { version, draft, at: clock.now(), by: author(acting) });
      contentChanged(tx, acting.accountId);
      const pushed = ({ methods, whitelist, hours, away }: Stored) => ({
        logins: methods.flatMap(({ kind, issuer }) => issuer ?? (portalTemplates.isLoginMethod(kind) ? kind : [])),
        whitelist,
        hours: hours ?? [],
        away: away ?? 'closed',
      });
      const isOther = !before || !isDeepStrictEqual(pushed(before.content), pushed(draft.content));
      const jobId = isOther ? await whitelistChanged(tx, acting, template.id) : null;
      const sites = await sitesOf(tx, template);
      await record(tx, acting, {
        ...(jobId ? { jobId } : {}),
        action: 'portal_template.publish',
        ...about(template),
        before: { version: last },
        after: { version, networks: sites.map(({ gwid }) => gwid) },
      });
      return { version, networks: sites.length };
    },

    async versions(tx: Tx, acting: Acting, id: string): Promise<DataOf<Contract['versions']>> {
      await need(tx, acting, id);
      const rows = await store.versionsOf(tx, acting.accountId, id);
      const list = rows.map(({ version, at, by }) => ({ version, created_at: at.toISOString(), created_by: by }));
      return { list, total: list.length };
    },

    /** @throws Failure changedMeanwhile, notFound */
    async restore(tx: Tx, acting: Acting, { version, ...input }: InputOf<Contract['restore']>) {
      const template = await needRevision(tx, acting, input);
      const draft = await store.versionOf(tx, keys, template, version);
      if (!draft) throw new Failure('notFound');
      const before = await store.draftOf(tx, keys, template);
      const revision = await write(tx, acting, template, template.name, draft);
      await record(tx, acting, {
        action: 'portal_template.restore',
        ...about(template),
        before: present(before),
        after: { version, ...present(draft), ...changedSecrets(before, draft) },
      });
      return { revision };
    },

    /** @throws Failure nameExists, limitReached */
    async copy(tx: Tx, acting: Acting, { id, name }: InputOf<Contract['copy']>) {
      const template = await need(tx, acting, id, true);
      const copied = await insert(tx, acting, name, await store.draftOf(tx, keys, template));
      await record(tx, acting, {
        action: 'portal_template.copy',
        ...about({ id: copied, name }),
        after: { from: template.name },
        inverse: { path: portalTemplates.remove.path, input: { id: copied } },
      });
      return { id: copied };
    },

    /** @throws Failure inUse with the networks */
    async remove(tx: Tx, acting: Acting, id: string) {
      const template = await need(tx, acting, id, true);
      const refs = (await sitesOf(tx, template)).map(({ gwid }) => gwid);
      if (refs.length > 0)
        throw new Failure('inUse', { data: { refs }, params: { kind: 'portal', networks: refs.length } });
      await store.deleteTemplate(tx, acting.accountId, id);
      const before = present(await store.draftOf(tx, keys, template));
      await record(tx, acting, {
        action: 'portal_template.delete',
        ...about(template),
        before: { version: template.published_version, ...before },
      });
      return {};
    },

    /** Returns published versions with the networks' pages and shops, by network; none before. */
    async contentsOf(tx: Tx, uses: readonly store.TemplateUse[]): Promise<ReadonlyMap<string, PublishedContent>> {
      const published = new Map<string, PublishedContent>();
      if (uses.length === 0) return published;
      for (const found of await store.publishedFor(tx, uses)) {
        const content = await contentOf(tx, found);
        if (content) published.set(found.gwid, content);
      }
      return published;
    },

    async opening(tx: Tx, accountId: string, ids: readonly string[]) {
      const rows = await store.publishedContents(tx, accountId, ids);
      return new Map(
        rows.map(({ id, content: { hours, away } }) => [id, { hours: hours ?? [], away: away ?? 'closed' }]),
      );
    },

    async published(tx: Tx, accountId: string): Promise<{ id: string; name: string; version: number }[]> {
      const all = await store.templatesOf(tx, accountId);
      return all.flatMap(({ id, name, published_version: version }) =>
        version === null ? [] : [{ id, name, version }],
      );
    },

    async picture(tx: Tx, id: string): Promise<{ mime: string; bytes: Buffer } | null> {
      const found = await anyPicture(tx, id);
      return found ? { mime: found.mime, bytes: found.bytes } : null;
    },
  };
}
