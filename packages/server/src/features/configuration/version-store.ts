import { sql } from 'kysely';
import type { AccountKeys } from '../../platform/crypto/account-keys.ts';
import type { Tx } from '../../platform/database/index.ts';
import type { UcentralDocument } from './compile/index.ts';
import { deleteScopeAssignments, lockAssignments } from './layers/assignment-store.ts';
import { type ConfigStateTable, type ConfigVersionTable, configurationTables } from './tables.ts';
import { type ConfigState, unmanaged } from './transitions.ts';

export interface DeviceKey {
  accountId: string;
  serial: string;
}

export interface StoredState {
  state: ConfigState;
  known: boolean;
  changedAt: Date | null;
}

const unknownStanding: StoredState = { state: unmanaged, known: false, changedAt: null };

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

// by hash: an unsent version's uuid may change
const sealContext = (serial: string, sha: string) => `config ${serial} ${sha}`;

/** Skips devices without a state. */
export async function lockStates(
  tx: Tx,
  accountId: string,
  serials: readonly string[],
): Promise<Map<string, StoredState>> {
  if (serials.length === 0) return new Map();
  const { rows } = await sql<ConfigStateTable>`
    select * from config_state where account_id = ${accountId} and serial = any(${[...serials]}::text[])
    order by serial for update`.execute(tx);
  return new Map(rows.map((row) => [row.serial, standingOf(row)]));
}

/** Creates states, so that they can be locked. */
export async function makeStates(tx: Tx, accountId: string, serials: readonly string[], now: Date): Promise<void> {
  await configurationTables(tx)
    .insertInto('config_state')
    .values(serials.toSorted().map((serial) => ({ account_id: accountId, serial, ...unmanaged, changed_at: now })))
    .onConflict((conflict) => conflict.columns(['account_id', 'serial']).doNothing())
    .execute();
}

function standingOf({
  account_id: _account,
  serial: _serial,
  changed_at: changedAt,
  ...state
}: ConfigStateTable): StoredState {
  return { state, known: state.last_uuid > 1, changedAt };
}

/** `known` false: no version ever. */
export async function readState(tx: Tx, key: DeviceKey): Promise<StoredState> {
  return (await readStates(tx, key.accountId, [key.serial])).get(key.serial) ?? unknownStanding;
}

export async function readStates(
  tx: Tx,
  accountId: string,
  serials: readonly string[],
): Promise<Map<string, StoredState>> {
  if (serials.length === 0) return new Map();
  const rows = await configurationTables(tx)
    .selectFrom('config_state')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('serial', 'in', [...serials])
    .execute();
  return new Map(rows.map((row) => [row.serial, standingOf(row)]));
}

const stateColumns = Object.keys(unmanaged) as (keyof ConfigState)[];

export async function writeStates(
  tx: Tx,
  accountId: string,
  states: readonly (readonly [serial: string, state: ConfigState])[],
  changedAt: Date,
): Promise<void> {
  if (states.length === 0) return;
  const rows = states.map(([serial, state]) => ({ account_id: accountId, serial, ...state, changed_at: changedAt }));
  const sets = [...stateColumns, 'changed_at'].map((column) => sql`${sql.ref(column)} = r.${sql.ref(column)}`);
  await sql`
    update config_state s set ${sql.join(sets)}
    from json_populate_recordset(null::config_state, ${JSON.stringify(rows)}::json) r
    where s.account_id = ${accountId} and s.serial = r.serial`.execute(tx);
}

export type NewVersion = Omit<VersionFacts, 'account_id' | 'bytes'> & { text: string };

export async function insertVersions(
  tx: Tx,
  keys: AccountKeys,
  accountId: string,
  versions: readonly NewVersion[],
): Promise<void> {
  if (versions.length === 0) return;
  const sealer = await keys.of(tx, accountId);
  const rows = versions.map(({ text, ...version }) => {
    const sealed = sealer.seal(text, sealContext(version.serial, version.sha256));
    const bytes = Buffer.byteLength(text);
    return { account_id: accountId, ...version, bytes, sealed: `\\x${sealed.toString('hex')}` };
  });
  await sql`
    insert into config_version
    select * from json_populate_recordset(null::config_version, ${JSON.stringify(rows)}::json)`.execute(tx);
}

export async function readVersions(tx: Tx, accountId: string, serials: readonly string[]): Promise<VersionFacts[]> {
  if (serials.length === 0) return [];
  const { rows } = await sql<VersionFacts>`
    select ${sql.join(facts.map((column) => sql.ref(`v.${column}`)))}
    from config_state s join config_version v on v.account_id = s.account_id and v.serial = s.serial
      and v.uuid in (s.desired_uuid, s.sent_uuid, s.rejected_uuid)
    where s.account_id = ${accountId} and s.serial = any(${[...serials]}::text[])`.execute(tx);
  return rows;
}

/** Finds versions by their uuid in the database. */
export async function updateVersions(
  tx: Tx,
  accountId: string,
  versions: readonly (readonly [version: Omit<VersionFacts, 'bytes'>, was: number])[],
): Promise<void> {
  if (versions.length === 0) return;
  const rows = versions.map(([{ serial, uuid, outcome, rejected, sent_at, job_id }, was]) => ({
    serial,
    was,
    uuid,
    outcome,
    rejected,
    sent_at,
    job_id,
  }));
  await sql`
    update config_version v set uuid = r.uuid, outcome = r.outcome, rejected = r.rejected, sent_at = r.sent_at, job_id = r.job_id
    from json_to_recordset(${JSON.stringify(rows)}::json) as r (
      serial text, was int, uuid int, outcome text, rejected text[], sent_at timestamptz, job_id uuid)
    where v.account_id = ${accountId} and v.serial = r.serial and v.uuid = r.was`.execute(tx);
}

export async function deleteUnsent(tx: Tx, accountId: string, serials: readonly string[]): Promise<void> {
  if (serials.length === 0) return;
  await configurationTables(tx)
    .deleteFrom('config_version')
    .where('account_id', '=', accountId)
    .where('serial', 'in', [...serials])
    .where('sent_at', 'is', null)
    .execute();
}

export function findVersion(tx: Tx, key: DeviceKey, uuid: number): Promise<VersionFacts | undefined> {
  return configurationTables(tx)
    .selectFrom('config_version')
    .select(facts)
    .where('account_id', '=', key.accountId)
    .where('serial', '=', key.serial)
    .where('uuid', '=', uuid)
    .executeTakeFirst();
}

export async function readDocument(
  tx: Tx,
  keys: AccountKeys,
  key: DeviceKey,
  uuid: number,
): Promise<UcentralDocument | null> {
  const documents = await readDocuments(tx, keys, key.accountId, [{ serial: key.serial, uuid }]);
  return documents.get(versionName(key.serial, uuid)) ?? null;
}

export function versionName(serial: string, uuid: number): string {
  return `${serial} ${uuid}`;
}

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

export async function supersedeOlder(
  tx: Tx,
  accountId: string,
  overtaken: readonly { serial: string; than: number }[],
): Promise<void> {
  if (overtaken.length === 0) return;
  await sql`
    update config_version v set outcome = 'superseded'
    from json_to_recordset(${JSON.stringify(overtaken)}::json) as o (serial text, than int)
    where v.account_id = ${accountId} and v.serial = o.serial and v.uuid < o.than and v.outcome = 'waiting'`.execute(
    tx,
  );
}

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

export async function removeConfiguration(
  tx: Tx,
  accountId: string,
  serials: readonly string[],
  gwid: string | null,
): Promise<number> {
  const db = configurationTables(tx);
  let count = 0;
  if (serials.length > 0) {
    // lock order of pushes
    await lockAssignments(tx, accountId, serials);
    await lockStates(tx, accountId, serials);
    for (const table of ['config_version', 'device_override', 'config_state'] as const) {
      const gone = await db
        .deleteFrom(table)
        .where('account_id', '=', accountId)
        .where('serial', 'in', [...serials])
        .executeTakeFirst();
      if (table === 'config_state') count += Number(gone.numDeletedRows);
    }
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
    count += await deleteScopeAssignments(tx, accountId, gwid);
  }
  return count;
}

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
