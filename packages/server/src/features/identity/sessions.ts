import { limits } from '@yunxun/contract';
import { newToken } from '../../platform/crypto/index.ts';
import { newId, type Tx, tables } from '../../platform/database/index.ts';
import type { Caller } from '../../platform/http/call.ts';
import type { IdentityTables, SignInMethod } from './tables.ts';

/** Opens a session. @returns the token, which is stored nowhere */
export async function openSession(
  tx: Tx,
  who: { accountId: string; personId: string },
  caller: Pick<Caller, 'ip' | 'userAgent'>,
  remember: boolean,
  method: SignInMethod,
  now: Date,
): Promise<string> {
  const { token, hash } = newToken();
  const id = newId();
  const seconds = remember ? limits.rememberSeconds : limits.sessionSeconds;
  const db = tables<IdentityTables>(tx);
  await db
    .insertInto('user_session')
    .values({
      account_id: who.accountId,
      id,
      person_id: who.personId,
      token_hash: hash,
      ip: caller.ip,
      user_agent: caller.userAgent,
      sliding_seconds: seconds,
      created_at: now,
      last_active_at: now,
      method,
      // a phone that confirmed a QR code did not ask for anything that only the person knows
      confirmed_at: method === 'qr' ? null : now,
    })
    .execute();
  await db
    .insertInto('token_directory')
    .values({
      token_hash: hash,
      account_id: who.accountId,
      person_id: who.personId,
      session_id: id,
      expires_at: new Date(now.getTime() + seconds * 1000),
    })
    .execute();
  return token;
}

/** Ends a session; the token is dead from the commit on. */
export async function endSession(tx: Tx, accountId: string, sessionId: string): Promise<void> {
  const db = tables<IdentityTables>(tx);
  // in the order in which `touch` takes the rows, so that the two never wait for each other
  await db.deleteFrom('user_session').where('account_id', '=', accountId).where('id', '=', sessionId).execute();
  await db
    .deleteFrom('token_directory')
    .where('account_id', '=', accountId)
    .where('session_id', '=', sessionId)
    .execute();
}

/** Notes that a session is in use and lets it slide on, to its last day at most. */
export async function touchSession(
  tx: Tx,
  session: { home: string; session_id: string; sliding_seconds: number | null; session_created_at: Date | null },
  now: Date,
): Promise<void> {
  const db = tables<IdentityTables>(tx);
  const lastDay = session.session_created_at!.getTime() + limits.sessionDays * 86_400_000;
  await db
    .updateTable('user_session')
    .set({ last_active_at: now })
    .where('account_id', '=', session.home)
    .where('id', '=', session.session_id)
    .execute();
  await db
    .updateTable('token_directory')
    .set({ expires_at: new Date(Math.min(now.getTime() + session.sliding_seconds! * 1000, lastDay)) })
    .where('account_id', '=', session.home)
    .where('session_id', '=', session.session_id)
    .execute();
}

/** Notes that an API token was used. */
export async function touchToken(
  tx: Tx,
  token: { accountId: string; id: string },
  ip: string,
  now: Date,
): Promise<void> {
  await tables<IdentityTables>(tx)
    .updateTable('api_token')
    .set({ last_used_at: now, last_ip: ip })
    .where('account_id', '=', token.accountId)
    .where('id', '=', token.id)
    .execute();
}
