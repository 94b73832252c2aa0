import { allows, home as contract, homeTop } from '@yunxun/contract';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/index.ts';
import { implement, type Route } from '../../platform/http/call.ts';
import type { Downloads } from '../../platform/http/download.ts';
import { people } from '../identity/index.ts';
import { nightOf } from './night.ts';
import { nightFile } from './night-file.ts';
import { problemsNow } from './problems.ts';
import { networkRanking } from './ranking.ts';
import { homeStrip } from './strip.ts';
import { networkTiles } from './tiles.ts';

export interface HomeRoutesDeps {
  clock: Clock;
  database: Database;
  downloads: Downloads;
}

export function homeRoutes({ clock, database, downloads }: HomeRoutesDeps): Route[] {
  downloads.offer('night', nightFile(clock));

  const top = implement(homeTop, {
    strip: ({ tx, identity: { actor } }) => homeStrip(tx, actor, clock.now()),
    tiles: ({ tx, identity: { actor } }) => networkTiles(tx, actor, clock.now()),
  });
  const others = implement(contract, {
    problems: ({ tx, identity: { actor } }) => problemsNow(tx, actor, clock.now()),
    night: ({ tx, identity: { actor }, input }) =>
      nightOf(tx, actor.accountId, clock.now(), { ...input, alarms: allows(actor, 'message.read') }),
    async nightExport({ tx, acting, caller, identity, input: { format, ...input } }) {
      const { actor } = identity;
      const filter = { ...input, alarms: allows(actor, 'message.read') };
      // refuses an invalid night first
      await nightOf(tx, actor.accountId, clock.now(), filter);
      const person = { accountId: actor.homeAccountId, personId: actor.userId };
      const timeZone = await database.withSystem((system) => people.timeZoneOf(system, person, actor.accountId));
      return downloads.open('night', { acting, caller, identity, format, timeZone, filter });
    },
    ranking: ({ tx, identity: { actor } }) => networkRanking(tx, actor, clock.now()),
  });
  return [...top, ...others];
}
