import { bySystem } from '../../platform/acting.ts';
import type { Database, Tx } from '../../platform/database/index.ts';
import { presences } from '../../telemetry/read/index.ts';
import type { Configuration } from '../configuration/index.ts';
import type { Kicks } from './kick.ts';
import { blockedByNetwork } from './list-change.ts';
import { blockedMarks } from './store.ts';

const followTask = 'users-follow-blocked';

export interface FollowDeps {
  database: Database;
  kicks: Pick<Kicks, 'start'>;
  blocking: Configuration['blocking'];
}

/** Disconnects a blocked client where the deny list is missing, and pushes it there. */
export function createFollowBlocked({ database, kicks, blocking }: FollowDeps) {
  async function follow(tx: Tx, accountId: string): Promise<void> {
    const held = new Map((await blocking.holds(tx, accountId)).map(({ serial, blocked }) => [serial, blocked]));
    const marks = await blockedMarks(tx, accountId);
    const blockedIn = blockedByNetwork(marks);
    const places = await presences(
      tx,
      accountId,
      marks.map(({ mac }) => mac),
    );
    const found = places.filter(({ mac, serial, gwid, connected }) => {
      const older = held.get(serial);
      return connected && gwid !== null && older && !older.includes(mac) && blockedIn(gwid).includes(mac);
    });
    if (found.length === 0) return;
    const scope = [...new Set(found.flatMap(({ gwid }) => gwid ?? []))];
    const macs = [...new Set(found.map(({ mac }) => mac))];
    const acting = bySystem(accountId);
    await blocking.push(tx, acting, { scope, now: scope, elsewhere: 'now', before: blockedIn });
    await blocking.release(tx, accountId, scope);
    const onAir = macs.filter((mac) => found.some((place) => place.mac === mac && place.band > 0));
    if (onAir.length > 0) await kicks.start(tx, acting, onAir, { denied: true, scope });
  }

  return {
    tasks: {
      async [followTask]() {
        const accounts = await database.withSystem((tx) => blocking.holdingAccounts(tx));
        for (const accountId of accounts) await database.withSystem((tx) => follow(tx, accountId));
      },
    },
    schedules: [{ task: followTask, cron: '* * * * *' }],
  };
}
