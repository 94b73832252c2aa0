import { limits, type MemberRole } from '@yunxun/contract';
import { rules } from '@yunxun/contract/rules';
import { type Generated, sql } from 'kysely';
import type { PersonKey } from '../../platform/acting.ts';
import { newToken, tokenHash } from '../../platform/crypto/index.ts';
import { newId, type Tx, tables } from '../../platform/database/index.ts';
import { Failure, invalid } from '../../platform/failure.ts';
import { containing } from '../../platform/search/index.ts';
import { accounts, people, roles } from '../identity/index.ts';
import type { RoleChoice } from './context.ts';

interface InvitationTables {
  invitation: {
    account_id: string;
    id: string;
    login: string;
    role: MemberRole;
    role_id: string | null;
    gwids: string[] | null;
    token_hash: Buffer;
    invited_by: string;
    inviter_id: string | null;
    created_at: Generated<Date>;
    expires_at: Date;
    accepted_at: Date | null;
    revoked_at: Date | null;
  };
}

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
  const db = tables<InvitationTables>(tx);
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
  let open = tables<InvitationTables>(tx)
    .selectFrom('invitation')
    .where('account_id', '=', accountId)
    .where('accepted_at', 'is', null)
    .where('revoked_at', 'is', null);
  if (page.keyword) open = open.where('login', 'ilike', containing(page.keyword));
  const { total } = await open.select((select) => select.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  const rows = await open
    .select(['id', 'login', 'role', 'role_id', 'created_at', 'expires_at'])
    .select(sql<string[] | null>`gwids::text[]`.as('gwids'))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .offset(page.offset)
    .limit(page.limit)
    .execute();
  const names = await roles.roleNames(
    tx,
    accountId,
    rows.flatMap(({ role_id }) => role_id ?? []),
  );
  const list = rows.map((row) => ({ ...row, role_name: names.get(row.role_id ?? '') ?? null }));
  return { list, total: Number(total) };
}

/** @returns the invitation @throws Failure notFound */
export async function revokeInvitation(tx: Tx, accountId: string, id: string, now: Date): Promise<Offer> {
  const row = await tables<InvitationTables>(tx)
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
  return tables<InvitationTables>(tx)
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
  const row = await tables<InvitationTables>(tx)
    .selectFrom('invitation')
    .select(['account_id', 'id', 'login', 'role', 'role_id', 'invited_by', 'expires_at', 'accepted_at', 'revoked_at'])
    .select(sql<string[] | null>`gwids::text[]`.as('gwids'))
    .where((where) => (isId(token) ? where('id', '=', token) : where('token_hash', '=', tokenHash(token))))
    .forUpdate()
    .executeTakeFirst();
  if (!row) throw new Failure('tokenExpired');
  const { email, mobile } = await people.personOf(tx, person);
  if (row.login !== email && row.login !== mobile) throw new Failure('tokenExpired');
  if (row.accepted_at) throw new Failure('tokenUsed');
  if (row.revoked_at || row.expires_at <= now) throw new Failure('tokenExpired');
  return { ...row, account_name: await nameOf(tx, row.account_id) };
}

async function nameOf(tx: Tx, accountId: string): Promise<string> {
  return (await accounts.accountOf(tx, accountId)).name;
}

/** Serves anonymous callers. System role. @throws Failure tokenUsed, tokenExpired */
export async function invitationBehind(tx: Tx, token: string, now: Date) {
  const row = await tables<InvitationTables>(tx)
    .selectFrom('invitation')
    .select(['account_id', 'login', 'invited_by', 'expires_at', 'accepted_at', 'revoked_at'])
    .where('token_hash', '=', tokenHash(token))
    .executeTakeFirst();
  if (row?.accepted_at) throw new Failure('tokenUsed');
  if (!row || row.revoked_at || row.expires_at <= now) throw new Failure('tokenExpired');
  return { ...row, account_name: await nameOf(tx, row.account_id) };
}

export async function useInvitation(
  tx: Tx,
  { account_id, id }: { account_id: string; id: string },
  now: Date,
): Promise<void> {
  await tables<InvitationTables>(tx)
    .updateTable('invitation')
    .set({ accepted_at: now })
    .where('account_id', '=', account_id)
    .where('id', '=', id)
    .execute();
}

/** System role. */
export async function invited(tx: Tx, login: string, now: Date): Promise<boolean> {
  const row = await tables<InvitationTables>(tx)
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
  const rows = await tables<InvitationTables>(tx)
    .selectFrom('invitation')
    .select('id')
    .where('id', 'in', ids)
    .where('accepted_at', 'is', null)
    .where('revoked_at', 'is', null)
    .execute();
  return new Set(rows.map((row) => row.id));
}

export const invitationNum = sql<number>`(
  select count(*)::int from invitation i where i.account_id = r.account_id and i.role_id = r.id
    and i.accepted_at is null and i.revoked_at is null)`;

export function invitationsWithRole(
  tx: Tx,
  accountId: string,
  id: string,
): Promise<{ name: string; gwids: string[] | null }[]> {
  return tables<InvitationTables>(tx)
    .selectFrom('invitation')
    .select(['login as name', sql<string[] | null>`gwids::text[]`.as('gwids')])
    .where('account_id', '=', accountId)
    .where('role_id', '=', id)
    .where('accepted_at', 'is', null)
    .where('revoked_at', 'is', null)
    .orderBy('created_at')
    .execute();
}
