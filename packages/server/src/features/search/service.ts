import { type Actor, allows, search as contract, type Locale, networksOf, type SearchKind } from '@yunxun/contract';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Tx } from '../../platform/database/index.ts';
import { findEntries, matches, readWord } from '../../platform/search/index.ts';
import type { EntryKind, Hit, SearchSource } from './source.ts';

export interface SearchDeps {
  database: Database;
  clock: Clock;
  sources: Readonly<Record<SearchKind, SearchSource>>;
}

/** Results of each kind. */
const defaultLimit = 5;
/** Per kind and word; more if most clients may be of hidden networks. */
const [maxEntries, maxClients] = [200, 1000];

/** Asks each kind's permission. */
export function createSearch({ clock, sources }: Omit<SearchDeps, 'database'>) {
  return async (
    tx: Tx,
    actor: Actor,
    {
      keyword,
      kinds,
      limit,
      log_actions: logActions = [],
      locale,
    }: {
      keyword: string;
      kinds?: readonly SearchKind[] | undefined;
      limit?: number | undefined;
      log_actions?: readonly string[] | undefined;
      locale: Locale;
    },
  ): Promise<{ list: Hit[]; total: number }> => {
    const word = readWord(keyword);
    if (!word) return { list: [], total: 0 };
    const { accountId } = actor;
    const gwids = networksOf(actor);
    const wanted = contract.searchKinds.filter(
      (kind) => (!kinds || kinds.includes(kind)) && allows(actor, sources[kind].permission),
    );
    const clients = wanted.includes('client') ? (gwids ? maxClients : maxEntries) : 0;
    const most = (kind: SearchKind) => (wanted.includes(kind) ? maxEntries : 0);
    const read: Record<EntryKind, number> = {
      network: most('network'),
      device: most('device'),
      ssid: most('ssid'),
      client: clients,
      client_remark: clients,
    };
    const entries = await findEntries(tx, read, word);
    const shown = limit ?? defaultLimit;
    const request = { entries, tx, accountId, gwids, word, limit: shown, now: clock.now(), locale, logActions };
    const groups: Hit[][] = [];
    for (const kind of wanted) {
      const hits = await sources[kind].find(request);
      groups.push(hits.toSorted((a, b) => matches.indexOf(a.match) - matches.indexOf(b.match)).slice(0, shown));
    }
    const best = (group: readonly Hit[]) => (group[0] ? matches.indexOf(group[0].match) : matches.length);
    const list = groups.toSorted((a, b) => best(a) - best(b)).flat();
    return { list, total: list.length };
  };
}
