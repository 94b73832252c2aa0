import { wholeAccount } from '../day-counts.ts';
import { midnightSql } from '../midnight.ts';
import { roamWithin } from './client-session.ts';
import { baselineLockKey } from './unbind.ts';

/** Locks devices without counters, which have no row that a move or unbind could lock. */
const lockBaselines = `
  select pg_advisory_xact_lock(${baselineLockKey('account_id', 'serial')})
  from (select account_id, serial from in_device where base_at is null order by 1, 2) newcomers`;

/** Writes and locks baselines. Returns devices that another worker wrote, or that are unbound. */
const writeCounters = `
  with fresh as (
    insert into device_counters (account_id, serial, at, uptime_s, localtime_s, counters, measures, stations)
    select account_id, serial, d.new_at, d.uptime_s, d.localtime_s, d.counters, d.measures, d.stations
    from in_device d join device_place p using (account_id, serial)
    where d.base_at is null and d.new_at is not null order by 1, 2
    on conflict do nothing
    returning account_id, serial
  ), next as (
    update device_counters c set at = d.new_at, uptime_s = d.uptime_s, localtime_s = d.localtime_s, counters = d.counters,
      measures = d.measures, stations = d.stations
    from in_device d
    where c.account_id = d.account_id and c.serial = d.serial and c.at = d.base_at and d.new_at is not null
    returning c.account_id, c.serial
  ), same as (
    select c.account_id, c.serial from device_counters c join in_device d using (account_id, serial)
    where d.new_at is null and c.at = d.base_at for update of c
  ), held as (
    select * from fresh union all select * from next union all select * from same
    union all select account_id, serial from in_device where base_at is null and new_at is null
  )
  select d.account_id as "accountId", d.serial from in_device d
  left join held h using (account_id, serial) where h.serial is null`;

const findPlaces = `
  with placed as (
    insert into in_place
    select p.account_id, p.serial, p.gwid, p.time_zone, p.way_out from in_device d
    join device_place p on p.account_id = d.account_id and p.serial = d.serial
    returning account_id, serial
  )
  select d.account_id as "accountId", d.serial from in_device d
  left join placed p using (account_id, serial) where p.serial is null`;

/** Clients of unassigned devices count nowhere. */
const dropUnassigned = `
  with waiting as (
    select account_id, serial from in_place where gwid = '${wholeAccount}'
  ), sessions as (
    delete from in_session s using waiting w where s.account_id = w.account_id and s.serial = w.serial
  )
  delete from in_share s using waiting w where s.account_id = w.account_id and s.serial = w.serial`;

const sample = `uptime_s, gap_s, restarted, cpu, mem, load1, temperature, wan_down, wan_up,
  down_2g, up_2g, down_5g, up_5g, down_6g, up_6g, clients, clients_2g, clients_5g, clients_6g, clients_wired,
  util_2g, util_5g, util_6g, noise_2g, noise_5g, noise_6g, weak, rssi_sum, rssi_n, rate_sum, rate_n,
  tx_packets, tx_retries, tx_failed, wan_latency, wan_loss, leases`;

/** WAN bytes count for the network only at its present uplink. */
const writeSamples = `
  insert into device_sample (account_id, serial, at, gwid, house_wan, ${sample})
  select account_id, serial, at, gwid, case when way_out then wan_down + wan_up else 0 end, ${sample}
  from in_sample join in_place using (account_id, serial)
  on conflict do nothing`;

const corrected = ['wan_down', 'wan_up', 'down_2g', 'up_2g', 'down_5g', 'up_5g', 'down_6g', 'up_6g'];
const added = (column: string) => `${column} = greatest(s.${column} + r.${column}, 0)`;

/** Reports of a batch may correct the same sample. Without bytes, the present role decides the network's share. */
const reviseSamples = `
  update device_sample s set restarted = coalesce(r.restarted, s.restarted),
    ${corrected.map(added).join(', ')},
    house_wan = case when s.house_wan > 0 or (s.wan_down + s.wan_up = 0 and p.way_out)
      then greatest(s.house_wan + r.wan_down + r.wan_up, 0) else s.house_wan end
  from (
    select account_id, serial, at, bool_or(restarted) as restarted, ${corrected.map((one) => `sum(${one}) as ${one}`).join(', ')}
    from in_revision group by account_id, serial, at
  ) r join in_place p using (account_id, serial)
  where s.account_id = r.account_id and s.serial = r.serial and s.at = r.at`;

/** Keeps the older raw report if the batch has none. */
const writeLatest = `
  insert into device_latest (account_id, serial, at, state, uuid, uptime_s, cpu_pct, mem_used, mem_total, load1,
    clients_2g, clients_5g, clients_6g, clients_total, edge, links, links_at)
  select account_id, serial, d.new_at, d.state, d.uuid, d.latest_uptime_s, d.cpu, d.mem_used, d.mem_total, d.load1,
    d.clients_2g, d.clients_5g, d.clients_6g, d.clients_total, d.edge,
    d.links, case when d.links is not null then d.new_at end
  from in_device d join in_place p using (account_id, serial) where d.new_at is not null order by 1, 2
  on conflict (account_id, serial) do update set
    at = excluded.at, state = coalesce(excluded.state, device_latest.state), uuid = excluded.uuid,
    uptime_s = excluded.uptime_s, cpu_pct = excluded.cpu_pct, mem_used = excluded.mem_used, mem_total = excluded.mem_total,
    load1 = excluded.load1, clients_2g = excluded.clients_2g, clients_5g = excluded.clients_5g,
    clients_6g = excluded.clients_6g, clients_total = excluded.clients_total,
    edge = excluded.edge, links = coalesce(excluded.links, device_latest.links),
    links_at = coalesce(excluded.links_at, device_latest.links_at),
    earlier_ports = case when excluded.links #> '{ports,0,bytes}' is not null and device_latest.links_at < excluded.links_at
      then device_latest.links -> 'ports' else device_latest.earlier_ports end,
    earlier_ports_at = case when excluded.links #> '{ports,0,bytes}' is not null and device_latest.links_at < excluded.links_at
      then device_latest.links_at else device_latest.earlier_ports_at end
  where device_latest.at is null or device_latest.at <= excluded.at`;

const open = `ssid, band, port, behind, behind_port, ip, ip6, username, authenticated, started_at, last_at, down, up, abs_tx, abs_rx, revocable_tx, revocable_rx,
  rssi, rssi_min, rssi_sum, rssi_n, tx_rate, rx_rate`;

const writeOpen = `
  insert into station_open (account_id, serial, mac, bssid, gwid, ${open})
  select account_id, serial, mac, bssid, gwid, ${open} from in_session join in_place using (account_id, serial)
  where ended_at is null order by account_id, serial, mac, bssid
  on conflict (account_id, serial, mac, bssid) do update set gwid = excluded.gwid, ${open
    .split(',')
    .map((name) => `${name.trim()} = excluded.${name.trim()}`)
    .join(', ')}`;

const removeEnded = `
  delete from station_open o using in_session s
  where s.ended_at is not null
    and o.account_id = s.account_id and o.serial = s.serial and o.mac = s.mac and o.bssid = s.bssid`;

/** A newer session on another radio means `roam`. */
const writeEnded = `
  insert into station_session (account_id, mac, ended_at, serial, bssid, started_at, gwid, ssid, band, behind, behind_port, ip, ip6, username,
    authenticated, down, up, rssi, rssi_min, rssi_sum, rssi_n, end_reason)
  select account_id, s.mac, s.ended_at, serial, s.bssid, s.started_at, p.gwid, s.ssid, s.band, s.behind, s.behind_port, s.ip, s.ip6, s.username,
    s.authenticated, s.down, s.up, s.rssi, s.rssi_min, s.rssi_sum, s.rssi_n,
    case when s.band > 0 and s.end_reason <> 'restart' and exists (
      select from station_open o where o.account_id = s.account_id and o.mac = s.mac and o.band > 0
        and o.started_at > s.started_at and (o.serial, o.bssid) <> (s.serial, s.bssid))
    then 'roam' else s.end_reason end
  from in_session s join in_place p using (account_id, serial) where s.ended_at is not null
  on conflict do nothing`;

/** Also roaming: the next session began soon after. */
const writeRoamed = `
  update station_session e set end_reason = 'roam' from in_session s
  where s.ended_at is null and s.fresh and s.band > 0 and e.account_id = s.account_id and e.mac = s.mac and e.band > 0
    and e.ended_at between s.started_at - interval '${roamWithin.gone} s' and s.started_at + interval '${roamWithin.leave} s' and e.started_at < s.started_at
    and (e.end_reason = 'gone' or e.end_reason = 'leave' and e.ended_at >= s.started_at - interval '${roamWithin.leave} s')
    and (e.serial, e.bssid) <> (s.serial, s.bssid)`;

const findChanged = `
  select distinct account_id as "accountId", gwid from in_session join in_place using (account_id, serial)
  where ended_at is not null or fresh or news`;

const better = (part: string) =>
  `coalesce(array_position(array['fingerprint', 'user_agent', 'hostname', 'oui'], excluded.${part}_source), 9)
    <= coalesce(array_position(array['fingerprint', 'user_agent', 'hostname', 'oui'], station.${part}_source), 9)`;

/** The most reliable source wins. */
const writeStations = `
  insert into station (account_id, mac, first_seen, last_seen, random_mac, hostname, terminal_type, type_source, brand, brand_source, os)
  select distinct on (account_id, mac) account_id, mac,
    min(from_at) over (partition by account_id, mac), max(to_at) over (partition by account_id, mac),
    random_mac, hostname, terminal_type, type_source, brand, brand_source, os
  from in_share join in_place using (account_id, serial)
  order by account_id, mac, type_source is null, hostname is null, to_at desc
  on conflict (account_id, mac) do update set
    first_seen = least(station.first_seen, excluded.first_seen), last_seen = greatest(station.last_seen, excluded.last_seen),
    hostname = coalesce(excluded.hostname, station.hostname),
    terminal_type = case when ${better('type')} then excluded.terminal_type else station.terminal_type end,
    type_source = case when ${better('type')} then excluded.type_source else station.type_source end,
    brand = case when ${better('brand')} then excluded.brand else station.brand end,
    brand_source = case when ${better('brand')} then excluded.brand_source else station.brand_source end,
    os = coalesce(excluded.os, station.os)`;

/** The access point counts wireless clients behind a gateway. */
const zeroWirelessDuplicates = `
  update in_share s set down = 0, up = 0
  where not s.wireless and (s.down <> 0 or s.up <> 0) and (
    exists (select from station_open o where o.account_id = s.account_id and o.mac = s.mac and o.band > 0)
    or exists (select from station_session e where e.account_id = s.account_id and e.mac = s.mac and e.band > 0
      and e.ended_at >= s.from_at))`;

const lengthOf = (present: string) =>
  `(select coalesce(sum(upper(span) - lower(span)), 0) from unnest(${present}) span)`;
const secondOf = (time: string) => `floor(extract(epoch from ${time}) - extract(epoch from d.day::timestamp))::integer`;
/** Bytes; larger rows stay: a client may join every second. */
const crowded = 'pg_column_size(station_day.present) > 2000';
const passed = `floor(extract(epoch from greatest(station_day.last_at, excluded.last_at)))
  - floor(extract(epoch from least(station_day.first_at, excluded.first_at)))`;

/** Overlapping time counts once, whatever the write order. Whole seconds add up. */
const writeDays = `
  insert into station_day (account_id, day, gwid, mac, first_at, last_at, seconds, present, down, up, sessions, is_new,
    authenticated, wireless, hours)
  select account_id, day, gwid, mac, first_at, last_at, ${lengthOf('present')}, present, down, up, sessions, is_new,
    authenticated, wireless, hours
  from (
    select d.account_id, d.day, d.gwid, d.mac, min(d.first_at) as first_at, max(d.last_at) as last_at,
      range_agg(int4range(${secondOf('d.first_at')}, ${secondOf('greatest(d.first_at, d.last_at)')})) as present,
      sum(d.down) as down, sum(d.up) as up, sum(d.sessions) as sessions,
      bool_or((s.first_seen at time zone d.zone)::date >= d.day) as is_new,
      bool_or(d.authenticated) as authenticated, bool_or(d.wireless) as wireless,
      bit_or((1 << (d.last_hour + 1)) - (1 << d.first_hour)) as hours
    from (
      select f.account_id, p.gwid, f.mac, p.zone, at_day.day::date as day, f.wireless,
        f.authenticated and at_day.day = f.last as authenticated,
        case when f.t0 >= at_day.day then f.from_at else ${midnightSql('at_day.day', 'p.zone')} end as first_at,
        case when at_day.day = f.last then f.to_at else ${midnightSql("at_day.day + interval '1 day'", 'p.zone')} end as last_at,
        case when at_day.day = f.last then f.down else 0 end as down, case when at_day.day = f.last then f.up else 0 end as up,
        case when at_day.day = f.last then f.sessions else 0 end as sessions,
        case when f.t0 < at_day.day then 0 else extract(hour from f.t0)::integer end as first_hour,
        case when at_day.day < f.last then 23 else extract(hour from f.t1)::integer end as last_hour
      from in_place p
      join (
        select i.*, i.from_at at time zone z.zone as t0, i.to_at at time zone z.zone as t1,
          date_trunc('day', i.to_at at time zone z.zone) as last
        from in_share i join in_place z using (account_id, serial)
      ) f using (account_id, serial)
      cross join lateral generate_series(date_trunc('day', f.t0), f.last, interval '1 day') at_day (day)
    ) d join station s on s.account_id = d.account_id and s.mac = d.mac
    group by d.account_id, d.day, d.gwid, d.mac
  ) told order by account_id, day, gwid, mac
  on conflict (account_id, day, gwid, mac) do update set
    first_at = least(station_day.first_at, excluded.first_at), last_at = greatest(station_day.last_at, excluded.last_at),
    seconds = case when excluded.first_at >= station_day.last_at then station_day.seconds + excluded.seconds
      when ${crowded} then least(station_day.seconds + excluded.seconds, ${passed})
      else station_day.seconds + ${lengthOf('station_day.present + excluded.present')} - ${lengthOf('station_day.present')} end,
    present = case when ${crowded} then station_day.present else station_day.present + excluded.present end,
    down = station_day.down + excluded.down,
    up = station_day.up + excluded.up, sessions = station_day.sessions + excluded.sessions,
    is_new = station_day.is_new or excluded.is_new, authenticated = station_day.authenticated or excluded.authenticated,
    wireless = station_day.wireless or excluded.wireless, hours = station_day.hours | excluded.hours`;

/** Whose late first observation precedes their last day. */
const earlierWhere = (condition: string) => `
  select s.account_id, s.mac, to_char(s.first_seen at time zone p.zone, 'YYYY-MM-DD') as first,
    to_char(s.last_seen at time zone p.zone, 'YYYY-MM-DD') as last
  from in_share i join in_place p using (account_id, serial)
  join station s on s.account_id = i.account_id and s.mac = i.mac
  where ${condition} and s.first_seen = i.from_at
    and (s.last_seen at time zone p.zone)::date > (s.first_seen at time zone p.zone)::date`;

const findEarlier = earlierWhere('i.sessions > 0');
export const findEarlierDays = earlierWhere('true');

/** Later days lose "new", unless the first day is final. */
export const clearNew = `
  update station_day d set is_new = false
  from unnest($1::uuid[], $2::text[], $3::date[], $4::date[]) k (account_id, mac, first, last)
  where d.account_id = k.account_id and d.mac = k.mac and d.day > k.first and d.day <= k.last and d.is_new
    and not exists (select from users_day u where u.account_id = k.account_id and u.day = k.first and u.final)
  returning to_char(d.day, 'YYYY-MM-DD') as day`;

const writeQuarters = `
  insert into station_quarter (account_id, mac, bucket, serial, gwid, down, up, rssi_sum, rssi_n)
  select account_id, mac, bucket, serial, gwid, sum(down), sum(up), sum(rssi_sum), sum(rssi_n)
  from in_share join in_place using (account_id, serial) group by account_id, mac, bucket, serial, gwid order by 1, 2, 3, 4, 5
  on conflict (account_id, mac, bucket, serial, gwid) do update set
    down = station_quarter.down + excluded.down, up = station_quarter.up + excluded.up,
    rssi_sum = station_quarter.rssi_sum + excluded.rssi_sum, rssi_n = station_quarter.rssi_n + excluded.rssi_n`;

/** Repeated: same start (join), same end (leave), or a leave's start within 5 s. */
export const findEnded = `
  select k.id, bool_or(case when k.joins then s.started_at = k.from_at else s.ended_at = k.to_at end) as exact
  from unnest($1::integer[], $2::uuid[], $3::text[], $4::text[], $5::text[], $6::timestamptz[], $7::timestamptz[], $8::boolean[])
    k (id, account_id, serial, mac, bssid, from_at, to_at, joins)
  join station_session s on s.account_id = k.account_id and s.mac = k.mac and s.serial = k.serial
    and s.bssid = k.bssid and s.ended_at >= k.from_at
    and case when k.joins then s.started_at = k.from_at
      else s.ended_at = k.to_at or s.started_at between k.from_at - interval '5 s' and k.from_at + interval '5 s' end
  group by k.id`;

/** Prepared once per connection. */
export const statements = {
  lockBaselines,
  writeCounters,
  findPlaces,
  dropUnassigned,
  writeSamples,
  reviseSamples,
  writeLatest,
  writeOpen,
  removeEnded,
  writeEnded,
  writeRoamed,
  findChanged,
  writeStations,
  zeroWirelessDuplicates,
  writeDays,
  findEarlier,
  writeQuarters,
};

export type StatementName = keyof typeof statements;
