import { sql } from 'kysely';
import type { AccountKeys } from '../../platform/crypto/account-keys.ts';
import type { Tx } from '../../platform/database/index.ts';
import { canonical, type UcentralDocument } from './compile/index.ts';
import { type ConfigStateTable, type ConfigVersionTable, configurationTables } from './tables.ts';
import { type ConfigState, unmanaged } from './transitions.ts';

/** A device of an account. */
export interface DeviceKey {
  accountId: string;
  serial: string;
}

/** Where a device's configuration stands, and whether anything was ever wanted of it. */
export interface Standing {
  state: ConfigState;
  known: boolean;
  changedAt: Date | null;
}

const unknownStanding: Standing = { state: unmanaged, known: false, changedAt: null };

/** A version without its document. */
export type VersionFacts = Omit<ConfigVersionTable, 'sealed'>;

const facts = [
  'account_id',
  'serial',
  'uuid',
  'sha256',
  'bytes',
  'cause',
  'author',
  'job_id',
  'outcome',
  'rejected',
  'created_at',
  'sent_at',
] as const;

// bound to what it is, not to its number, which moves when the device turns out to have gone further
const sealContext = (serial: string, sha: string) => `config ${serial} ${sha}`;

/** The device's state, which nobody else changes until the transaction ends. */
export async function lockState(tx: Tx, key: DeviceKey): Promise<Standing> {
  const own = configurationTables(tx)
    .selectFrom('config_state')
    .selectAll()
    .where('account_id', '=', key.accountId)
    .where('serial', '=', key.serial)
    .forUpdate();
  const row = await own.executeTakeFirst();
  if (row) return standingOf(row);
  // there must be a row to hold, and two that come first at once must hold the same
  await configurationTables(tx)
    .insertInto('config_state')
    .values({ account_id: key.accountId, serial: key.serial, ...unmanaged, changed_at: new Date() })
    .onConflict((conflict) => conflict.columns(['account_id', 'serial']).doNothing())
    .execute();
  return standingOf(await own.executeTakeFirstOrThrow());
}

/** A device without any version is one of which nothing was ever wanted. */
function standingOf({
  account_id: _account,
  serial: _serial,
  changed_at: changedAt,
  ...state
}: ConfigStateTable): Standing {
  return { state, known: state.last_uuid > 1, changedAt };
}

/** Where the device's configuration stands; `known` is false when nothing was ever wanted of it. */
export async function readState(tx: Tx, key: DeviceKey): Promise<Standing> {
  return (await readStates(tx, key.accountId, [key.serial])).get(key.serial) ?? unknownStanding;
}

/** The same of several devices; those of which nothing was ever wanted are missing. */
export async function readStates(
  tx: Tx,
  accountId: string,
  serials: readonly string[],
): Promise<Map<string, Standing>> {
  if (serials.length === 0) return new Map();
  const rows = await configurationTables(tx)
    .selectFrom('config_state')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('serial', 'in', [...serials])
    .execute();
  return new Map(rows.map((row) => [row.serial, standingOf(row)]));
}

/** Writes where the device's configuration stands. */
export async function writeState(tx: Tx, key: DeviceKey, state: ConfigState, changedAt: Date): Promise<void> {
  const values: Omit<ConfigStateTable, 'account_id' | 'serial'> = { ...state, changed_at: changedAt };
  await configurationTables(tx)
    .insertInto('config_state')
    .values({ account_id: key.accountId, serial: key.serial, ...values })
    .onConflict((conflict) => conflict.columns(['account_id', 'serial']).doUpdateSet(values))
    .execute();
}

/** Keeps a document. */
export async function insertVersion(
  tx: Tx,
  keys: AccountKeys,
  key: DeviceKey,
  version: { uuid: number; sha: string; document: UcentralDocument; cause: string; author: string; at: Date },
): Promise<void> {
  const sealer = await keys.of(tx, key.accountId);
  const text = canonical(version.document);
  await configurationTables(tx)
    .insertInto('config_version')
    .values({
      account_id: key.accountId,
      serial: key.serial,
      uuid: version.uuid,
      sha256: version.sha,
      sealed: sealer.seal(text, sealContext(key.serial, version.sha)),
      bytes: Buffer.byteLength(text),
      cause: version.cause,
      author: version.author,
      job_id: null,
      outcome: 'waiting',
      rejected: [],
      created_at: version.at,
      sent_at: null,
    })
    .execute();
}

/** A version without its document. */
export function findVersion(tx: Tx, key: DeviceKey, uuid: number): Promise<VersionFacts | undefined> {
  return configurationTables(tx)
    .selectFrom('config_version')
    .select(facts)
    .where('account_id', '=', key.accountId)
    .where('serial', '=', key.serial)
    .where('uuid', '=', uuid)
    .executeTakeFirst();
}

/** The document of a version, opened; null when there is no such version. */
export async function readDocument(
  tx: Tx,
  keys: AccountKeys,
  key: DeviceKey,
  uuid: number,
): Promise<UcentralDocument | null> {
  const documents = await readDocuments(tx, keys, key.accountId, [{ serial: key.serial, uuid }]);
  return documents.get(versionName(key.serial, uuid)) ?? null;
}

/** What `readDocuments` calls a version. */
export function versionName(serial: string, uuid: number): string {
  return `${serial} ${uuid}`;
}

/** The documents of several versions, opened. */
export async function readDocuments(
  tx: Tx,
  keys: AccountKeys,
  accountId: string,
  versions: readonly { serial: string; uuid: number }[],
): Promise<Map<string, UcentralDocument>> {
  if (versions.length === 0) return new Map();
  const wanted = new Set(versions.map(({ serial, uuid }) => versionName(serial, uuid)));
  const rows = await configurationTables(tx)
    .selectFrom('config_version')
    .select(['serial', 'uuid', 'sealed', 'sha256'])
    .where('account_id', '=', accountId)
    .where('serial', 'in', [...new Set(versions.map(({ serial }) => serial))])
    .where('uuid', 'in', [...new Set(versions.map(({ uuid }) => uuid))])
    .execute();
  const sealer = await keys.of(tx, accountId);
  return new Map(
    rows
      .filter(({ serial, uuid }) => wanted.has(versionName(serial, uuid)))
      .map(({ serial, uuid, sealed, sha256 }) => {
        const text = sealer.open(sealed, sealContext(serial, sha256)).toString('utf8');
        return [versionName(serial, uuid), JSON.parse(text) as UcentralDocument];
      }),
  );
}

/** Changes what is known of a version. A version that never left may still get another number. */
export async function updateVersion(
  tx: Tx,
  key: DeviceKey,
  uuid: number,
  change: Partial<Pick<ConfigVersionTable, 'uuid' | 'outcome' | 'rejected' | 'sent_at' | 'job_id'>>,
): Promise<void> {
  await configurationTables(tx)
    .updateTable('config_version')
    .set(change)
    .where('account_id', '=', key.accountId)
    .where('serial', '=', key.serial)
    .where('uuid', '=', uuid)
    .execute();
}

/** Versions that never left have been overtaken by a newer one. */
export async function supersedeOlder(tx: Tx, key: DeviceKey, than: number): Promise<void> {
  await configurationTables(tx)
    .updateTable('config_version')
    .set({ outcome: 'superseded' })
    .where('account_id', '=', key.accountId)
    .where('serial', '=', key.serial)
    .where('outcome', '=', 'waiting')
    .where('uuid', '<', than)
    .execute();
}

/** A page of a device's versions, newest first, and how many there are. */
export async function listVersions(
  tx: Tx,
  key: DeviceKey,
  page: { offset: number; limit: number },
): Promise<{ rows: VersionFacts[]; total: number }> {
  const own = configurationTables(tx)
    .selectFrom('config_version')
    .where('account_id', '=', key.accountId)
    .where('serial', '=', key.serial);
  const rows = await own.select(facts).orderBy('uuid', 'desc').limit(page.limit).offset(page.offset).execute();
  const { total } = await own.select((select) => select.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  return { rows, total };
}

/** Takes away everything that configuration holds of devices and of a network. @returns of how many devices and networks */
export async function removeConfiguration(
  tx: Tx,
  accountId: string,
  serials: readonly string[],
  gwid: string | null,
): Promise<number> {
  const db = configurationTables(tx);
  let count = 0;
  if (serials.length > 0) {
    for (const table of ['config_version', 'device_override'] as const) {
      await db
        .deleteFrom(table)
        .where('account_id', '=', accountId)
        .where('serial', 'in', [...serials])
        .execute();
    }
    const states = await db
      .deleteFrom('config_state')
      .where('account_id', '=', accountId)
      .where('serial', 'in', [...serials])
      .executeTakeFirst();
    count += Number(states.numDeletedRows);
  }
  if (gwid) {
    for (const table of ['wireless_intent', 'gateway_intent'] as const) {
      const intents = await db
        .deleteFrom(table)
        .where('account_id', '=', accountId)
        .where('gwid', '=', gwid)
        .executeTakeFirst();
      count += Number(intents.numDeletedRows);
    }
  }
  return count;
}

/** Puts a job's name on the wanted versions of devices that have none yet. */
export async function claimVersions(
  tx: Tx,
  accountId: string,
  serials: readonly string[],
  jobId: string,
): Promise<void> {
  if (serials.length === 0) return;
  await sql`
    update config_version v set job_id = ${jobId}
    from config_state s
    where v.account_id = ${accountId} and v.serial = any (${[...serials]}::text[]) and v.job_id is null
      and s.account_id = v.account_id and s.serial = v.serial and s.desired_uuid = v.uuid`.execute(tx);
}
