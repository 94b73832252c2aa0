import { limits } from '@yunxun/contract';
import { rules } from '@yunxun/contract/rules';
import { sql } from 'kysely';
import { newToken, tokenHash } from '../../platform/crypto/index.ts';
import { newId, type Tx, tables } from '../../platform/database/index.ts';
import { Failure, invalid } from '../../platform/failure.ts';
import { containing } from '../../platform/search/index.ts';
import type { RoleChoice } from './account-roles.ts';
import { personOf } from './people.ts';
import type { PersonKey } from './person-key.ts';
import type { IdentityTables } from './tables.ts';

const dayMs = 86_400_000;

export interface Login {
  kind: 'email' | 'mobile';
  value: string;
}

/** Normalizes an e-mail address or mobile. @throws Invalid for `login` */
export function readLogin(text: string): Login {
  const value = text.trim().toLowerCase();
  if (rules.email.test(value)) return { kind: 'email', value };
  if (rules.mobile.test(value)) return { kind: 'mobile', value };
  return invalid('login', 'validation.loginName');
}

export interface Offer extends RoleChoice {
  login: string;
  gwids: string[] | null;
}

/** Replaces an open one. @returns id and token, which is not stored */
export async function openInvitation(
  tx: Tx,
  accountId: string,
  offer: Offer,
  inviter: { personId: string; login: string },
  now: Date,
): Promise<{ id: string; token: string; replaced: string[] }> {
  const db = tables<IdentityTables>(tx);
  const replaced = await db
    .updateTable('invitation')
    .set({ revoked_at: now })
    .where('account_id', '=', accountId)
    .where('login', '=', offer.login)
    .where('accepted_at', 'is', null)
    .where('revoked_at', 'is', null)
    .returning('id')
    .execute();
  const { token, hash } = newToken();
  const id = newId(now.getTime());
  await db
    .insertInto('invitation')
    .values({
      account_id: accountId,
      id,
      ...offer,
      token_hash: hash,
      invited_by: inviter.login,
      inviter_id: inviter.personId,
      created_at: now,
      expires_at: new Date(now.getTime() + limits.invitationDays * dayMs),
      accepted_at: null,
      revoked_at: null,
    })
    .execute();
  return { id, token, replaced: replaced.map((row) => row.id) };
}

export async function openInvitations(
  tx: Tx,
  accountId: string,
  page: { offset: number; limit: number; keyword?: string | undefined },
) {
  let open = tables<IdentityTables>(tx)
    .selectFrom('invitation as i')
    .where('i.account_id', '=', accountId)
    .where('i.accepted_at', 'is', null)
    .where('i.revoked_at', 'is', null);
  if (page.keyword) open = open.where('i.login', 'ilike', containing(page.keyword));
  const { total } = await open.select((select) => select.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  const list = await open
    .leftJoin('account_role as r', (join) =>
      join.onRef('r.account_id', '=', 'i.account_id').onRef('r.id', '=', 'i.role_id'),
    )
    .select(['i.id', 'i.login', 'i.role', 'i.role_id', 'r.name as role_name', 'i.created_at', 'i.expires_at'])
    .select(sql<string[] | null>`i.gwids::text[]`.as('gwids'))
    .orderBy('i.created_at', 'desc')
    .orderBy('i.id', 'desc')
    .offset(page.offset)
    .limit(page.limit)
    .execute();
  return { list, total: Number(total) };
}

/** @returns the invitation @throws Failure notFound */
export async function revokeInvitation(tx: Tx, accountId: string, id: string, now: Date): Promise<Offer> {
  const row = await tables<IdentityTables>(tx)
    .updateTable('invitation')
    .set({ revoked_at: now })
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .where('accepted_at', 'is', null)
    .where('revoked_at', 'is', null)
    .returning(['login', 'role', 'role_id', sql<string[] | null>`gwids::text[]`.as('gwids')])
    .executeTakeFirst();
  if (!row) throw new Failure('notFound');
  return row;
}

/** Ends invitations of a person without that right. @returns them */
export function endInvitationsBy(
  tx: Tx,
  accountId: string,
  personId: string,
  now: Date,
): Promise<{ id: string; login: string }[]> {
  return tables<IdentityTables>(tx)
    .updateTable('invitation')
    .set({ revoked_at: now })
    .where('account_id', '=', accountId)
    .where('inviter_id', '=', personId)
    .where('accepted_at', 'is', null)
    .where('revoked_at', 'is', null)
    .returning(['id', 'login'])
    .execute();
}

const isId = (text: string) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text);

/**
 * Locks by token or id, for the recipient. System role.
 * @throws Failure tokenUsed; tokenExpired if expired, revoked, or another person's
 */
export async function invitationFor(tx: Tx, token: string, person: PersonKey, now: Date) {
  const row = await tables<IdentityTables>(tx)
    .selectFrom('invitation as i')
    .innerJoin('account as a', 'a.account_id', 'i.account_id')
    .select([
      'i.account_id',
      'i.id',
      'i.login',
      'i.role',
      'i.role_id',
      'i.invited_by',
      'i.expires_at',
      'i.accepted_at',
      'i.revoked_at',
    ])
    .select(['a.name as account_name', sql<string[] | null>`i.gwids::text[]`.as('gwids')])
    .where((where) => (isId(token) ? where('i.id', '=', token) : where('i.token_hash', '=', tokenHash(token))))
    .forUpdate('i')
    .executeTakeFirst();
  if (!row) throw new Failure('tokenExpired');
  const { email, mobile } = await personOf(tx, person);
  if (row.login !== email && row.login !== mobile) throw new Failure('tokenExpired');
  if (row.accepted_at) throw new Failure('tokenUsed');
  if (row.revoked_at || row.expires_at <= now) throw new Failure('tokenExpired');
  return row;
}

/** Serves anonymous callers. System role. @throws Failure tokenUsed, tokenExpired */
export async function invitationBehind(tx: Tx, token: string, now: Date) {
  const row = await tables<IdentityTables>(tx)
    .selectFrom('invitation as i')
    .innerJoin('account as a', 'a.account_id', 'i.account_id')
    .select(['i.login', 'i.invited_by', 'i.expires_at', 'i.accepted_at', 'i.revoked_at', 'a.name as account_name'])
    .where('i.token_hash', '=', tokenHash(token))
    .executeTakeFirst();
  if (row?.accepted_at) throw new Failure('tokenUsed');
  if (!row || row.revoked_at || row.expires_at <= now) throw new Failure('tokenExpired');
  return row;
}

export async function useInvitation(
  tx: Tx,
  { account_id, id }: { account_id: string; id: string },
  now: Date,
): Promise<void> {
  await tables<IdentityTables>(tx)
    .updateTable('invitation')
    .set({ accepted_at: now })
    .where('account_id', '=', account_id)
    .where('id', '=', id)
    .execute();
}

/** Returns whether the login may register while registration is closed. System role. */
export async function invited(tx: Tx, login: string, now: Date): Promise<boolean> {
  const row = await tables<IdentityTables>(tx)
    .selectFrom('invitation')
    .select('id')
    .where('login', '=', login)
    .where('accepted_at', 'is', null)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', now)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

export async function knownInvitations(tx: Tx, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await tables<IdentityTables>(tx)
    .selectFrom('invitation')
    .select('id')
    .where('id', 'in', ids)
    .where('accepted_at', 'is', null)
    .where('revoked_at', 'is', null)
    .execute();
  return new Set(rows.map((row) => row.id));
}
