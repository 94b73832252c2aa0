import { limits } from '@yunxun/contract';
import type { Selectable } from 'kysely';
import { newToken, tokenHash } from '../../platform/crypto/index.ts';
import { type Tx, tables } from '../../platform/database/index.ts';
import type { PersonKey } from './people.ts';
import type { IdentityTables, SignInMethod } from './tables.ts';

export type TicketKind = IdentityTables['sign_in_ticket']['kind'];
/** A step that waits for the next one, as the database keeps it. */
export type Ticket = Selectable<IdentityTables['sign_in_ticket']>;

/** What the next step has to know of the one before. */
export interface NewTicket {
  kind: TicketKind;
  /** Whose ticket it is; nobody's before a passkey names its person. */
  accountId?: string;
  personId?: string;
  /** How the first step was taken, and whether the session is to be remembered. */
  method?: SignInMethod;
  remember?: boolean;
  /** What a passkey has to sign. */
  challenge?: string;
  /** A first password that is to be set with the next step. */
  passwordHash?: string | undefined;
}

/** Opens a ticket for `limits.ticketMinutes`. @returns its token, which is stored nowhere */
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

/** Takes a ticket, once. @returns null for one that was taken, has expired, is of another kind or never was */
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

/** Ends a person's steps that wait: what the first one showed counts no longer. */
export async function forgetTickets(tx: Tx, { accountId, personId }: PersonKey): Promise<void> {
  await tables<IdentityTables>(tx)
    .deleteFrom('sign_in_ticket')
    .where('account_id', '=', accountId)
    .where('person_id', '=', personId)
    .where('kind', '=', 'second_factor')
    .execute();
}
