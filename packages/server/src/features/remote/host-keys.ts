import type { remote as contract, InputOf } from '@yunxun/contract';
import type { Acting } from '../../platform/acting.ts';
import type { Tx } from '../../platform/database/index.ts';
import { Failure } from '../../platform/failure.ts';
import { record } from '../logs/index.ts';
import { targetOf } from './ends.ts';
import { findSession } from './store.ts';
import { type RemoteSession, remoteTables } from './tables.ts';

type Place = Pick<RemoteSession, 'account_id' | 'gwid' | 'host' | 'port'>;

/** Keeps the first key of an address. @returns the kept one */
export async function pinHostKey(tx: Tx, place: Place, fingerprint: string, now: Date): Promise<string> {
  const { account_id, gwid, host, port } = reached(place);
  await remoteTables(tx)
    .insertInto('remote_host_key')
    .values({ account_id, gwid, host, port, fingerprint, since: now })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return (await keptHostKey(tx, place))!;
}

export async function keptHostKey(tx: Tx, place: Place): Promise<string | null> {
  const { account_id, gwid, host, port } = reached(place);
  const kept = await remoteTables(tx)
    .selectFrom('remote_host_key')
    .select('fingerprint')
    .where('account_id', '=', account_id)
    .where('gwid', '=', gwid)
    .where('host', '=', host)
    .where('port', '=', port)
    .executeTakeFirst();
  return kept?.fingerprint ?? null;
}

export async function keepOfferedKey(tx: Tx, row: RemoteSession, fingerprint: string): Promise<void> {
  await remoteTables(tx)
    .updateTable('remote_session')
    .set({ offered_key: fingerprint })
    .where('account_id', '=', row.account_id)
    .where('id', '=', row.id)
    .execute();
}

/** @throws Failure notFound; changedMeanwhile for another key than the refused one */
export async function acceptHostKey(
  tx: Tx,
  acting: Acting,
  { id, fingerprint }: InputOf<typeof contract.acceptHostKey>,
  now: Date,
): Promise<void> {
  const row = await findSession(tx, acting.accountId, id);
  if (!row || row.host === null) throw new Failure('notFound');
  if (row.offered_key !== fingerprint) throw new Failure('changedMeanwhile');
  const { account_id, gwid, host, port } = reached(row);
  await remoteTables(tx)
    .insertInto('remote_host_key')
    .values({ account_id, gwid, host, port, fingerprint, since: now })
    .onConflict((conflict) =>
      conflict.columns(['account_id', 'gwid', 'host', 'port']).doUpdateSet({ fingerprint, since: now }),
    )
    .execute();
  await record(tx, acting, {
    action: 'remote.host_key',
    object: targetOf(row),
    gwid,
    after: { address: `${host}:${port}`, fingerprint },
  });
}

function reached({ account_id, gwid, host, port }: Place) {
  if (host === null || port === null) throw new Error('a session without an address has no key');
  return { account_id, gwid, host, port };
}
