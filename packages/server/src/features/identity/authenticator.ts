import type { Actor, Area, HostingDelegation, MemberRole, Permission } from '@yunxun/contract';
import { limits } from '@yunxun/contract';
import type { PersonKey } from '../../platform/acting.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/index.ts';
import { Failure } from '../../platform/failure.ts';
import type { Identity } from '../../platform/http/call.ts';
import type { Claim } from '../../platform/http/http-options.ts';
import { permissionsOfRole } from './account-roles.ts';
import { touchRight, worksOnHosted } from './rights.ts';
import { touchSession, touchToken } from './sessions.ts';
import { rightsOfViewed } from './view-as.ts';

interface IdentityRow {
  kind: 'session' | 'api';
  home: string;
  person_id: string;
  session_id: string;
  sliding_seconds: number | null;
  session_created_at: Date | null;
  last_active_at: Date | null;
  confirmed_at: Date | null;
  email: string | null;
  mobile: string | null;
  person_name: string;
  administers: boolean;
  locked: boolean;
  acted_locked: boolean;
  role: MemberRole | null;
  own_permissions: Permission[] | null;
  role_gwids: string[] | null;
  grant_id: string | null;
  grantee: string | null;
  permissions: Permission[] | null;
  gwids: string[] | null;
  right_used_at: Date | null;
  acted: string;
  token_name: string | null;
  token_scope: 'read' | 'write' | null;
  token_areas: Area[] | null;
  token_gwids: string[] | null;
  token_last_used_at: Date | null;
}

const rightColumns = `t.account_id as home, t.person_id, p.email, p.mobile, p.name as person_name, p.administers,
    a.locked_at is not null as locked, b.locked_at is not null as acted_locked,
    m.role, r.permissions as own_permissions, m.gwids::text[] as role_gwids,
    g.id as grant_id, g.grantee_account_id as grantee, g.permissions, g.gwids::text[] as gwids,
    case when m.role is null then g.last_used_at else m.last_active_at end as right_used_at,
    b.account_id as acted`;

/** Of the person `t`; $2 is the account. */
const rightJoins = `
  join person p on p.account_id = t.account_id and p.id = t.person_id
  join account a on a.account_id = t.account_id
  join account b on b.account_id = coalesce($2::uuid, t.account_id)
  left join member m on m.account_id = b.account_id and m.person_id = t.person_id
  left join account_role r on r.account_id = m.account_id and r.id = m.role_id
  left join lateral (
    select h.id, h.grantee_account_id, h.permissions, h.gwids, h.last_used_at
    from hosting_grant h
    join member w on w.account_id = h.grantee_account_id and w.person_id = t.person_id and ${worksOnHosted('w')}
    join account x on x.account_id = h.grantee_account_id and x.locked_at is null
    where m.role is null and h.account_id = b.account_id and b.account_id <> t.account_id and h.revoked_at is null
    order by h.grantee_account_id <> t.account_id, h.id limit 1
  ) g on true`;

// prepared statement: it runs on every call
const identityQuery = `
  select t.kind, t.session_id, s.sliding_seconds, s.created_at as session_created_at, s.last_active_at, s.confirmed_at,
    k.name as token_name, k.scope as token_scope, k.areas as token_areas, k.gwids::text[] as token_gwids,
    k.last_used_at as token_last_used_at, ${rightColumns}
  from token_directory t ${rightJoins}
  left join user_session s on t.kind = 'session' and s.account_id = t.account_id and s.id = t.session_id
  left join api_token k on t.kind = 'api' and k.account_id = t.account_id and k.id = t.session_id
  where t.token_hash = $1 and t.expires_at > $3 and (s.id is not null or k.id is not null)`;

const personQuery = `select ${rightColumns} from (select $1::uuid as account_id, $3::uuid as person_id) t ${rightJoins}`;

const deadOrAlive = 'select 1 from token_directory where token_hash = $1 and expires_at > $2';

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** A removed person may still use the console and other accounts. */
const nothing = { permissions: [], gwids: [] };

/** Seconds between writes per session. */
const touchSeconds = 60;

/**
 * Returns null for an invalid token. @throws Failure notFound for an account or view without a right; accountClosed if
 * locked
 */
export function createAuthenticator(database: Database, clock: Clock, adminEmail: string | null) {
  return async (hash: Buffer, claim: Claim): Promise<Identity | null> => {
    const now = clock.now();
    const known = claim.account === null || uuid.test(claim.account);
    const { rows } = await database.systemPool.query<IdentityRow>({
      name: 'identity',
      text: identityQuery,
      values: [hash, known ? claim.account : null, now],
    });
    const row = rows[0];
    if (!row) {
      if (claim.account === null || !known) return null;
      // same answer for missing and foreign ones
      const alive = await database.systemPool.query({ name: 'alive', text: deadOrAlive, values: [hash, now] });
      if (alive.rowCount) throw new Failure('notFound');
      return null;
    }
    if (row.locked) return null;
    const delegation = delegationOf(row);
    if (!known || (!row.role && !delegation)) throw new Failure('notFound');
    if (row.acted_locked) throw new Failure('accountClosed');
    if (claim.active) await Promise.all([touch(database, row, claim.ip, now), touchRightOf(database, row, now)]);
    const actor = actorOf(row, delegation, adminEmail);
    const confirmedUntil = row.confirmed_at && new Date(row.confirmed_at.getTime() + limits.confirmMinutes * 60_000);
    const identity: Identity = {
      sessionId: row.session_id,
      confirmedUntil: confirmedUntil && confirmedUntil > now ? confirmedUntil : null,
      actor,
    };
    if (claim.viewAs === null) return identity;
    return {
      ...identity,
      viewAs: claim.viewAs,
      actor: { ...actor, ...(await rightsOfViewed(database, actor, claim.viewAs)), viewing: true },
    };
  };
}

/** Returns what a person may do in an account, without a sign-in; null for nothing. */
export async function actorIn(database: Database, accountId: string, person: PersonKey): Promise<Actor | null> {
  const { rows } = await database.systemPool.query<IdentityRow>({
    name: 'person-rights',
    text: personQuery,
    values: [person.accountId, accountId, person.personId],
  });
  const [row] = rows;
  if (!row || row.locked || row.acted_locked) return null;
  const delegation = delegationOf(row);
  return row.role || delegation ? actorOf(row, delegation, null) : null;
}

function actorOf(row: IdentityRow, delegation: HostingDelegation | null, adminEmail: string | null): Actor {
  return {
    accountId: row.acted,
    userId: row.person_id,
    name: row.email ?? row.mobile ?? row.person_id,
    homeAccountId: row.home,
    role: row.role,
    rolePermissions: row.role ? permissionsOfRole(row.role, row.own_permissions) : [],
    roleGwids: row.role_gwids,
    delegation,
    token: row.token_name
      ? { name: row.token_name, scope: row.token_scope!, areas: row.token_areas, gwids: row.token_gwids }
      : null,
    viewing: false,
    installationAdmin: row.administers || (adminEmail !== null && row.email === adminEmail.toLowerCase()),
  };
}

function delegationOf({ role, permissions, gwids, grantee, acted, home }: IdentityRow): HostingDelegation | null {
  if (role) return null;
  if (permissions && grantee) return { permissions, gwids, to: grantee };
  return acted === home ? { ...nothing, to: home } : null;
}

function dueForTouch(last: Date | null, now: Date): boolean {
  return !last || now.getTime() - last.getTime() > touchSeconds * 1000;
}

async function touchRightOf(database: Database, row: IdentityRow, now: Date): Promise<void> {
  if (!dueForTouch(row.right_used_at, now)) return;
  await database.withSystem((tx) =>
    touchRight(tx, row.acted, row.role ? { personId: row.person_id } : { delegationId: row.grant_id }, now),
  );
}

async function touch(database: Database, row: IdentityRow, ip: string, now: Date): Promise<void> {
  if (!dueForTouch(row.kind === 'api' ? row.token_last_used_at : row.last_active_at, now)) return;
  await database.withSystem(async (tx) => {
    if (row.kind === 'api') await touchToken(tx, { accountId: row.home, id: row.session_id }, ip, now);
    else await touchSession(tx, row, now);
  });
}
