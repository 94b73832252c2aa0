import {
  type Actor,
  allows,
  search as contract,
  type Locale,
  networksOf,
  type Permission,
  type SearchKind,
} from '@yunxun/contract';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Tx } from '../../platform/database/index.ts';
import { findEntries, matches, readWord } from '../../platform/search/index.ts';
import { searchMembers } from '../account/search.ts';
import { searchAlarms } from '../alarms/index.ts';
import { searchSsids } from '../configuration/search.ts';
import type { Configuration } from '../configuration/service.ts';
import { searchDevices, searchNetworks } from '../fleet/search.ts';
import { searchJobs } from '../jobs/search.ts';
import { searchLog } from '../logs/search.ts';
import { searchPeripherals } from '../peripherals/search.ts';
import { searchSdwan } from '../sdwan/search.ts';
import { searchTemplates } from '../templates/search.ts';
import { searchClients } from '../users/search.ts';
import type { EntryKind, Hit, SearchRequest } from './hit.ts';

export interface SearchDeps {
  database: Database;
  clock: Clock;
  configuration: Pick<Configuration, 'layers'>;
  guests(request: SearchRequest): Promise<Hit[]>;
}

/** Results of each kind. */
const defaultLimit = 5;
/** Per kind and word; more if most clients may be of hidden networks. */
const [maxEntries, maxClients] = [200, 1000];

/** Asks each kind's permission. */
export function createSearch({ database, clock, configuration, guests }: SearchDeps) {
  const sources: Record<SearchKind, [Permission, (request: SearchRequest) => Promise<Hit[]>]> = {
    network: ['network.read', searchNetworks],
    device: ['network.read', searchDevices],
    client: ['user.read', searchClients],
    guest: ['user.read', guests],
    ssid: ['config.read', searchSsids],
    template: ['config.read', (request) => searchTemplates(configuration, request)],
    sdwan: ['network.read', searchSdwan],
    person: ['account.read', (request) => searchMembers(database, request)],
    job: ['job.read', searchJobs],
    peripheral: ['network.read', searchPeripherals],
    alarm: ['message.read', searchAlarms],
    log: ['log.read', searchLog],
  };

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
      (kind) => (!kinds || kinds.includes(kind)) && allows(actor, sources[kind][0]),
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
      const hits = await sources[kind][1](request);
      groups.push(hits.toSorted((a, b) => matches.indexOf(a.match) - matches.indexOf(b.match)).slice(0, shown));
    }
    const best = (group: readonly Hit[]) => (group[0] ? matches.indexOf(group[0].match) : matches.length);
    const list = groups.toSorted((a, b) => best(a) - best(b)).flat();
    return { list, total: list.length };
  };
}
