import { limits } from '@yunxun/contract';
import type { Selectable } from 'kysely';
import type { PersonKey } from '../../platform/acting.ts';
import { newToken, tokenHash } from '../../platform/crypto/index.ts';
import { type Tx, tables } from '../../platform/database/index.ts';
import type { IdentityTables, SignInMethod } from './tables.ts';

export type TicketKind = IdentityTables['sign_in_ticket']['kind'];
export type Ticket = Selectable<IdentityTables['sign_in_ticket']>;

export interface NewTicket {
  kind: TicketKind;
  /** Unset until a passkey names its person. */
  accountId?: string;
  personId?: string;
  method?: SignInMethod;
  remember?: boolean;
  challenge?: string;
  passwordHash?: string | undefined;
}

export async function openTicket(tx: Tx, given: NewTicket, now: Date): Promise<string> {
  const { token, hash } = newToken();
  await tables<IdentityTables>(tx)
    .insertInto('sign_in_ticket')
    .values({
      token_hash: hash,
      kind: given.kind,
      account_id: given.accountId ?? null,
      person_id: given.personId ?? null,
      method: given.method ?? null,
      remember: given.remember ?? false,
      challenge: given.challenge ?? null,
      password_hash: given.passwordHash ?? null,
      expires_at: new Date(now.getTime() + limits.ticketMinutes * 60_000),
    })
    .execute();
  return token;
}

/** Returns whether it is unused; a concurrent use waits. */
export async function lockTicket(tx: Tx, token: string, now: Date): Promise<boolean> {
  const row = await tables<IdentityTables>(tx)
    .selectFrom('sign_in_ticket')
    .select('token_hash')
    .where('token_hash', '=', tokenHash(token))
    .where('kind', '=', 'second_factor')
    .where('expires_at', '>', now)
    .forUpdate()
    .executeTakeFirst();
  return row !== undefined;
}

/** @returns null if used, expired, unknown or of another kind */
export async function takeTicket(tx: Tx, token: string, kind: TicketKind, now: Date): Promise<Ticket | null> {
  const row = await tables<IdentityTables>(tx)
    .deleteFrom('sign_in_ticket')
    .where('token_hash', '=', tokenHash(token))
    .where('kind', '=', kind)
    .where('expires_at', '>', now)
    .returningAll()
    .executeTakeFirst();
  return row ?? null;
}

export async function forgetTickets(tx: Tx, { accountId, personId }: PersonKey): Promise<void> {
  await tables<IdentityTables>(tx)
    .deleteFrom('sign_in_ticket')
    .where('account_id', '=', accountId)
    .where('person_id', '=', personId)
    .where('kind', '=', 'second_factor')
    .execute();
}
