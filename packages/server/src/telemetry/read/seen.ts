import { type RawBuilder, sql } from 'kysely';
import { addDays } from '../../platform/calendar.ts';

/**
 * Selects `mac, last_at, is_new, random_mac, hostname, terminal_type, brand, ip`. `is_new`: first seen within
 * `newDays`. Days are enumerated: in the key they precede the network.
 */
export function seenIn(
  accountId: string,
  { gwid, today, days, newDays }: { gwid: string; today: string; days: number; newDays: number },
): RawBuilder<unknown> {
  const named = Array.from({ length: days }, (_, back) => addDays(today, -back));
  return sql`
    select t.mac, t.last_at, t.is_new, coalesce(s.random_mac, false) as random_mac, s.hostname, s.terminal_type, s.brand, t.ip
    from (
      select d.mac, max(d.last_at) as last_at, bool_or(d.is_new) as is_new, max(d.ip) as ip from (
        select d.mac, d.last_at, d.is_new and d.day > ${addDays(today, -newDays)}::date as is_new, null::text as ip
        from station_day d
        where d.account_id = ${accountId} and d.day = any(${named}::date[]) and d.gwid = ${gwid}
        union all
        select o.mac, o.last_at, false, coalesce(o.ip, o.ip6) from station_open o where o.account_id = ${accountId} and o.gwid = ${gwid}
      ) d group by d.mac
    ) t
    left join station s on s.account_id = ${accountId} and s.mac = t.mac`;
}
