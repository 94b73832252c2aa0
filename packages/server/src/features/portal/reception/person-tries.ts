import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../../../platform/database/index.ts';
import type { GuestSystem } from './guest-system.ts';

export interface TriesOf {
  accountId: string;
  sessions: RawBuilder<boolean>;
  /** Of a device without a session; null: none. */
  deviceKey: Buffer | null;
  subjects: readonly Buffer[];
}

const visitsOf = ({ accountId, sessions, deviceKey }: TriesOf, ended: boolean) => sql<boolean>`(
  v.device_key = ${deviceKey}::bytea or v.device_key in (
    select device_key from portal_session
    where account_id = ${accountId} and (${sessions}) and (not ${ended}::boolean or state = 'ended')))`;

const typedBy = ({ subjects }: TriesOf) => sql<boolean>`t.subject_hash = any (${[...subjects]}::bytea[])`;

export interface PersonVisit {
  gwid: string;
  at: Date;
  mac: string | null;
  ip: string | null;
  system: GuestSystem | null;
  way: string | null;
  reason: string | null;
}

export async function visitsOfPerson(tx: Tx, person: TriesOf): Promise<PersonVisit[]> {
  const { rows } = await sql<PersonVisit>`
    select v.gwid, coalesce(t.at, v.at) as at, v.mac, v.ip, v.system, t.way, coalesce(t.reason, v.failure) as reason
    from portal_visit v left join portal_try t on t.account_id = v.account_id and t.visit_id = v.id
    where v.account_id = ${person.accountId} and (${visitsOf(person, false)} or ${typedBy(person)})
    order by 2 desc`.execute(tx);
  return rows;
}

export async function eraseTries(tx: Tx, person: TriesOf): Promise<number> {
  const { rows } = await sql<{ tries: number }>`
    with gone as (
      delete from portal_try t using portal_visit v
      where t.account_id = ${person.accountId} and v.account_id = t.account_id and v.id = t.visit_id
        and (${visitsOf(person, true)} or ${typedBy(person)}) returning t.id
    ), freed as (
      update portal_visit v set device_key = null, mac = null, ip = null, system = null
      where v.account_id = ${person.accountId} and ${visitsOf(person, true)} returning v.id
    ) select (select count(*) from gone)::int as tries from (select count(*) from freed) done`.execute(tx);
  return rows[0]!.tries;
}
