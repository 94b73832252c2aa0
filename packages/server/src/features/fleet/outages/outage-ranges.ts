import { type RawBuilder, sql } from 'kysely';
import { plannedLimitMs } from './cause.ts';
import { outagesSince } from './outage-store.ts';

export interface RangeQuery {
  accountId: string;
  from: Date;
  now: Date;
  consoleUpSince: Date | null;
  gaps: readonly { from: Date; to: Date }[];
  /** `(key, serial, first_seen)`; all devices of a key must be offline. */
  devices: RawBuilder<unknown>;
}

/**
 * Returns a `with` list ending in `ranges (key, first_seen, out, unmeasured, planned)`, multiranges since `from`.
 * Unmeasured: before the first connection, set-up, or caused by console downtime.
 */
export function outageRanges(query: RangeQuery): RawBuilder<unknown> {
  const { accountId, from, now, consoleUpSince } = query;
  const gaps = rangesOf(query.gaps);
  const devices = sql`o.serial in (select serial from counted)`;
  const setUp = sql`a.cause = 'planned' and lower(a.range) < m.first_seen + make_interval(secs => ${plannedLimitMs / 1000})`;
  const agg = (condition: RawBuilder<unknown>) => sql`coalesce(range_agg(a.range) filter (where ${condition}), '{}')`;
  return sql`
    counted as materialized (${query.devices}),
    away as materialized (
      select o.serial, o.cause, tstzrange(greatest(o.began_at, ${from}), coalesce(o.ended_at, ${now})) as range
      from (${outagesSince(accountId, from, { now, consoleUpSince, devices })}) o
    ),
    of_device as materialized (
      select m.key, m.serial, m.first_seen, tstzmultirange(tstzrange(null, m.first_seen)) as before,
        ${agg(sql`a.cause is not null`)} as away, ${agg(sql`a.cause = 'console' or (${setUp})`)} as ours, ${agg(sql`a.cause = 'planned'`)} as planned
      from counted m left join away a on a.serial = m.serial
      where m.first_seen is not null
      group by m.key, m.serial, m.first_seen
    ),
    summed as materialized (
      select key, min(first_seen) as first_seen, range_intersect_agg(away + before) as away,
        range_intersect_agg(ours + before) + ${gaps}::tstzmultirange as unmeasured, range_agg(planned) as planned
      from of_device group by key
    ),
    ranges as materialized (
      select key, first_seen, away - unmeasured as out, unmeasured, planned * (away - unmeasured) as planned from summed
    )`;
}

/** Formats a multirange. */
export function rangesOf(spans: readonly { from: Date; to: Date }[]): string {
  return `{${spans.map(({ from, to }) => `[${from.toISOString()},${to.toISOString()})`).join(',')}}`;
}

export function secondsOf(multirange: RawBuilder<unknown>): RawBuilder<number> {
  return sql<number>`(
    select coalesce(round(sum(extract(epoch from upper(u) - lower(u)))), 0)::int from unnest(${multirange}) u)`;
}

/** Selects the gateway if it ever connected, else all devices. `networks`: condition on `n`. */
export function devicesOfNetworks(accountId: string, networks: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    select n.gwid::text as key, d.serial, d.first_seen from network n
    left join device g on g.account_id = n.account_id and g.serial = n.gateway_serial and g.first_seen is not null
    join device d on d.account_id = n.account_id and d.gwid = n.gwid and (g.serial is null or d.serial = g.serial)
    where n.account_id = ${accountId} and ${networks}`;
}
