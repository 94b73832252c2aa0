import type { Tx } from '../../platform/database/index.ts';
import { better, matchOf } from '../../platform/search/index.ts';
import type { Hit, SearchRequest, SearchSource } from '../search/index.ts';
import { jobsToSearch } from './store.ts';

/** Of larger jobs only type and operator are searched. */
const [newest, maxItems] = [200, 20];
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export type NetworkNames = (
  tx: Tx,
  accountId: string,
  gwids: readonly string[],
) => Promise<ReadonlyMap<string, string>>;

export function jobSearch(networkNames: NetworkNames): SearchSource {
  return { permission: 'job.read', find: (request) => searchJobs(networkNames, request) };
}

async function searchJobs(networkNames: NetworkNames, { tx, accountId, word }: SearchRequest): Promise<Hit[]> {
  const id = uuid.test(word.text) ? word.text.toLowerCase() : null;
  const jobs = await jobsToSearch(tx, accountId, { id, newest, maxItems });
  const names = await networkNames(
    tx,
    accountId,
    jobs.flatMap(({ gwid }) => gwid ?? []),
  );
  return jobs.flatMap((job): Hit[] => {
    const network = names.get(job.gwid ?? '') ?? null;
    const about = job.only || network;
    const matches = [about, network, job.type, job.operator].map((text) => matchOf(text ?? '', word));
    const match = id ? 'exact' : matches.reduce(better, null);
    if (!match) return [];
    return [
      {
        kind: 'job',
        id: job.id,
        title: job.type,
        detail: about,
        type: null,
        status: job.status,
        match,
        gwid: network ? job.gwid : null,
        network,
      },
    ];
  });
}
