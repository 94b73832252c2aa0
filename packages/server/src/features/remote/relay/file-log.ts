import type { Acting } from '../../../platform/acting.ts';
import type { Log } from '../../../platform/log.ts';
import { record } from '../../logs/index.ts';
import { targetOf } from '../ends.ts';
import type { RemoteSession } from '../tables.ts';
import { FileRefused } from './files.ts';
import type { FileLog } from './holding.ts';
import { actorOf, type RightsDeps } from './rights.ts';

export function fileLogOf(deps: RightsDeps & { log: Log }, row: RemoteSession): FileLog {
  const { account_id: accountId, user_id: userId, gwid } = row;
  return async (grant, entry) => {
    const actor = await actorOf(deps, grant, { accountId, userId, gwid });
    if (!actor) throw new FileRefused('ended');
    const acting: Acting = { accountId, userId, actor, source: 'web', ip: grant.ip };
    const after = { ...entry };
    try {
      await deps.database.withSystem((tx) =>
        record(tx, acting, { action: 'remote.file', object: targetOf(row), gwid, after, command: true }),
      );
    } catch (error) {
      deps.log.error({ err: error, id: row.id }, 'file of a remote session not logged');
      throw new FileRefused('failed');
    }
  };
}
