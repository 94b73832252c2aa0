import { type HostingGrant, limits, type Permission, type Role } from '@yunxun/contract';
import type { Clock } from '../../platform/clock.ts';
import { newToken, tokenHash } from '../../platform/crypto/index.ts';
import { type Database, newId, type Tx, tables } from '../../platform/database/index.ts';
import { Failure } from '../../platform/failure.ts';
import type { Caller, Identity } from '../../platform/http/call.ts';
import type { IdentityTables } from './tables.ts';

/** Opens a session. @returns the token, which is stored nowhere */
export async function openSession(
  tx: Tx,
  who: { accountId: string; personId: string },
  caller: Pick<Caller, 'ip' | 'userAgent'>,
  remember: boolean,
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

interface IdentityRow {
  home: string;
  person_id: string;
  session_id: string;
  expires_at: Date;
  sliding_seconds: number;
  last_active_at: Date;
  email: string | null;
  mobile: string | null;
  home_role: Role | null;
  role: Role | null;
  permissions: Permission[] | null;
  gwids: string[] | null;
  acted: string;
  administrator: boolean;
}

// one prepared statement: this runs on every call
const identityQuery = `
  select t.account_id as home, t.person_id, t.session_id, t.expires_at, s.sliding_seconds, s.last_active_at,
    p.email, p.mobile, h.role as home_role, m.role, g.permissions, g.gwids::text[] as gwids,
    coalesce($2::uuid, t.account_id) as acted,
    coalesce((select i.value->>'person_id' = t.person_id::text from installation i where i.key = 'administrator'), false) as administrator
  from token_directory t
  join user_session s on s.account_id = t.account_id and s.id = t.session_id
  join person p on p.account_id = t.account_id and p.id = t.person_id
  left join member h on h.account_id = t.account_id and h.person_id = t.person_id
  left join member m on m.account_id = coalesce($2::uuid, t.account_id) and m.person_id = t.person_id
  left join hosting_grant g on g.account_id = $2::uuid and g.grantee_account_id = t.account_id and g.revoked_at is null
  where t.token_hash = $1 and t.expires_at > $3`;

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Hosted networks are worked on by these members of the account they are hosted to. */
const actForHosted: readonly (Role | null)[] = ['owner', 'admin', 'operator'];

/** Seconds between two writes of "last active" for one session. */
const touchSeconds = 60;

/** Makes `authenticate` of the HTTP server: token and `account` header to the acting identity. */
export function createAuthenticator(database: Database, clock: Clock, adminEmail: string | null) {
  return async (token: string, account: string | null): Promise<Identity | null> => {
    const now = clock.now();
    const known = account === null || uuid.test(account);
    const { rows } = await database.systemPool.query<IdentityRow>({
      name: 'identity',
      text: identityQuery,
      values: [tokenHash(token), known ? account : null, now],
    });
    const row = rows[0];
    if (!row) return null;
    const grant = grantOf(row);
    // another tenant's account answers as if it did not exist
    if (!known || (!row.role && !grant)) throw new Failure('notFound');
    if (now.getTime() - row.last_active_at.getTime() > touchSeconds * 1000) await touch(database, row, now);
    return {
      sessionId: row.session_id,
      actor: {
        accountId: row.acted,
        userId: row.person_id,
        name: row.email ?? row.mobile ?? row.person_id,
        homeAccountId: row.home,
        role: row.role,
        grant,
        installationAdmin: row.administrator || (adminEmail !== null && row.email === adminEmail.toLowerCase()),
      },
    };
  };
}

function grantOf(row: IdentityRow): HostingGrant | null {
  if (row.role || !row.permissions || !actForHosted.includes(row.home_role)) return null;
  return { permissions: row.permissions, gwids: row.gwids };
}

async function touch(database: Database, row: IdentityRow, now: Date): Promise<void> {
  await database.withSystem(async (tx) => {
    const db = tables<IdentityTables>(tx);
    await db
      .updateTable('user_session')
      .set({ last_active_at: now })
      .where('account_id', '=', row.home)
      .where('id', '=', row.session_id)
      .execute();
    await db
      .updateTable('token_directory')
      .set({ expires_at: new Date(now.getTime() + row.sliding_seconds * 1000) })
      .where('account_id', '=', row.home)
      .where('session_id', '=', row.session_id)
      .execute();
  });
}
