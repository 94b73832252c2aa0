import { remote as contract, type DataOf, type InputOf } from '@yunxun/contract';
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
    .select(['enabled', 'record', 'record_days', 'version'])
    .where('account_id', '=', accountId)
    .$if(lock, (query) => query.forUpdate())
    .executeTakeFirst();
  return row ?? { enabled: false, record: false, record_days: contract.remoteLimits.recordDays, version: 1 };
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
  const { enabled, record: isRecorded = before.record, record_days: days = before.record_days } = input;
  const after = { enabled, record: isRecorded, record_days: days };
  await remoteTables(tx)
    .updateTable('remote_setting')
    .set({ ...after, version })
    .where('account_id', '=', accountId)
    .execute();
  if (!enabled) await ends.end(tx, acting, { accountId }, 'switched_off');
  await record(tx, acting, {
    action: 'remote.settings',
    object: { type: 'account', id: accountId, name: '' },
    before: { enabled: before.enabled, record: before.record, record_days: before.record_days },
    after,
  });
  return { version };
}
