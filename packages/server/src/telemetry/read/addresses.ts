import { type RawBuilder, sql } from 'kysely';
import type { Scope } from './types.ts';

/** IPv4 with a dot, or IPv6; never a MAC. */
const beginning = /^(\d{1,3}\.[\d.]{0,11}|[0-9a-f]{3,4}:[0-9a-f:]{0,35})$/i;

/**
 * Returns null if it is no address prefix. A range over `station_session_ip` or `_ip6` works under row security, where `like` is
 * not leakproof.
 */
export function hadAddress(
  accountId: string,
  { gwids }: Pick<Scope, 'gwids'>,
  keyword: string,
  since: Date | undefined,
): RawBuilder<boolean> | null {
  if (!beginning.test(keyword)) return null;
  const first = keyword.toLowerCase();
  const column = sql.ref(first.includes(':') ? 'e.ip6' : 'e.ip');
  // upper bound of the prefix
  const after = first.slice(0, -1) + String.fromCharCode(first.charCodeAt(first.length - 1) + 1);
  const there = gwids ? sql` and e.gwid = any(${[...gwids]}::uuid[])` : sql``;
  const ended = since ? sql` and e.ended_at >= ${since}` : sql``;
  return sql`((o.mac in (
    select e.mac from station_session e where e.account_id = ${accountId}${there}${ended}
      and ${column} collate "C" >= ${first} and ${column} collate "C" < ${after})) is true)`;
}
