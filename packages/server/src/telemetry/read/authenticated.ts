import { sql } from 'kysely';
import type { Tx } from '../../platform/database/index.ts';
import { isConnected } from './connected.ts';
import type { Scope } from './types.ts';

const among = (gwids: readonly string[] | null | undefined) =>
  gwids ? sql` and o.gwid = any(${[...gwids]}::uuid[])` : sql``;

/** Filters MACs (12 digits) that devices report as authenticated. */
export async function authenticatedNow(
  tx: Tx,
  accountId: string,
  { gwids }: Scope,
  macs: readonly string[],
): Promise<ReadonlySet<string>> {
  if (macs.length === 0) return new Set();
  const { rows } = await sql<{ mac: string }>`
    select distinct o.mac from station_open o
    where o.account_id = ${accountId} and o.mac = any(${[...macs]}::text[])${among(gwids)}
      and o.authenticated and ${isConnected(accountId, 'o.serial')}
  `.execute(tx);
  return new Set(rows.map(({ mac }) => mac));
}

export interface ClientDay {
  /** `YYYY-MM-DD`. */
  day: string;
  mac: string;
}

export const clientDayKey = ({ day, mac }: ClientDay): string => `${day} ${mac}`;

/** Returns keys of days on which devices reported the client as authenticated. */
export async function authenticatedDays(
  tx: Tx,
  accountId: string,
  { gwids }: Scope,
  days: readonly ClientDay[],
): Promise<ReadonlySet<string>> {
  if (days.length === 0) return new Set();
  const { rows } = await sql<ClientDay>`
    select distinct to_char(s.day, 'YYYY-MM-DD') as day, s.mac
    from unnest(${days.map(({ day }) => day)}::date[], ${days.map(({ mac }) => mac)}::text[]) asked (day, mac)
    join station_day s on s.account_id = ${accountId} and s.day = asked.day and s.mac = asked.mac
    where s.authenticated${gwids ? sql` and s.gwid = any(${[...gwids]}::uuid[])` : sql``}
  `.execute(tx);
  return new Set(rows.map(clientDayKey));
}
