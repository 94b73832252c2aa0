import type { remote as contract, DataOf, InputOf } from '@yunxun/contract';
import type { Acting } from '../../platform/acting.ts';
import { requireWholeAccount } from '../../platform/acting.ts';
import type { Tx } from '../../platform/database/index.ts';
import { refuseOutdated } from '../../platform/failure.ts';
import { record } from '../logs/index.ts';
import type { SessionEnds } from './ends.ts';
import { remoteTables } from './tables.ts';

type Settings = DataOf<typeof contract.settings>;

/** `lock`: serialises openings of the account; a row exists once remote access was allowed. */
export async function readSettings(tx: Tx, accountId: string, lock = false): Promise<Settings> {
  const row = await remoteTables(tx)
    .selectFrom('remote_setting')
    .select(['enabled', 'version'])
    .where('account_id', '=', accountId)
    .$if(lock, (query) => query.forUpdate())
    .executeTakeFirst();
  return row ?? { enabled: false, version: 1 };
}

/** @throws Failure changedMeanwhile, noPermission */
export async function saveSettings(
  tx: Tx,
  acting: Acting,
  ends: SessionEnds,
  input: InputOf<typeof contract.saveSettings>,
): Promise<{ version: number }> {
  requireWholeAccount(acting);
  const { accountId } = acting;
  await remoteTables(tx)
    .insertInto('remote_setting')
    .values({ account_id: accountId, enabled: false, version: 1 })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const before = await readSettings(tx, accountId, true);
  refuseOutdated(before, input);
  const version = before.version + 1;
  await remoteTables(tx)
    .updateTable('remote_setting')
    .set({ enabled: input.enabled, version })
    .where('account_id', '=', accountId)
    .execute();
  if (!input.enabled) await ends.end(tx, acting, { accountId }, 'switched_off');
  await record(tx, acting, {
    action: 'remote.settings',
    object: { type: 'account', id: accountId, name: '' },
    before: { enabled: before.enabled },
    after: { enabled: input.enabled },
  });
  return { version };
}
