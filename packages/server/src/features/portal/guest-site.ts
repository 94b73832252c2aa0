import { LRUCache } from 'lru-cache';
import type { AccountKeys } from '../../platform/crypto/account-keys.ts';
import type { Database, Tx } from '../../platform/database/index.ts';
import type { Adapters, PortalAdapter } from './adapters/adapter.ts';
import { edge } from './adapters/edge.ts';
import { mikrotik } from './adapters/mikrotik.ts';
import { openNds1, openNds3, openNds4 } from './adapters/opennds.ts';
import { uam } from './adapters/uam.ts';
import { openSecret, type Published, publishedOf } from './site.ts';
import { findKey, findSite } from './site-store.ts';
import type { SiteTable } from './tables.ts';
import type { PortalTemplates } from './templates.ts';
import type { SiteKey } from './visit-store.ts';

const adapters: Adapters = { edge, opennds_1: openNds1, opennds_3: openNds3, opennds_4: openNds4, uam, mikrotik };

export interface GuestSite {
  key: string;
  site: SiteKey;
  row: SiteTable;
  adapter: PortalAdapter;
  secret: string;
  published: Published;
}

export interface GuestSiteDeps {
  database: Database;
  keys: AccountKeys;
  templates: PortalTemplates;
}

const maxKeys = 10_000;

/** Opens a key in its account's transaction; a key keeps its network. */
export function createGuestSites({ database, keys, templates }: GuestSiteDeps) {
  const known = new LRUCache<string, SiteKey>({ max: maxKeys });

  async function siteOfKey(key: string): Promise<SiteKey | null> {
    if (!/^[\w-]{22}$/.test(key)) return null;
    const found = known.get(key) ?? (await database.withSystem((tx) => findKey(tx, key)));
    if (found) known.set(key, found);
    return found;
  }

  return {
    /** @returns null if unknown, off, or without a published template */
    async open<T>(key: string, work: (tx: Tx, guest: GuestSite) => Promise<T>): Promise<T | null> {
      const site = await siteOfKey(key);
      if (!site) return null;
      return database.withTenant({ accountId: site.accountId, userId: null, gwids: null }, async (tx) => {
        const row = await findSite(tx, site.accountId, site.gwid);
        const published = row?.enabled ? await publishedOf(tx, templates, row) : null;
        if (!row || !published) return null;
        const secret = await openSecret(tx, keys, row);
        return work(tx, { key, site, row, published, secret, adapter: adapters[row.gateway] });
      });
    },
  };
}

export type GuestSites = ReturnType<typeof createGuestSites>;
