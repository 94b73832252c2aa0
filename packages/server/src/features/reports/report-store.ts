import { type Selectable, sql } from 'kysely';
import { newId, type Tx } from '../../platform/database/index.ts';
import { type DeliveryTable, type ReportTable, reportTables } from './tables.ts';

export async function findReport(
  tx: Tx,
  accountId: string,
  id: string,
  lock = false,
): Promise<ReportTable | undefined> {
  const found = reportTables(tx)
    .selectFrom('mail_report')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('id', '=', id);
  return (lock ? found.forNoKeyUpdate() : found).executeTakeFirst();
}

/** Returns the oldest first. */
export async function readReports(tx: Tx, accountId: string): Promise<ReportTable[]> {
  return reportTables(tx)
    .selectFrom('mail_report')
    .selectAll()
    .where('account_id', '=', accountId)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
}

export async function writeReport(tx: Tx, row: ReportTable): Promise<void> {
  const { account_id: _account, id: _id, created_at: _created, ...changed } = row;
  await reportTables(tx)
    .insertInto('mail_report')
    .values(row)
    .onConflict((conflict) => conflict.columns(['account_id', 'id']).doUpdateSet(changed))
    .execute();
}

export async function removeReport(tx: Tx, accountId: string, id: string): Promise<void> {
  await reportTables(tx).deleteFrom('mail_report').where('account_id', '=', accountId).where('id', '=', id).execute();
}

export async function knownReports(tx: Tx, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await reportTables(tx).selectFrom('mail_report').select('id').where('id', 'in', ids).execute();
  return new Set(rows.map((row) => row.id));
}

/** Returns the deliveries that were made last for each report: those of one moment. */
export async function lastDeliveries(tx: Tx, accountId: string): Promise<Selectable<DeliveryTable>[]> {
  const { rows } = await sql<Selectable<DeliveryTable>>`
    select d.* from mail_report r
    cross join lateral (
      select created_at from mail_report_delivery n where n.account_id = r.account_id and n.report_id = r.id
      order by created_at desc limit 1) newest
    join mail_report_delivery d on d.account_id = r.account_id and d.report_id = r.id and d.created_at = newest.created_at
    where r.account_id = ${accountId} order by d.person_id
  `.execute(tx);
  return rows;
}

/** Adds a waiting delivery for each person, once for each day of sending unless it is a test. */
export async function addDeliveries(
  tx: Tx,
  { account_id, id: report_id, period }: Pick<ReportTable, 'account_id' | 'id' | 'period'>,
  { people, ...row }: { people: readonly string[]; sent_day: string; test: boolean; created_at: Date },
): Promise<void> {
  if (people.length === 0) return;
  const common = { account_id, report_id, period, ...row, error: null, outbox_id: null };
  await reportTables(tx)
    .insertInto('mail_report_delivery')
    .values(people.map((person_id) => ({ ...common, id: newId(), person_id })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}
