import {
  type remoteCredential as contract,
  type DataOf,
  hasRight,
  type InputOf,
  type RemoteReason,
} from '@yunxun/contract';
import type { Acting } from '../../../platform/acting.ts';
import type { AccountKeys } from '../../../platform/crypto/account-keys.ts';
import { SealError } from '../../../platform/crypto/index.ts';
import type { Tx } from '../../../platform/database/index.ts';
import { Failure, invalid, refuseOutdated } from '../../../platform/failure.ts';
import { record } from '../../logs/index.ts';
import { peripheralTarget } from '../../peripherals/index.ts';
import { targetOf } from '../ends.ts';
import { type RemoteSession, remoteTables } from '../tables.ts';
import { openPrivateKey } from './private-key.ts';

export type KeptSignIn = { user: string } & ({ password: string } | { privateKey: string });

interface Place {
  peripheral_id: string;
  gwid: string;
  host: string;
  port: number | null;
}

/** A peripheral device that is moved to another address must not get the password of the first. */
const sealContext = ({ peripheral_id, gwid, host, port }: Place) =>
  `remote credential ${peripheral_id} ${gwid} ${host}:${port}`;

const find = (tx: Tx, accountId: string, id: string) =>
  remoteTables(tx)
    .selectFrom('remote_credential')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('peripheral_id', '=', id)
    .executeTakeFirst();

/** @throws Failure notFound */
async function placeOf(tx: Tx, accountId: string, id: string): Promise<Place & { name: string }> {
  const found = await peripheralTarget(tx, accountId, id);
  if (!found) throw new Failure('notFound');
  const { name, gwid, ip, shell_port: port } = found;
  return { peripheral_id: id, name, gwid, host: ip, port };
}

export async function readCredential(
  tx: Tx,
  keys: AccountKeys,
  { accountId }: Acting,
  { peripheral_id: id }: InputOf<typeof contract.detail>,
): Promise<DataOf<typeof contract.detail>> {
  const place = await placeOf(tx, accountId, id);
  const row = await find(tx, accountId, id);
  if (!row) return { version: 0, kept: null };
  const { user_name: user, kind, version, set_at, set_by, sealed } = row;
  const fits = (await open(tx, keys, accountId, sealed, place)) !== null;
  return { version, kept: { user, kind, set_at: set_at.toISOString(), set_by, fits } };
}

/** @throws Failure noPermission, notFound, changedMeanwhile; Invalid */
export async function saveCredential(
  tx: Tx,
  keys: AccountKeys,
  acting: Acting,
  { peripheral_id: id, version: read, user, password, key, passphrase }: InputOf<typeof contract.save>,
  now: Date,
): Promise<void> {
  const place = await changeable(tx, acting, id);
  if (place.port === null) throw new Failure('unsupported', { data: { reason: 'no_port' satisfies RemoteReason } });
  if ((password === undefined) === (key === undefined)) invalid('password', 'validation.required');
  const kept: KeptSignIn =
    key === undefined ? { user, password: password! } : { user, privateKey: openPrivateKey(key, passphrase) };
  const { accountId, actor } = acting;
  const kind = key === undefined ? 'password' : 'key';
  const before = await find(tx, accountId, id);
  refuseOutdated({ version: before?.version ?? 0 }, { version: read });
  const version = read + 1;
  const sealed = (await keys.of(tx, accountId)).seal(JSON.stringify(kept), sealContext(place));
  const values = { user_name: user, kind, sealed, version, set_at: now, set_by: actor!.name } as const;
  const written = await remoteTables(tx)
    .insertInto('remote_credential')
    .values({ account_id: accountId, peripheral_id: id, ...values })
    .onConflict((conflict) =>
      conflict
        .columns(['account_id', 'peripheral_id'])
        .doUpdateSet(values)
        .where('remote_credential.version', '=', read),
    )
    .executeTakeFirst();
  if (written.numInsertedOrUpdatedRows !== 1n) throw new Failure('changedMeanwhile');
  await record(tx, acting, {
    action: 'remote.credential',
    object: objectOf(place),
    gwid: place.gwid,
    ...(before ? { before: { login: before.user_name, method: before.kind } } : {}),
    after: { login: user, method: kind },
  });
}

/** @throws Failure noPermission, notFound */
export async function deleteCredential(tx: Tx, acting: Acting, id: string): Promise<void> {
  const place = await changeable(tx, acting, id);
  const [deleted] = await remoteTables(tx)
    .deleteFrom('remote_credential')
    .where('account_id', '=', acting.accountId)
    .where('peripheral_id', '=', id)
    .returning(['user_name', 'kind'])
    .execute();
  if (!deleted) throw new Failure('notFound');
  await record(tx, acting, {
    action: 'remote.credential_delete',
    object: objectOf(place),
    gwid: place.gwid,
    before: { login: deleted.user_name, method: deleted.kind },
  });
}

type SessionPlace = Pick<RemoteSession, 'account_id' | 'peripheral_id' | 'gwid' | 'host' | 'port'>;

/** Returns the sign-in for the place of a session; null if none was kept for it. */
export async function keptSignIn(tx: Tx, keys: AccountKeys, at: SessionPlace): Promise<KeptSignIn | null> {
  const { account_id: accountId, peripheral_id, gwid, host, port } = at;
  if (peripheral_id === null || host === null) return null;
  const found = await find(tx, accountId, peripheral_id);
  return found ? open(tx, keys, accountId, found.sealed, { peripheral_id, gwid, host, port }) : null;
}

async function open(
  tx: Tx,
  keys: AccountKeys,
  accountId: string,
  sealed: Buffer,
  place: Place,
): Promise<KeptSignIn | null> {
  try {
    return JSON.parse((await keys.of(tx, accountId)).open(sealed, sealContext(place)).toString()) as KeptSignIn;
  } catch (error) {
    if (error instanceof SealError) return null;
    throw error;
  }
}

async function changeable(tx: Tx, { accountId, actor }: Acting, id: string): Promise<Place & { name: string }> {
  const permission = 'network.write';
  if (actor && !hasRight(actor, permission))
    throw new Failure('noPermission', { data: { permission, reason: 'permission' } });
  return placeOf(tx, accountId, id);
}

const objectOf = ({ peripheral_id, name }: Place & { name: string }) =>
  targetOf({ peripheral_id, serial: '', target: name });
