import { limits } from '@yunxun/contract';
import type { PersonKey } from '../../platform/acting.ts';
import { newToken, tokenHash } from '../../platform/crypto/index.ts';
import { newId, type Tx, tables } from '../../platform/database/index.ts';
import { Failure } from '../../platform/failure.ts';
import type { Caller } from '../../platform/http/call.ts';
import { type Entering, type SignInDeps, tokenOf } from './entering.ts';
import { personOf } from './people.ts';
import type { IdentityTables } from './tables.ts';

/** Milliseconds after expiry for the page to fetch a confirmation. */
const fetchWithin = 4 * limits.qrPollSeconds * 1000;

/**
 * Signs in by QR code. The page polls with `qruuid`, which it never shows; the code has another
 * secret. A photograph of it only signs the page in as the photographer.
 */
export function createQrSignIn({ database, clock, publicUrl }: SignInDeps, entering: Entering) {
  return {
    async create(caller: Caller) {
      const now = clock.now();
      const qruuid = newId();
      const { token, hash } = newToken();
      const expiresAt = new Date(now.getTime() + limits.qrSeconds * 1000);
      await database.withSystem((tx) =>
        tables<IdentityTables>(tx)
          .insertInto('qr_login')
          .values({
            qruuid,
            code_hash: hash,
            ip: caller.ip,
            user_agent: caller.userAgent,
            account_id: null,
            person_id: null,
            created_at: now,
            expires_at: expiresAt,
          })
          .execute(),
      );
      return { qruuid, url: `${publicUrl}/qr/${token}`, expire_at: expiresAt.toISOString() };
    },

    /** Returns `token` once, with `confirmed`. @throws Failure accountClosed */
    async check(qruuid: string, remember: boolean | undefined, caller: Caller) {
      const now = clock.now();
      const { status, entered } = await database.withSystem(async (tx) => {
        const row = await tables<IdentityTables>(tx)
          .selectFrom('qr_login')
          .selectAll()
          .where('qruuid', '=', qruuid)
          .forUpdate()
          .executeTakeFirst();
        const grace = row?.state === 'confirmed' ? fetchWithin : 0;
        if (!row || row.expires_at.getTime() + grace <= now.getTime()) return { status: 'expired' as const };
        if (row.state !== 'confirmed') return { status: row.state };
        await tables<IdentityTables>(tx).deleteFrom('qr_login').where('qruuid', '=', qruuid).execute();
        const user = { accountId: row.account_id!, personId: row.person_id! };
        const person = await personOf(tx, user);
        const login = person.email ?? person.mobile ?? user.personId;
        const entered = await entering.open(tx, { ...user, login, method: 'qr', remember }, caller);
        return { status: 'confirmed' as const, entered };
      });
      return { status, token: entered ? tokenOf(entered) : null };
    },

    async look(tx: Tx, code: string) {
      const row = await waiting(tx, code, clock.now());
      return {
        ip: row.ip,
        user_agent: row.user_agent,
        created_at: row.created_at.toISOString(),
        expire_at: row.expires_at.toISOString(),
      };
    },

    /** Logs a refusal for the requesting browser. @throws Failure tokenExpired */
    async answer(tx: Tx, code: string, person: PersonKey & { login: string }, accept: boolean): Promise<void> {
      const row = await waiting(tx, code, clock.now());
      const browser = { ip: row.ip, userAgent: row.user_agent };
      if (!accept) await entering.refuse(tx, { ...person, method: 'qr' }, browser, 'refused');
      await tables<IdentityTables>(tx)
        .updateTable('qr_login')
        .set({
          state: accept ? 'confirmed' : 'refused',
          account_id: person.accountId,
          person_id: person.personId,
        })
        .where('qruuid', '=', row.qruuid)
        .execute();
    },
  };
}

async function waiting(tx: Tx, code: string, now: Date) {
  const row = await tables<IdentityTables>(tx)
    .selectFrom('qr_login')
    .selectAll()
    .where('code_hash', '=', tokenHash(code))
    .where('state', '=', 'waiting')
    .where('expires_at', '>', now)
    .forUpdate()
    .executeTakeFirst();
  if (!row) throw new Failure('tokenExpired');
  return row;
}
