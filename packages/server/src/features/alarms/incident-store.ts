import type { AlarmEventType, AlarmKind } from '@yunxun/contract';
import { type Kysely, sql } from 'kysely';
import { newId, type Tx } from '../../platform/database/index.ts';
import { networkAt, placeIn } from './account-place.ts';
import type { AlarmEvent } from './evaluate.ts';
import type { Incident } from './facts.ts';
import { type AlarmTable, alarmTables } from './tables.ts';

/** Milliseconds; longer than reopening and ended outages need. */
const recoveredMs = 60 * 60_000;
/** Rows of one statement. */
const batch = 1000;
/** Days, after the recovery. */
const keptDays = 400;

/** An open problem that no source dates. */
export interface Pending {
  accountId: string;
  kind: AlarmKind;
  /** Null: about the network or the account. */
  serial: string | null;
  /** Place; null for devices. */
  gwid: string | null;
  part: string;
  since: Date;
}

export type AccountIncident = Incident & { accountId: string };

/** Returns open and recently recovered ones; of one account, locked, or of all. System role. */
export async function readIncidents(tx: Tx, now: Date, accountId?: string): Promise<AccountIncident[]> {
  const query = alarmTables(tx).selectFrom('alarm').selectAll();
  const lately = new Date(now.getTime() - recoveredMs);
  const current = query.where((where) =>
    where.or([where('state', '<>', 'recovered'), where('lasts', '=', true), where('recovered_at', '>', lately)]),
  );
  const rows = await (accountId
    ? current.where('account_id', '=', accountId).orderBy('id').forUpdate()
    : current
  ).execute();
  return rows.map(incidentOf);
}

function incidentOf(row: Omit<AlarmTable, 'subject'>): AccountIncident {
  const { id, kind, level, state, serial, part, lasts, count, value, threshold, clients } = row;
  return {
    accountId: row.account_id,
    id,
    kind,
    level,
    state,
    serial,
    part,
    gwid: placeIn(row.account_id, row.gwid),
    lasts,
    count,
    value,
    threshold,
    clients,
    began: row.began_at.getTime(),
    last: row.last_at.getTime(),
    recovered: row.recovered_at?.getTime() ?? null,
    clientsHit: row.clients_hit,
    devicesHit: row.devices_hit,
    cause: row.cause_id,
    acknowledged: row.acknowledged_at !== null,
    silencedUntil: row.silenced_until?.getTime() ?? null,
  };
}

export interface Names {
  name: string;
  network: string;
}

export async function insertIncidents(
  tx: Tx,
  accountId: string,
  incidents: readonly (Incident & Names)[],
): Promise<void> {
  for (let at = 0; at < incidents.length; at += batch) {
    await alarmTables(tx)
      .insertInto('alarm')
      .values(
        incidents.slice(at, at + batch).map((one) => ({
          account_id: accountId,
          id: one.id,
          gwid: networkAt(accountId, one.gwid),
          serial: one.serial,
          part: one.part,
          kind: one.kind,
          name: one.name,
          network: one.network,
          note: '',
          clients: one.clients,
          ...columnsOf(one),
          acknowledged_at: null,
          acknowledged_by: null,
          assignee_id: null,
          assignee_name: null,
        })),
      )
      .execute();
  }
}

/** Columns that the evaluation may change. */
function columnsOf(one: Incident) {
  return {
    level: one.level,
    state: one.state,
    began_at: new Date(one.began),
    last_at: new Date(one.last),
    recovered_at: one.recovered === null ? null : new Date(one.recovered),
    lasts: one.lasts,
    count: one.count,
    value: one.value,
    threshold: one.threshold,
    cause_id: one.cause,
    clients_hit: one.clientsHit,
    devices_hit: one.devicesHit,
    silenced_until: one.silencedUntil === null ? null : new Date(one.silencedUntil),
  };
}

/** Drops the acknowledgement of reopened ones. */
export async function updateIncidents(tx: Tx, accountId: string, incidents: readonly Incident[]): Promise<void> {
  for (let at = 0; at < incidents.length; at += batch) {
    const rows = incidents.slice(at, at + batch).map((one) => ({
      id: one.id,
      gwid: networkAt(accountId, one.gwid),
      acknowledged: one.acknowledged,
      ...columnsOf(one),
    }));
    await sql`
      update alarm a set gwid = r.gwid, level = r.level, state = r.state, last_at = r.last_at, lasts = r.lasts,
        recovered_at = r.recovered_at, count = r.count, value = r.value, threshold = r.threshold, cause_id = r.cause_id,
        clients_hit = r.clients_hit, devices_hit = r.devices_hit, silenced_until = r.silenced_until,
        acknowledged_at = case when r.acknowledged then a.acknowledged_at end,
        acknowledged_by = case when r.acknowledged then a.acknowledged_by end
      from json_to_recordset(${JSON.stringify(rows)}::json) as r (id uuid, gwid uuid, acknowledged boolean, level text,
        state text, last_at timestamptz, recovered_at timestamptz, lasts boolean, count integer, value real,
        threshold real, cause_id uuid, clients_hit integer, devices_hit integer, silenced_until timestamptz)
      where a.account_id = ${accountId} and a.id = r.id
    `.execute(tx);
  }
}

export async function insertAlarmEvents(tx: Tx, accountId: string, events: readonly AlarmEvent[]): Promise<void> {
  const rows = events.map(({ incident, at, type }) => ({
    account_id: accountId,
    id: newId(),
    alarm_id: incident,
    at: new Date(at),
    type: type as AlarmEventType,
    person: null,
    note: null,
    until: null,
  }));
  for (let at = 0; at < rows.length; at += batch) {
    await alarmTables(tx)
      .insertInto('alarm_event')
      .values(rows.slice(at, at + batch))
      .execute();
  }
}

/** Covers all accounts. System role. */
export async function readPending(tx: Tx): Promise<Pending[]> {
  const rows = await alarmTables(tx).selectFrom('alarm_pending').selectAll().execute();
  return rows.map(({ account_id: accountId, subject: _subject, gwid, ...row }) => ({
    ...row,
    accountId,
    gwid: row.serial === null ? placeIn(accountId, gwid) : null,
  }));
}

/** Writes begins, and deletes problems that are over. */
export async function writePending(
  tx: Tx,
  { begun, over }: { begun: readonly Pending[]; over: readonly Pending[] },
): Promise<void> {
  for (let at = 0; at < begun.length; at += batch) {
    await alarmTables(tx)
      .insertInto('alarm_pending')
      .values(
        begun.slice(at, at + batch).map(({ accountId, gwid, ...row }) => ({
          ...row,
          account_id: accountId,
          gwid: gwid && networkAt(accountId, gwid),
        })),
      )
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
  if (over.length === 0) return;
  await sql`
    delete from alarm_pending p using unnest(${over.map((one) => one.accountId)}::uuid[],
      ${over.map((one) => one.kind)}::text[], ${over.map(subjectOf)}::text[],
      ${over.map((one) => one.part)}::text[]) as o (account_id, kind, subject, part)
    where p.account_id = o.account_id and p.kind = o.kind and p.subject = o.subject and p.part = o.part
  `.execute(tx);
}

/** As the column `subject`. */
const subjectOf = ({ accountId, serial, gwid }: Pending) => serial ?? (gwid && networkAt(accountId, gwid)) ?? '';

/** Deletes them with their timelines. @returns how many */
export async function pruneIncidents(db: Kysely<unknown>, now: Date): Promise<number> {
  const before = new Date(now.getTime() - keptDays * 86_400_000);
  for (let deleted = 0; ; ) {
    const { numAffectedRows } = await sql`
      delete from alarm where (account_id, id) in (
        select account_id, id from alarm where recovered_at < ${before} limit ${batch * 5})
    `.execute(db);
    const count = Number(numAffectedRows ?? 0);
    deleted += count;
    if (count < batch * 5) return deleted;
  }
}
