import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../../platform/database/index.ts';
import { isPlaced } from '../client-place.ts';
import { wholeAccount } from '../day-counts.ts';
import { isConnected } from './connected.ts';
import type { Scope } from './types.ts';
import { workMemFor } from './work-mem.ts';

/** Distinct clients of connected devices. */
export interface NowCounts {
  online: number;
  online2g: number;
  online5g: number;
  online6g: number;
  wired: number;
  authenticated: number;
}

const names = ['online', 'online2g', 'online5g', 'online6g', 'on_air', 'placed', 'authenticated'];
const each = (make: (name: string) => string) => sql.raw(names.map(make).join(', '));
const nowNames = sql.raw(
  'online, online2g as "online2g", online5g as "online5g", online6g as "online6g", placed - on_air as wired, authenticated',
) as RawBuilder<NowCounts>;

/** `is true` keeps a hashed subplan, as in `isConnected`. */
const isHere = (serial: string) => sql`(${sql.ref(serial)} in (select serial from connected)) is true`;

/** Replaces maintained counts of clients changed since, in one statement: exact at any time. */
function counted(accountId: string, gwids: readonly string[] | null, by: 'gwid' | null): RawBuilder<unknown> {
  const among = (alias: string) => (gwids ? sql` and ${sql.ref(`${alias}.gwid`)} = any(${[...gwids]}::uuid[])` : sql``);
  const gwid = sql.raw(by ? 'gwid, ' : '');
  return sql`
    with connected as materialized (
      select l.serial from device_link l where l.account_id = ${accountId} and l.connected_since is not null
    ), changed as materialized (
      select distinct c.mac from station_changed c where c.account_id = ${accountId}
    )
    select ${gwid}${each((name) => `coalesce(sum(${name}), 0)::integer as ${name}`)} from (
      select ${gwid}${each((name) => name)} from station_sum s where s.account_id = ${accountId}${among('s')}
        and ${isHere('s.serial')} and (s.other = '' or ${isHere('s.other')}) and (s.third = '' or ${isHere('s.third')})
      union all
      select ${gwid}-(n > 0)::integer, -(bits & 1), -(bits >> 1 & 1), -(bits >> 2 & 1), -(bits >> 4 & 1), -(bits >> 5 & 1), -(bits >> 3 & 1)
      from changed c cross join lateral (
        select k.gwid, present.n, present.bits from station_counted k cross join lateral (
          select count(*) as n, coalesce(bit_or(place.bits), 0) as bits from unnest(k.serials, k.bits) place (serial, bits)
          where ${isHere('place.serial')}) present
        where k.account_id = ${accountId} and k.mac = c.mac${among('k')} offset 0) was
      union all
      select ${gwid}1, on_2g::integer, on_5g::integer, on_6g::integer, on_air::integer, placed::integer, authenticated::integer
      from changed c cross join lateral (
        select ${gwid}bool_or(band = 2) as on_2g, bool_or(band = 5) as on_5g, bool_or(band = 6) as on_6g,
          bool_or(band <> 0) as on_air, bool_or(${sql.raw(isPlaced)}) as placed, bool_or(authenticated) as authenticated
        from station_open o
        where o.account_id = ${accountId} and o.mac = c.mac${among('o')} and ${isConnected(accountId, 'o.serial')}
        ${sql.raw(by ? 'group by gwid' : '')} having count(*) > 0) is_there
    ) part (${gwid}${each((name) => name)})${sql.raw(by ? ' group by gwid' : '')}`;
}

export async function usersNow(tx: Tx, accountId: string, scope: Scope): Promise<NowCounts> {
  const gwids = await workMemFor(tx, scope);
  const { rows } = await sql<NowCounts>`select ${nowNames} from (${counted(accountId, gwids, null)}) now`.execute(tx);
  return rows[0]!;
}

export async function usersNowByNetwork(
  tx: Tx,
  accountId: string,
  scope: Scope,
): Promise<(NowCounts & { gwid: string })[]> {
  const gwids = await workMemFor(tx, scope);
  const { rows } = await sql<NowCounts & { gwid: string }>`
    select gwid, ${nowNames} from (${counted(accountId, gwids, 'gwid')}) now
    where gwid <> ${wholeAccount} and online > 0 order by gwid
  `.execute(tx);
  return rows;
}

export async function presentBehind(
  tx: Tx,
  accountId: string,
  serials: readonly string[],
  gwids: readonly string[],
): Promise<number> {
  const { rows } = await sql<{ users: number }>`
    select count(distinct o.mac)::integer as users from station_open o
    where o.account_id = ${accountId} and ${isConnected(accountId, 'o.serial')}
      and (o.serial = any(${[...serials]}::text[]) or o.gwid = any(${[...gwids]}::uuid[]))
  `.execute(tx);
  return rows[0]!.users;
}
