import { limits } from '@yunxun/contract';
import { sql } from 'kysely';
import type { PersonKey } from '../../platform/acting.ts';
import { newToken } from '../../platform/crypto/index.ts';
import { newId, type Tx, tables } from '../../platform/database/index.ts';
import type { Caller } from '../../platform/http/call.ts';
import type { IdentityTables, SignInMethod } from './tables.ts';

export async function openSession(
  tx: Tx,
  person: { accountId: string; personId: string },
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
      account_id: person.accountId,
      id,
      person_id: person.personId,
      token_hash: hash,
      ip: caller.ip,
      user_agent: caller.userAgent,
      sliding_seconds: seconds,
      created_at: now,
      last_active_at: now,
      method,
      // a QR code proves no secret
      confirmed_at: method === 'qr' ? null : now,
    })
    .execute();
  await db
    .insertInto('token_directory')
    .values({
      token_hash: hash,
      account_id: person.accountId,
      person_id: person.personId,
      session_id: id,
      expires_at: new Date(now.getTime() + seconds * 1000),
    })
    .execute();
  return token;
}

const expiresAt = sql<Date>`least(last_active_at + make_interval(secs => sliding_seconds), created_at + make_interval(hours => ${sql.lit(limits.sessionDays * 24)}))`;

/** Milliseconds, for calls in flight. */
const oldTokenMs = 30_000;

/**
 * Ends the old token within half a minute.
 * @returns the token, and whether the session lasts seven days
 */
export async function renewSession(
  tx: Tx,
  accountId: string,
  sessionId: string,
  now: Date,
): Promise<{ token: string; remembered: boolean }> {
  const { token, hash } = newToken();
  const db = tables<IdentityTables>(tx);
  // same lock order as `touch`
  const { sliding_seconds, person_id, expires_at } = await db
    .updateTable('user_session')
    .set({ token_hash: hash, last_active_at: now })
    .where('account_id', '=', accountId)
    .where('id', '=', sessionId)
    .returning(['sliding_seconds', 'person_id', expiresAt.as('expires_at')])
    .executeTakeFirstOrThrow();
  await db
    .updateTable('token_directory')
    .set({ expires_at: sql`least(expires_at, ${new Date(now.getTime() + oldTokenMs)})` })
    .where('account_id', '=', accountId)
    .where('session_id', '=', sessionId)
    .execute();
  await db
    .insertInto('token_directory')
    .values({ token_hash: hash, account_id: accountId, person_id, session_id: sessionId, expires_at })
    .execute();
  return { token, remembered: sliding_seconds === limits.rememberSeconds };
}

export async function endSession(tx: Tx, accountId: string, sessionId: string): Promise<void> {
  const db = tables<IdentityTables>(tx);
  // lock order of `touch`
  await db.deleteFrom('user_session').where('account_id', '=', accountId).where('id', '=', sessionId).execute();
  await db
    .deleteFrom('token_directory')
    .where('account_id', '=', accountId)
    .where('session_id', '=', sessionId)
    .execute();
}

/** Keeps API tokens. @returns how many ended */
export async function endSessionsOf(tx: Tx, person: PersonKey, except: string | null): Promise<number> {
  const db = tables<IdentityTables>(tx);
  let ending = db
    .deleteFrom('user_session')
    .where('account_id', '=', person.accountId)
    .where('person_id', '=', person.personId);
  if (except !== null) ending = ending.where('id', '<>', except);
  const ended = await ending.returning('id').execute();
  if (ended.length === 0) return 0;
  await db
    .deleteFrom('token_directory')
    .where('account_id', '=', person.accountId)
    .where(
      'session_id',
      'in',
      ended.map(({ id }) => id),
    )
    .execute();
  return ended.length;
}

export async function sessionsOf(tx: Tx, person: PersonKey, now: Date, page: { offset: number; limit: number }) {
  const alive = tables<IdentityTables>(tx)
    .selectFrom('user_session')
    .where('account_id', '=', person.accountId)
    .where('person_id', '=', person.personId)
    .where(expiresAt, '>', now);
  const { total } = await alive.select((select) => select.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  const list = await alive
    .select(['id', 'method', 'ip', 'user_agent', 'created_at', 'last_active_at', expiresAt.as('expires_at')])
    .orderBy('last_active_at', 'desc')
    .orderBy('id', 'desc')
    .limit(page.limit)
    .offset(page.offset)
    .execute();
  return { list, total: Number(total) };
}

export async function knownSessions(tx: Tx, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await tables<IdentityTables>(tx)
    .selectFrom('user_session')
    .select('id')
    .where('id', 'in', ids)
    .execute();
  return new Set(rows.map(({ id }) => id));
}

export async function ownsSession(tx: Tx, person: PersonKey, id: string): Promise<boolean> {
  const row = await tables<IdentityTables>(tx)
    .selectFrom('user_session')
    .select('id')
    .where('account_id', '=', person.accountId)
    .where('person_id', '=', person.personId)
    .where('id', '=', id)
    .executeTakeFirst();
  return row !== undefined;
}

export async function markSession(tx: Tx, accountId: string, id: string, marks: { confirmed_at: Date }): Promise<void> {
  await tables<IdentityTables>(tx)
    .updateTable('user_session')
    .set(marks)
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .execute();
}

/** Extends the session, up to its last day. */
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
    // replaced tokens have expired
    .where('expires_at', '>', now)
    .execute();
}

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
