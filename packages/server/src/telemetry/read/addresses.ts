import { type RawBuilder, sql } from 'kysely';
import type { Reach } from './types.ts';

/** What may be the beginning of an IPv4 address, from its first dot on, or of an IPv6 one, which MACs are not. */
const beginning = /^(\d{1,3}\.[\d.]{0,11}|[0-9a-f]{3,4}:[0-9a-f:]{0,35})$/i;

/**
 * Whether a terminal (`o.mac`) had an address that begins so in a stay that is over, ended since a moment or whenever one
 * is kept. Null for what begins no address. A range of `station_session_ip`, also under row security: comparing leaks
 * nothing, `like` might.
 */
export function hadAddress(
  accountId: string,
  { gwids }: Pick<Reach, 'gwids'>,
  keyword: string,
  since: Date | undefined,
): RawBuilder<boolean> | null {
  if (!beginning.test(keyword)) return null;
  const first = keyword.toLowerCase();
  // the first string that no longer begins so
  const after = first.slice(0, -1) + String.fromCharCode(first.charCodeAt(first.length - 1) + 1);
  const there = gwids ? sql` and e.gwid = any(${[...gwids]}::uuid[])` : sql``;
  const ended = since ? sql` and e.ended_at >= ${since}` : sql``;
  return sql`((o.mac in (
    select e.mac from station_session e where e.account_id = ${accountId}${there}${ended}
      and e.ip collate "C" >= ${first} and e.ip collate "C" < ${after})) is true)`;
}
