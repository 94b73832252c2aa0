import type { Bus } from '../../platform/bus/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Tx } from '../../platform/database/index.ts';
import type { Downloads } from '../../platform/http/download.ts';
import { knownStations } from '../../telemetry/read/index.ts';
import type { DeviceCommands } from '../../uplink/index.ts';
import type { Configuration } from '../configuration/service.ts';
import type { Jobs } from '../jobs/service.ts';
import { createKicks } from './kick.ts';
import { createLists } from './lists.ts';
import { userRoutes } from './routes.ts';
import { listedMacs } from './store.ts';

export interface UsersDeps {
  database: Database;
  bus: Bus;
  clock: Clock;
  jobs: Pick<Jobs, 'create' | 'register' | 'wake'>;
  commands: Pick<DeviceCommands, 'call'>;
  blocking: Configuration['blocking'];
}

/** MACs that no SSID of an account lets in, in order. */
export const blockedTerminals = (tx: Tx, accountId: string): Promise<string[]> => listedMacs(tx, accountId, 'blocked');

/** The people (their terminals) on the networks of an account. */
export function createUsers(deps: UsersDeps) {
  const { database, clock, blocking } = deps;
  const kicks = createKicks(deps);
  const lists = createLists({ clock, kicks, blocking });
  return {
    routes: (downloads: Downloads) => userRoutes({ database, clock, downloads, kicks, lists, blocking }),
    joinHandlers: kicks.joinHandlers,
    /** Says which ids of a request exist in its scope. */
    objects: { station: knownStations },
    tasks: kicks.tasks,
  };
}
