import { createHash, randomBytes, randomInt } from 'node:crypto';
import type { Seed } from '@yunxun/contract';
import { sql } from 'kysely';
import { URI } from 'otpauth';
import { keepPasskey, passkeyCreation, relyingPartyOf } from '../src/features/identity/passkeys.ts';
import { bindLogin } from '../src/features/identity/people.ts';
import { beginTotp, enableTotp } from '../src/features/identity/second-factor.ts';
import { openSession, sessionsOf } from '../src/features/identity/sessions.ts';
import { openTicket } from '../src/features/identity/tickets.ts';
import { createToken } from '../src/features/identity/tokens.ts';
import type { PersonKey } from '../src/platform/acting.ts';
import { createAccountKeys } from '../src/platform/crypto/account-keys.ts';
import { createSealer } from '../src/platform/crypto/index.ts';
import type { Tx } from '../src/platform/database/index.ts';
import { SoftAuthenticator } from './authenticator.ts';
import type { Registered, TestServer } from './server.ts';

type Parts = Pick<
  Seed,
  'session' | 'token' | 'passkey' | 'newPasskey' | 'newMobile' | 'newEmail' | 'codes' | 'totpCode'
> & { mobile: string };

export function newMobile(): string {
  return `1${randomInt(3, 10)}${String(randomInt(1e9)).padStart(9, '0')}`;
}

export function appCode(uri: string, at: Date): string {
  return URI.parse(uri).generate({ timestamp: at.getTime() });
}

/** Creates the objects of the personal centre, each also in its pending state. */
export function makePersonal(server: TestServer, owner: Registered): Promise<Parts> {
  const person = { accountId: owner.accountId, personId: owner.userId };
  const now = new Date();
  const keys = createAccountKeys(createSealer(server.db.masterKey));
  const code = '135790';
  const [mobile, freeMobile] = [newMobile(), newMobile()];
  const newEmail = `new${randomBytes(8).toString('hex')}@example.com`;
  return server.db.database.withSystem(async (tx) => {
    await bindLogin(tx, person, 'mobile', mobile);
    await putCode(tx, { channel: 'sms', target: freeMobile, purpose: 'change_mobile' }, code);
    await putCode(tx, { channel: 'email', target: newEmail, purpose: 'change_email' }, code);
    const later = new Date(now.getTime() + 60_000);
    await openSession(tx, person, { ip: '192.0.2.1', userAgent: 'Another browser' }, false, 'password', later);
    const [session] = (await sessionsOf(tx, person, now, { offset: 0, limit: 1 })).list;
    const wanted = { name: 'Nightly', scope: 'write' as const, areas: null, gwids: null, days: 30 };
    const token = await createToken(tx, person, wanted, now);
    const inUse = await beginTotp(tx, keys, person, owner.email);
    await enableTotp(tx, keys, person, appCode(inUse.uri, now), now);
    const waiting = await beginTotp(tx, keys, person, owner.email);
    return {
      mobile,
      session: { id: session!.id },
      token: { id: token.id },
      ...(await makePasskeys(tx, server, person, now)),
      newMobile: freeMobile,
      newEmail,
      codes: { mobile: code, email: code },
      totpCode: appCode(waiting.uri, now),
    };
  });
}

async function makePasskeys(tx: Tx, server: TestServer, person: PersonKey, now: Date) {
  const rp = relyingPartyOf(server.config.publicUrl);
  const made = async () => {
    const options = await passkeyCreation(tx, rp, person, { login: 'test', name: '' });
    return { challenge: options.challenge, response: new SoftAuthenticator(rp.origin).create(options) };
  };
  const kept = await keepPasskey(tx, rp, person, { ...(await made()), name: 'Phone' }, now);
  if (kept === null) throw new Error('the software authenticator does not work');
  const { challenge, response } = await made();
  const ticket = await openTicket(tx, { kind: 'passkey_create', ...person, challenge }, now);
  return { passkey: { id: kept }, newPasskey: { ticket, response } };
}

/** Dates the code back 90 s, so that a new one may be requested. */
async function putCode(tx: Tx, to: { channel: string; target: string; purpose: string }, code: string): Promise<void> {
  const hash = createHash('sha256').update(`${to.channel}\n${to.target}\n${to.purpose}\n${code}`).digest();
  await sql`insert into verification_code (channel, target, purpose, code_hash, sent_at, expires_at)
    values (${to.channel}, ${to.target}, ${to.purpose}, ${hash}, now() - interval '90 seconds', now() + interval '3 minutes')`.execute(
    tx,
  );
}
