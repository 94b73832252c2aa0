import { announce, type Tx } from '../../../platform/database/index.ts';
import { grouped } from '../../../platform/grouped.ts';

export type Ground = `session ${string}` | `place ${string}` | `member ${string}` | `site ${string}` | 'account';

export const proofSubject = (accountId: string) => `portal.${accountId}.proofs`;

/** Far below the bus's limit of a message. */
const perMessage = 5000;

/** All processes forget proofs that stand on one of these, after the commit. */
export function voidProofs(tx: Tx, accountId: string, grounds: readonly Ground[]): void {
  for (let first = 0; first < grounds.length; first += perMessage)
    announce(tx, proofSubject(accountId), { grounds: grounds.slice(first, first + perMessage) });
}

type Ended = { account_id: string; id: string; method: string };

export function voidSessions(tx: Tx, ended: readonly Ended[]): void {
  const ofAccounts = ended.filter(({ method }) => method === 'account');
  for (const [accountId, sessions] of grouped(ofAccounts, ({ account_id: id }) => id))
    voidProofs(
      tx,
      accountId,
      sessions.map(({ id }): Ground => `session ${id}`),
    );
}

export const placeOf = (sessionId: string, acctSessionId: string | null): Ground =>
  `place ${sessionId} ${acctSessionId ?? ''}`;

/** The session is to have another Acct-Session-Id: processes that remember this one would not write it again. */
export function voidPlace(tx: Tx, session: Ended & { acct_session_id: string | null }, next: string | null): void {
  const { account_id: accountId, id, method, acct_session_id: last } = session;
  if (method === 'account' && last !== next) voidProofs(tx, accountId, [placeOf(id, last)]);
}

export const voidMembers = (tx: Tx, accountId: string, ids: readonly string[]): void =>
  voidProofs(
    tx,
    accountId,
    ids.map((id): Ground => `member ${id}`),
  );
