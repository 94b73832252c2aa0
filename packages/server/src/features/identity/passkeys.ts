import {
  type AuthenticationResponseJSON,
  generateAuthenticationOptions,
  generateRegistrationOptions,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  type RegistrationResponseJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server';
import { limits } from '@yunxun/contract';
import type { PersonKey } from '../../platform/acting.ts';
import { newId, type Tx, tables } from '../../platform/database/index.ts';
import { Failure } from '../../platform/failure.ts';
import { lockPerson, requireBelowLimit } from './people.ts';
import type { IdentityTables } from './tables.ts';
import { openTicket, takeTicket } from './tickets.ts';

/** WebAuthn level 3, section 5.1.3; from the public URL. */
export interface RelyingParty {
  id: string;
  origin: string;
}

export function relyingPartyOf(publicUrl: string): RelyingParty {
  const { hostname, origin } = new URL(publicUrl);
  return { id: hostname, origin };
}

const timeout = limits.ticketMinutes * 60_000;

/** Accepts any passkey of this console; store `challenge` in a ticket. */
export function passkeyRequest(rp: RelyingParty): Promise<PublicKeyCredentialRequestOptionsJSON> {
  return generateAuthenticationOptions({ rpID: rp.id, userVerification: 'required', timeout });
}

export interface ShownPasskey extends PersonKey {
  verified: boolean;
}

/** Requires challenge, origin, user verification and a rising counter. @returns null if unknown */
export async function verifyPasskey(
  tx: Tx,
  rp: RelyingParty,
  challenge: string,
  response: unknown,
  now: Date,
): Promise<ShownPasskey | null> {
  if (!isNamed(response)) return null;
  const db = tables<IdentityTables>(tx);
  const row = await db
    .selectFrom('passkey_directory as directory')
    .innerJoin('passkey', (join) =>
      join.onRef('passkey.account_id', '=', 'directory.account_id').onRef('passkey.id', '=', 'directory.passkey_id'),
    )
    .selectAll('passkey')
    .where('directory.credential_id', '=', Buffer.from(response.id, 'base64url'))
    // answers with the same counter
    .forUpdate('passkey')
    .executeTakeFirst();
  if (!row || !belongsTo(response, row.person_id)) return null;
  const person = { accountId: row.account_id, personId: row.person_id };
  const verified = await orNull(() =>
    verifyAuthenticationResponse({
      response: response as AuthenticationResponseJSON,
      expectedChallenge: challenge,
      expectedOrigin: rp.origin,
      expectedRPID: rp.id,
      requireUserVerification: true,
      credential: {
        id: row.credential_id.toString('base64url'),
        publicKey: Uint8Array.from(row.public_key),
        counter: row.counter,
        transports: row.transports,
      },
    }),
  );
  if (!verified?.verified) return { ...person, verified: false };
  await db
    .updateTable('passkey')
    .set({ counter: verified.authenticationInfo.newCounter, last_used_at: now })
    .where('account_id', '=', row.account_id)
    .where('id', '=', row.id)
    .execute();
  return { ...person, verified: true };
}

/** Excludes authenticators that hold one; store `challenge` in a ticket. @throws Failure limitReached */
export async function passkeyCreation(
  tx: Tx,
  rp: RelyingParty,
  person: PersonKey,
  names: { login: string; name: string },
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const known = await passkeysOf(tx, person);
  requireBelowLimit(known.length, limits.passkeysPerPerson);
  return generateRegistrationOptions({
    rpName: 'Yunxun',
    rpID: rp.id,
    userID: Uint8Array.from(Buffer.from(person.personId)),
    userName: names.login,
    userDisplayName: names.name || names.login,
    attestationType: 'none',
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    excludeCredentials: known.map(({ credential_id, transports }) => ({
      id: credential_id.toString('base64url'),
      transports,
    })),
    timeout,
  });
}

export async function beginPasskey(
  tx: Tx,
  rp: RelyingParty,
  person: PersonKey,
  names: { login: string; name: string },
  now: Date,
) {
  const options = await passkeyCreation(tx, rp, person, names);
  const given = { kind: 'passkey_create' as const, ...person, challenge: options.challenge };
  return { ticket: await openTicket(tx, given, now), options };
}

/** Consumes the ticket in any case. @returns null if it is not one of this person */
export async function takeChallenge(tx: Tx, person: PersonKey, token: string, now: Date): Promise<string | null> {
  const ticket = await takeTicket(tx, token, 'passkey_create', now);
  return ticket?.account_id === person.accountId && ticket.person_id === person.personId ? ticket.challenge : null;
}

/** @returns its id; null if invalid @throws Failure limitReached */
export async function keepPasskey(
  tx: Tx,
  rp: RelyingParty,
  person: PersonKey,
  made: { challenge: string; response: unknown; name: string },
  now: Date,
): Promise<string | null> {
  if (!isNamed(made.response)) return null;
  const verified = await orNull(() =>
    verifyRegistrationResponse({
      response: made.response as RegistrationResponseJSON,
      expectedChallenge: made.challenge,
      expectedOrigin: rp.origin,
      expectedRPID: rp.id,
      requireUserVerification: true,
    }),
  );
  if (!verified?.verified) return null;
  const { credential } = verified.registrationInfo;
  const db = tables<IdentityTables>(tx);
  // for the limit
  await lockPerson(tx, person);
  requireBelowLimit((await passkeysOf(tx, person)).length, limits.passkeysPerPerson);
  const id = newId();
  const credentialId = Buffer.from(credential.id, 'base64url');
  const taken = await db
    .insertInto('passkey_directory')
    .values({ credential_id: credentialId, account_id: person.accountId, passkey_id: id })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  if (taken.numInsertedOrUpdatedRows === 0n) return null;
  await db
    .insertInto('passkey')
    .values({
      account_id: person.accountId,
      id,
      person_id: person.personId,
      credential_id: credentialId,
      public_key: Buffer.from(credential.publicKey),
      counter: credential.counter,
      transports: (credential.transports ?? []).slice(0, 10),
      name: made.name,
      created_at: now,
      last_used_at: null,
    })
    .execute();
  return id;
}

export function passkeysOf(tx: Tx, person: PersonKey) {
  return tables<IdentityTables>(tx)
    .selectFrom('passkey')
    .select(['id', 'name', 'created_at', 'last_used_at', 'credential_id', 'transports'])
    .where('account_id', '=', person.accountId)
    .where('person_id', '=', person.personId)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
}

export async function knownPasskeys(tx: Tx, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await tables<IdentityTables>(tx).selectFrom('passkey').select('id').where('id', 'in', ids).execute();
  return new Set(rows.map(({ id }) => id));
}

/** @returns its name @throws Failure notFound */
export async function deletePasskey(tx: Tx, person: PersonKey, id: string): Promise<string> {
  const db = tables<IdentityTables>(tx);
  const gone = await db
    .deleteFrom('passkey')
    .where('account_id', '=', person.accountId)
    .where('person_id', '=', person.personId)
    .where('id', '=', id)
    .returning(['name', 'credential_id'])
    .executeTakeFirst();
  if (!gone) throw new Failure('notFound');
  await db.deleteFrom('passkey_directory').where('credential_id', '=', gone.credential_id).execute();
  return gone.name;
}

function isNamed(response: unknown): response is { id: string; response?: { userHandle?: unknown } } {
  return typeof response === 'object' && response !== null && 'id' in response && typeof response.id === 'string';
}

/** Checks the person; another id means a moved key. */
function belongsTo({ response }: { response?: { userHandle?: unknown } }, personId: string): boolean {
  const handle = response?.userHandle;
  return typeof handle === 'string' && Buffer.from(handle, 'base64url').toString() === personId;
}

/** Catches all: the library throws for invalid responses, and `verify` uses no database. */
async function orNull<T>(verify: () => Promise<T>): Promise<T | null> {
  try {
    return await verify();
  } catch {
    return null;
  }
}
