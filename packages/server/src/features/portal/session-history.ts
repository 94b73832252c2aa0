import type { portalSessions as contract, DataOf, InputOf } from '@yunxun/contract';
import { type SelectQueryBuilder, sql } from 'kysely';
import type { Acting } from '../../platform/acting.ts';
import type { AccountKeys } from '../../platform/crypto/account-keys.ts';
import type { Tx } from '../../platform/database/index.ts';
import { Failure } from '../../platform/failure.ts';
import { fleetNetworks } from '../fleet/index.ts';
import { record } from '../logs/index.ts';
import type { PortalSecrets } from './secrets.ts';
import { reportedBytes } from './session-bytes.ts';
import { sessionsMatching } from './session-search.ts';
import { findSession, type Session } from './session-store.ts';
import { portal, type SessionTable, type TermsTable } from './tables.ts';
import { termsById } from './terms-store.ts';

type Contract = typeof contract;
type Row = DataOf<Contract['list']>['list'][number];

const contextOf = (hash: Buffer) => `portal identity ${hash.toString('hex')}`;

/** Seals a whole identity; sessions of the same guest share the context. */
export async function sealIdentity(tx: Tx, keys: AccountKeys, accountId: string, hash: Buffer, whole: string) {
  return (await keys.of(tx, accountId)).seal(whole, contextOf(hash));
}

export async function openIdentity(
  tx: Tx,
  keys: AccountKeys,
  { account_id, identity, identity_hash: hash, identity_sealed: sealed }: Session,
): Promise<string | null> {
  return sealed && hash ? (await keys.of(tx, account_id)).open(sealed, contextOf(hash)).toString() : identity;
}

function shown(
  { granted_at, expires_at, ended_at, ...row }: Session,
  network: string,
  terms: TermsTable | undefined,
): Row {
  const { id, gwid, mac, verified, ip, method, identity, end_reason } = row;
  return {
    id,
    gwid,
    network,
    mac,
    verified,
    ip,
    method,
    identity,
    end_reason,
    ...reportedBytes(row),
    masked: row.identity_sealed !== null,
    state: row.state === 'online' ? 'online' : 'ended',
    terms: terms ? { version: terms.version, locale: terms.locale } : null,
    granted_at: granted_at!.toISOString(),
    expires_at: expires_at?.toISOString() ?? null,
    ended_at: ended_at?.toISOString() ?? null,
  };
}

export function createSessionHistory({ keys, secrets }: { keys: AccountKeys; secrets: PortalSecrets }) {
  return {
    async list(tx: Tx, accountId: string, input: InputOf<Contract['list']>): Promise<DataOf<Contract['list']>> {
      const { page = 1, limit = 10, keyword = '', sort = 'granted_at', order = 'desc' } = input;
      const { gwid, state, method, from, to } = input;
      let found = portal(tx)
        .selectFrom('portal_session')
        .where('account_id', '=', accountId)
        .where('granted_at', 'is not', null)
        .where(sessionsMatching(secrets, accountId, keyword));
      if (gwid) found = found.where('gwid', '=', gwid);
      if (state) found = found.where('state', state === 'online' ? '=' : '<>', 'online');
      if (method) found = found.where('method', '=', method);
      if (from) found = found.where('granted_at', '>=', new Date(from));
      if (to) found = found.where('granted_at', '<', new Date(to));
      const rows = await found
        .selectAll()
        .orderBy(sql`${sql.ref(sort)} ${sql.raw(order)} nulls last`)
        .orderBy('id')
        .limit(limit)
        .offset((page - 1) * limit)
        .execute();
      const { total } = await (found as SelectQueryBuilder<{ portal_session: SessionTable }, 'portal_session', object>)
        .select((select) => select.fn.countAll<number>().as('total'))
        .executeTakeFirstOrThrow();
      const names = await fleetNetworks.names(tx, accountId, [...new Set(rows.map((row) => row.gwid))]);
      const terms = await termsById(tx, accountId, [...new Set(rows.flatMap((row) => row.terms_id ?? []))]);
      const one = (row: Session) => shown(row, names.get(row.gwid) ?? '', terms.get(row.terms_id ?? ''));
      return { list: rows.map(one), total };
    },

    /** @throws Failure notFound; null: the page had no terms */
    async terms(
      tx: Tx,
      accountId: string,
      { gwid, id }: InputOf<Contract['terms']>,
    ): Promise<DataOf<Contract['terms']>> {
      const session = await findSession(tx, { accountId, gwid }, id);
      if (!session) throw new Failure('notFound');
      const found = (await termsById(tx, accountId, session.terms_id ? [session.terms_id] : [])).get(session.terms_id!);
      if (!found) return { terms: null };
      const { version, locale, text, first_at } = found;
      return { terms: { version, locale, text, first_at: first_at.toISOString() } };
    },

    /** @throws Failure notFound */
    async reveal(tx: Tx, acting: Acting, { gwid, id }: InputOf<Contract['reveal']>) {
      const session = await findSession(tx, { accountId: acting.accountId, gwid }, id);
      if (!session) throw new Failure('notFound');
      await record(tx, acting, {
        action: 'portal.reveal',
        object: { type: 'portal_guest', id, name: session.identity ?? session.mac ?? id },
        gwid,
      });
      return { identity: await openIdentity(tx, keys, session) };
    },
  };
}
