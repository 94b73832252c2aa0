import { sql } from 'kysely';
import type { Tx } from '../../../platform/database/index.ts';
import { type ConfigContactTable, configurationTables } from '../tables.ts';

/** LAN before the first document, and that document's result. */
export type Contact = Omit<ConfigContactTable, 'account_id' | 'serial'>;

export async function readContacts(
  tx: Tx,
  accountId: string,
  serials: readonly string[],
): Promise<Map<string, Contact>> {
  if (serials.length === 0) return new Map();
  const { rows } = await sql<ConfigContactTable>`
    select * from config_contact where account_id = ${accountId} and serial = any(${[...serials]}::text[])`.execute(tx);
  return new Map(rows.map(({ account_id: _account, serial, ...contact }) => [serial, contact]));
}

/** `lock`: until the end of the transaction. */
export async function readContact(
  tx: Tx,
  { accountId, serial }: { accountId: string; serial: string },
  lock = false,
): Promise<Contact | undefined> {
  if (lock)
    await sql`select 1 from config_contact where account_id = ${accountId} and serial = ${serial} for update`.execute(
      tx,
    );
  return (await readContacts(tx, accountId, [serial])).get(serial);
}

/** The row of a device without one, locked; a row that another transaction inserts meanwhile is kept. */
export async function openContact(tx: Tx, device: { accountId: string; serial: string }, at: Date): Promise<Contact> {
  await configurationTables(tx)
    .insertInto('config_contact')
    .values({
      account_id: device.accountId,
      serial: device.serial,
      routes: false,
      lan: null,
      settled: false,
      outcome: 'open',
      reason: null,
      source: null,
      at,
    })
    .onConflict((conflict) => conflict.columns(['account_id', 'serial']).doNothing())
    .execute();
  const contact = await readContact(tx, device, true);
  if (!contact) throw new Error('config_contact: the row was deleted while it was opened');
  return contact;
}

export async function writeContact(
  tx: Tx,
  { accountId, serial }: { accountId: string; serial: string },
  contact: Contact,
): Promise<void> {
  await configurationTables(tx)
    .insertInto('config_contact')
    .values({ account_id: accountId, serial, ...contact })
    .onConflict((conflict) => conflict.columns(['account_id', 'serial']).doUpdateSet(contact))
    .execute();
}

export async function firstVersions(
  tx: Tx,
  accountId: string,
  serials: readonly string[],
): Promise<{ serial: string; uuid: number }[]> {
  if (serials.length === 0) return [];
  const { rows } = await sql<{ serial: string; uuid: number }>`
    select serial, max(uuid) as uuid from config_version
    where account_id = ${accountId} and serial = any(${[...serials]}::text[]) and cause = 'first_contact'
    group by serial`.execute(tx);
  return rows;
}

/** Covers all accounts, ordered by serial. */
export async function devicesToPoll(
  tx: Tx,
  after: string,
  limit: number,
): Promise<{ accountId: string; serial: string }[]> {
  const { rows } = await sql<{ accountId: string; serial: string }>`
    select c.account_id as "accountId", c.serial from config_contact c
    where (c.outcome = 'left' or not c.settled) and c.serial > ${after}
      and not exists (
        select from config_state s
        where s.account_id = c.account_id and s.serial = c.serial and s.active_uuid is not null)
    order by c.serial limit ${limit}`.execute(tx);
  return rows;
}

/** Filters devices that should run their first document, without console settings. */
export async function runningFirst(
  tx: Tx,
  accountId: string,
  serials: readonly string[],
): Promise<ReadonlySet<string>> {
  if (serials.length === 0) return new Set();
  const { rows } = await sql<{ serial: string }>`
    select s.serial from config_state s join config_version v
      on v.account_id = s.account_id and v.serial = s.serial and v.uuid = s.desired_uuid
    where s.account_id = ${accountId} and s.serial = any(${[...serials]}::text[])
      and exists (
        select from config_version f
        where f.account_id = v.account_id and f.serial = v.serial and f.cause = 'first_contact' and f.sha256 = v.sha256)`.execute(
    tx,
  );
  return new Set(rows.map(({ serial }) => serial));
}
