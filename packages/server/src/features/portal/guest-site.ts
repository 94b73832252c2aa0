import { createBatcher } from '../../platform/batcher.ts';
import { boundedCache } from '../../platform/bounded-cache.ts';
import type { AccountKeys } from '../../platform/crypto/account-keys.ts';
import type { Database, Tx } from '../../platform/database/index.ts';
import type { Arrival, RedirectRequest } from './adapters/adapter.ts';
import { adapters } from './adapters/index.ts';
import { arrivalWith } from './adapters/secrets-in-use.ts';
import type { GuestSite, PageAnswer } from './page-frame.ts';
import { publishedOfSites } from './published.ts';
import { openSecrets } from './settings/site-settings.ts';
import { findKey, sitesOf } from './site-store.ts';
import type { PortalTemplates } from './templates.ts';
import { insertVisits, type SiteKey, type Visit } from './visit-store.ts';

export interface GuestSiteDeps {
  database: Database;
  keys: AccountKeys;
  templates: PortalTemplates;
}

const maxKeys = 10_000;
const secretMs = 30_000;

/** Pages in a transaction, and milliseconds for which the first waits for others. */
const arrivals = { max: 32, waitMs: 10, coming: () => Number.POSITIVE_INFINITY };

/** Passes on the visit to write. */
export type Show = (tx: Tx, guest: GuestSite, addVisit: (visit: Visit) => void) => Promise<PageAnswer>;

interface Arriving {
  key: string;
  site: SiteKey;
  show: Show;
}

/** Opens a key in its account's transaction; a key keeps its network. */
export function createGuestSites({ database, keys, templates }: GuestSiteDeps) {
  const known = boundedCache<SiteKey>(maxKeys);

  async function siteOfKey(key: string): Promise<SiteKey | null> {
    if (!/^[\w-]{22}$/.test(key)) return null;
    const found = known.get(key) ?? (await database.withSystem((tx) => findKey(tx, key)));
    if (found) known.set(key, found);
    return found;
  }

  const inAccount = <T>(accountId: string, work: (tx: Tx) => Promise<T>) =>
    database.withTenant({ accountId, userId: null, gwids: null }, work);

  /** Leaves out networks whose portal is off, or has no published template. */
  async function guestSites(
    tx: Tx,
    accountId: string,
    asked: readonly { key: string; site: SiteKey }[],
  ): Promise<ReadonlyMap<string, GuestSite>> {
    const gwids = [...new Set(asked.map(({ site }) => site.gwid))];
    const rows = (await sitesOf(tx, accountId, gwids)).filter(({ enabled }) => enabled);
    const published = await publishedOfSites(tx, templates, rows);
    const found = new Map<string, GuestSite>();
    for (const row of rows) {
      const content = published.get(row.gwid);
      const { key, site } = asked.find((one) => one.site.gwid === row.gwid)!;
      if (!content) continue;
      const { secret, oldSecret } = await openSecrets(tx, keys, row);
      found.set(row.gwid, { key, site, row, published: content, secret, oldSecret, adapter: adapters[row.gateway] });
    }
    return found;
  }

  async function showAll(tx: Tx, accountId: string, all: readonly Arriving[]): Promise<(PageAnswer | null)[]> {
    const guests = await guestSites(tx, accountId, all);
    const visits: Visit[] = [];
    const answers: (PageAnswer | null)[] = [];
    for (const { site, show } of all) {
      const guest = guests.get(site.gwid);
      answers.push(guest ? await show(tx, guest, (visit) => visits.push(visit)) : null);
    }
    await insertVisits(tx, visits);
    return answers;
  }

  const arrivalsOf = (accountId: string) =>
    createBatcher<Arriving, PageAnswer | null | 'failed'>(async (all) => {
      try {
        return await inAccount(accountId, (tx) => showAll(tx, accountId, all));
      } catch (error) {
        if (all.length === 1) throw error;
        return all.map(() => 'failed');
      }
    }, arrivals);
  const batchers = boundedCache<ReturnType<typeof arrivalsOf>>(maxKeys, { memoMethod: arrivalsOf });

  type Gateway = Pick<GuestSite, 'adapter' | 'secret' | 'oldSecret'>;
  const gateways = boundedCache<Gateway>(maxKeys, { ttl: secretMs });

  async function gatewayOf(key: string): Promise<Gateway | null> {
    const found =
      gateways.get(key) ??
      (await open(key, async (_tx, { adapter, secret, oldSecret }) => ({ adapter, secret, oldSecret })));
    if (found && !gateways.has(key)) gateways.set(key, found);
    return found;
  }

  /** @returns null if unknown, off, or without a published template */
  async function open<T>(key: string, work: (tx: Tx, guest: GuestSite) => Promise<T>): Promise<T | null> {
    const site = await siteOfKey(key);
    if (!site) return null;
    return inAccount(site.accountId, async (tx) => {
      const guest = (await guestSites(tx, site.accountId, [{ key, site }])).get(site.gwid);
      return guest ? work(tx, guest) : null;
    });
  }

  return {
    open,

    /** Returns the client of a redirect, whose gateway's secret may be 30 s old; null if not vouched for. */
    async arrivalOf(key: string, redirect: RedirectRequest): Promise<Arrival | null> {
      if (redirect.query.size === 0) return null;
      const gateway = await gatewayOf(key);
      return gateway ? arrivalWith(gateway.adapter, redirect, gateway) : null;
    },

    /** Shows a page and writes its visit, in one transaction with others of the account; if one fails, each alone. */
    async arrive(key: string, show: Show): Promise<PageAnswer | null> {
      const site = await siteOfKey(key);
      if (!site) return null;
      const arriving = { key, site, show };
      const answer = await batchers.memo(site.accountId)(arriving);
      if (answer !== 'failed') return answer;
      return inAccount(site.accountId, async (tx) => (await showAll(tx, site.accountId, [arriving]))[0]!);
    },
  };
}

export type GuestSites = ReturnType<typeof createGuestSites>;
