import { search as contract } from '@yunxun/contract';
import { implement, type Route } from '../../platform/http/call.ts';
import { createReadingsTask } from '../../platform/search/index.ts';
import { createSearch, type SearchDeps } from './service.ts';

export type { Hit, SearchRequest, SearchSource } from './source.ts';

export function createSearchFeature(deps: SearchDeps) {
  const search = createSearch(deps);
  return {
    routes: (): Route[] =>
      implement(contract, {
        query: ({ tx, identity, input, caller }) => search(tx, identity.actor, { ...input, locale: caller.locale }),
      }),
    tasks: { 'search-initials': createReadingsTask(deps.database) },
    schedules: [{ task: 'search-initials', cron: '* * * * *' }],
  };
}
