import type { remoteReplay as contract, DataOf } from '@yunxun/contract';
import { sql } from 'kysely';
import type { Acting } from '../../../platform/acting.ts';
import type { AccountKeys } from '../../../platform/crypto/account-keys.ts';
import type { Database, Tx } from '../../../platform/database/index.ts';
import { Failure } from '../../../platform/failure.ts';
import { record } from '../../logs/index.ts';
import { targetOf } from '../ends.ts';
import { findSession } from '../store.ts';
import { type RemoteSession, remoteTables } from '../tables.ts';

export interface RecordingOf {
  accountId: string;
  id: string;
}

const sealContext = ({ accountId, id }: RecordingOf, part: number) => `remote recording ${accountId} ${id} ${part}`;

/** `deflated`: null if there is nothing more to keep. */
export async function writePart(
  tx: Tx,
  keys: AccountKeys,
  of: RecordingOf,
  { part, deflated, isCut }: { part: number; deflated: Buffer | null; isCut: boolean },
): Promise<void> {
  const { accountId, id } = of;
  // parts that come after a deletion are dropped
  const session = await remoteTables(tx)
    .selectFrom('remote_session')
    .select('recording')
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .where('recording', 'in', ['kept', 'cut'])
    .forShare()
    .executeTakeFirst();
  if (!session) return;
  if (deflated) {
    const sealed = (await keys.of(tx, accountId)).seal(deflated, sealContext(of, part));
    await remoteTables(tx)
      .insertInto('remote_recording_part')
      .values({ account_id: accountId, session_id: id, part, sealed })
      // written again when the answer was lost
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
  if (isCut) await mark(tx, of, 'cut');
}

async function mark(tx: Tx, { accountId, id }: RecordingOf, recording: RemoteSession['recording']): Promise<void> {
  await remoteTables(tx)
    .updateTable('remote_session')
    .set({ recording })
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .execute();
}

/** @throws Failure notFound */
export async function replayRecording(
  tx: Tx,
  keys: AccountKeys,
  acting: Acting,
  id: string,
): Promise<DataOf<typeof contract.replay>> {
  const { accountId } = acting;
  const session = await recordedSession(tx, accountId, id);
  const rows = await remoteTables(tx)
    .selectFrom('remote_recording_part')
    .select(['part', 'sealed'])
    .where('account_id', '=', accountId)
    .where('session_id', '=', id)
    .orderBy('part')
    .execute();
  const sealer = await keys.of(tx, accountId);
  const parts = rows.map(({ part, sealed }) =>
    sealer.open(sealed, sealContext({ accountId, id }, part)).toString('base64'),
  );
  await recordAct(tx, acting, { action: 'remote.replay', session });
  return {
    target: session.target,
    kind: session.kind,
    user: session.user_name,
    guest: session.guest,
    purpose: session.purpose,
    started_at: (session.connected_at ?? session.created_at).toISOString(),
    ended_at: session.ended_at.toISOString(),
    cut: session.recording === 'cut',
    parts,
  };
}

/** @throws Failure notFound */
export async function deleteRecording(tx: Tx, acting: Acting, id: string): Promise<void> {
  const { accountId } = acting;
  const session = await recordedSession(tx, accountId, id);
  await mark(tx, { accountId, id }, 'deleted');
  await remoteTables(tx)
    .deleteFrom('remote_recording_part')
    .where('account_id', '=', accountId)
    .where('session_id', '=', id)
    .execute();
  await recordAct(tx, acting, { action: 'remote.recording_delete', session });
}

async function recordAct(
  tx: Tx,
  acting: Acting,
  { action, session }: { action: string; session: RemoteSession },
): Promise<void> {
  const { gwid, kind, purpose, user_name: person, guest, created_at } = session;
  await record(tx, acting, {
    action,
    object: targetOf(session),
    gwid,
    after: { kind, person, purpose, opened: created_at.toISOString(), ...(guest === null ? {} : { guest }) },
    command: true,
  });
}

async function recordedSession(tx: Tx, accountId: string, id: string): Promise<RemoteSession & { ended_at: Date }> {
  const session = await findSession(tx, accountId, id);
  const isKept = session?.recording === 'kept' || session?.recording === 'cut';
  if (!session?.ended_at || !isKept) throw new Failure('notFound');
  return { ...session, ended_at: session.ended_at };
}

/** Deletes the recordings that each account keeps no longer. */
export async function pruneRecordings(database: Database, now: Date): Promise<void> {
  await database.withSystem((tx) =>
    sql`with over as (
        update remote_session s set recording = 'deleted' from remote_setting t
        where t.account_id = s.account_id and s.recording in ('kept', 'cut')
          and s.ended_at < ${now}::timestamptz - make_interval(days => t.record_days)
        returning s.account_id, s.id)
      delete from remote_recording_part p using over
      where p.account_id = over.account_id and p.session_id = over.id`.execute(tx),
  );
}
