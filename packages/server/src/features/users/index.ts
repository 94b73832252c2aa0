import type { Bus } from '../../platform/bus/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Tx } from '../../platform/database/index.ts';
import type { Downloads } from '../../platform/http/download.ts';
import type { SessionTotals } from '../../telemetry/index.ts';
import { knownStations } from '../../telemetry/read/index.ts';
import type { DeviceCommands } from '../../uplink/index.ts';
import type { Configuration } from '../configuration/index.ts';
import type { Jobs } from '../jobs/index.ts';
import { createFollowBlocked } from './follow-blocked.ts';
import { createKicks } from './kick.ts';
import { blockedByNetwork } from './list-change.ts';
import { createLists } from './lists.ts';
import { userRoutes } from './routes.ts';
import { clientSearch } from './search.ts';
import { blockedMarks } from './store.ts';

export interface UsersDeps {
  database: Database;
  bus: Bus;
  clock: Clock;
  jobs: Pick<Jobs, 'create' | 'register' | 'wake'>;
  commands: Pick<DeviceCommands, 'call'>;
  blocking: Configuration['blocking'];
  totals: SessionTotals;
}

export { namesOf } from './kick.ts';
export { isBlocked, listedSubject } from './store.ts';

export const blockedTerminals = async (tx: Tx, accountId: string) =>
  blockedByNetwork(await blockedMarks(tx, accountId));

export function createUsers(deps: UsersDeps) {
  const { database, clock, blocking, totals } = deps;
  const kicks = createKicks(deps);
  const lists = createLists({ clock, kicks, blocking });
  const follow = createFollowBlocked({ database, kicks, blocking });
  return {
    routes: (downloads: Downloads) => userRoutes({ database, clock, downloads, kicks, lists, blocking, totals }),
    joinHandlers: kicks.joinHandlers,
    objects: { station: knownStations },
    search: clientSearch,
    tasks: { ...kicks.tasks, ...follow.tasks },
    schedules: follow.schedules,
  };
}
