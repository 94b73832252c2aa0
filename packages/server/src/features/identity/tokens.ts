import { type Area, apiTokenPrefix, limits } from '@yunxun/contract';
import { sql } from 'kysely';
import type { PersonKey } from '../../platform/acting.ts';
import { newToken, tokenHash } from '../../platform/crypto/index.ts';
import { newId, type Tx, tables } from '../../platform/database/index.ts';
import { Failure } from '../../platform/failure.ts';
import { lockPerson, requireBelowLimit } from './people.ts';
import type { IdentityTables } from './tables.ts';

const dayMs = 86_400_000;

export interface NewApiToken {
  name: string;
  scope: 'read' | 'write';
  areas: Area[] | null;
  gwids: string[] | null;
  days: number;
}

/** @returns id and text, which is not stored @throws Failure limitReached */
export async function createToken(
  tx: Tx,
  person: PersonKey,
  { days, ...wanted }: NewApiToken,
  now: Date,
): Promise<{ id: string; token: string }> {
  const db = tables<IdentityTables>(tx);
  // for the limit
  await lockPerson(tx, person);
  requireBelowLimit(await countLive(tx, person, now), limits.tokensPerPerson);
  const id = newId();
  const token = apiTokenPrefix + newToken().token;
  const expires_at = new Date(now.getTime() + days * dayMs);
  await db
    .insertInto('api_token')
    .values({
      account_id: person.accountId,
      id,
      person_id: person.personId,
      ...wanted,
      created_at: now,
      expires_at,
      last_used_at: null,
      last_ip: null,
    })
    .execute();
  await db
    .insertInto('token_directory')
    .values({
      token_hash: tokenHash(token),
      account_id: person.accountId,
      person_id: person.personId,
      session_id: id,
      expires_at,
      kind: 'api',
    })
    .execute();
  return { id, token };
}

async function countLive(tx: Tx, person: PersonKey, now: Date): Promise<number> {
  const { count } = await tables<IdentityTables>(tx)
    .selectFrom('api_token')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('account_id', '=', person.accountId)
    .where('person_id', '=', person.personId)
    .where('expires_at', '>', now)
    .executeTakeFirstOrThrow();
  return Number(count);
}

export async function tokensOf(tx: Tx, person: PersonKey, page: { offset: number; limit: number }) {
  const mine = tables<IdentityTables>(tx)
    .selectFrom('api_token')
    .where('account_id', '=', person.accountId)
    .where('person_id', '=', person.personId);
  const { total } = await mine.select((select) => select.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  const list = await mine
    .selectAll()
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(page.limit)
    .offset(page.offset)
    .execute();
  return { list, total: Number(total) };
}

export async function knownTokens(tx: Tx, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await tables<IdentityTables>(tx).selectFrom('api_token').select('id').where('id', 'in', ids).execute();
  return new Set(rows.map(({ id }) => id));
}

/** Covers tokens of the account's people; one limited to this network only is revoked. */
export async function forgetNetworkOfTokens(
  tx: Tx,
  accountId: string,
  gwid: string,
): Promise<{ id: string; name: string; personId: string; revoked: boolean }[]> {
  const changed = await tables<IdentityTables>(tx)
    .updateTable('api_token')
    .set({ gwids: sql<string[]>`array_remove(gwids, ${gwid}::uuid)` })
    .where('account_id', '=', accountId)
    .where(sql<boolean>`${gwid}::uuid = any(gwids)`)
    .returning(['id', 'name', 'person_id as personId', sql<boolean>`cardinality(gwids) = 0`.as('revoked')])
    .execute();
  for (const { id, personId } of changed.filter(({ revoked }) => revoked))
    await revokeToken(tx, { accountId, personId }, id);
  return changed;
}

/** Invalidates the token at the commit. @returns its name @throws Failure notFound */
export async function revokeToken(tx: Tx, person: PersonKey, id: string): Promise<string> {
  const db = tables<IdentityTables>(tx);
  const gone = await db
    .deleteFrom('api_token')
    .where('account_id', '=', person.accountId)
    .where('person_id', '=', person.personId)
    .where('id', '=', id)
    .returning('name')
    .executeTakeFirst();
  if (!gone) throw new Failure('notFound');
  await db
    .deleteFrom('token_directory')
    .where('account_id', '=', person.accountId)
    .where('session_id', '=', id)
    .execute();
  return gone.name;
}
