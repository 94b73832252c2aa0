import type { Database } from '../../platform/database/index.ts';
import { better, matchOf, matchOfName } from '../../platform/search/index.ts';
import { members } from '../identity/index.ts';
import type { Hit, SearchRequest, SearchSource } from '../search/index.ts';

export function memberSearch(database: Database): SearchSource {
  return { permission: 'account.read', find: (request) => searchMembers(database, request) };
}

/** An account has tens. */
const maxMembers = 1000;

/** Finds by name, initials or login. */
async function searchMembers(
  database: Database,
  { accountId, word }: Pick<SearchRequest, 'accountId' | 'word'>,
): Promise<Hit[]> {
  // members may be people of other accounts
  const { list } = await database.withSystem((tx) =>
    members.membersOf(tx, accountId, { offset: 0, limit: maxMembers }),
  );
  const found = await Promise.all(
    list.map(async ({ id, name, login, role }): Promise<Hit[]> => {
      const match = better(await matchOfName(name, word), matchOf(login, word));
      if (!match) return [];
      const title = name || login;
      return [{ kind: 'person', id, title, detail: login, type: role, gwid: null, network: null, status: null, match }];
    }),
  );
  return found.flat();
}
