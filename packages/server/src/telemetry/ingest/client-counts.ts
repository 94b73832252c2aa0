import type pg from 'pg';
import { isPlaced } from '../client-place.ts';

/** One process counts at a time. */
export const clientCountLock = 0x79756e_07;
/** Reports wait for the pass. */
const inPassing = 1000;
/** More devices are counted at read time: every subset would need a sum. */
const maxDevices = 3;

const columns = ['online', 'online2g', 'online5g', 'online6g', 'on_air', 'placed', 'authenticated'];
const list = columns.join(', ');
/** 32: on the air or a known port. */
const bitsOfPlace = `(case band when 0 then 0 when 2 then 17 when 5 then 18 when 6 then 20 else 16 end | authenticated::integer * 8
  | (${isPlaced})::integer * 32)`;
const having = (name: string, bit: number) =>
  `coalesce(sum(sign) filter (where bits & ${bit} <> 0), 0)::integer as ${name}`;
/** Inclusion-exclusion over up to three devices. */
const choices = `(values (1, null::integer, null::integer, 1), (2, null, null, 1), (3, null, null, 1),
  (1, 2, null, -1), (1, 3, null, -1), (2, 3, null, -1), (1, 2, 3, 1)) choice (a, b, c, sign)`;

/**
 * Counts `max` changed clients in one statement, so that readers see no intermediate state. The form enforces index
 * lookups.
 */
export const countChangedClients = (max: number) => `
  with taken as (
    delete from station_changed where ctid = any (array(
      select ctid from station_changed where not apart order by id limit ${max}))
    returning account_id, mac
  ), terminal as materialized (
    select distinct account_id, mac from taken
  ), now as materialized (
    select t.account_id, t.mac, p.* from terminal t cross join lateral (
      select min(gwid::text)::uuid as gwid, array_agg(serial order by serial) as serials, array_agg(bits order by serial) as bits,
        count(distinct gwid) > 1 or count(*) > ${maxDevices} as apart
      from (
        select o.gwid, o.serial, bit_or(${bitsOfPlace}) as bits from station_open o
        where o.account_id = t.account_id and o.mac = t.mac group by 1, 2) place
      having count(*) > 0) p
  ), before as materialized (
    select c.* from terminal t cross join lateral (
      select c.ctid as row, c.* from station_counted c where c.account_id = t.account_id and c.mac = t.mac offset 0) c
  ), known_apart as materialized (
    select c.* from terminal t cross join lateral (
      select c.ctid as row, c.account_id, c.mac from station_changed c
      where c.account_id = t.account_id and c.mac = t.mac and c.apart offset 0) c
  ), together as (
    delete from station_changed where ctid = any (array(
      select row from known_apart k where not exists (
        select from now n where n.account_id = k.account_id and n.mac = k.mac and n.apart)))
  ), apart as (
    insert into station_changed (account_id, mac, apart)
    select account_id, mac, true from now n where n.apart and not exists (
      select from known_apart k where k.account_id = n.account_id and k.mac = n.mac)
  ), gone as (
    delete from station_counted where ctid = any (array(
      select row from before b where not exists (
        select from now n where n.account_id = b.account_id and n.mac = b.mac and not n.apart)))
  ), counted as (
    insert into station_counted as s (account_id, mac, gwid, serials, bits)
    select account_id, mac, gwid, serials, bits from now where not apart
    on conflict (account_id, mac) do update set gwid = excluded.gwid, serials = excluded.serials, bits = excluded.bits
      where (s.gwid, s.serials, s.bits) is distinct from (excluded.gwid, excluded.serials, excluded.bits)
  ), moved as (
    select account_id, gwid, serials, bits, 1 as direction from now where not apart
    union all select account_id, gwid, serials, bits, -1 from before
  ), summed as (
    insert into station_sum as s (account_id, gwid, serial, other, third, ${list})
    select * from (
      select account_id, gwid, serial, other, third, sum(sign)::integer as online, ${having('online2g', 1)},
        ${having('online5g', 2)}, ${having('online6g', 4)}, ${having('on_air', 16)}, ${having('placed', 32)}, ${having('authenticated', 8)}
      from (
        select m.account_id, m.gwid, m.serials[a] as serial, coalesce(m.serials[b], '') as other,
          coalesce(m.serials[c], '') as third, m.direction * sign as sign,
          m.bits[a] & coalesce(m.bits[b], -1) & coalesce(m.bits[c], -1) as bits
        from moved m join ${choices} on greatest(a, b, c) <= cardinality(m.serials)
      ) chosen group by 1, 2, 3, 4, 5
    ) more where (${list}) <> (0, 0, 0, 0, 0, 0, 0) order by 1, 2, 3, 4, 5
    on conflict (account_id, gwid, serial, other, third) do update set
      ${columns.map((name) => `${name} = s.${name} + excluded.${name}`).join(', ')}
  )
  select count(*)::integer as taken from taken`;

/** Skips if another process counts. @returns whether more may remain */
export async function countPendingClients(db: pg.ClientBase): Promise<boolean> {
  await db.query('begin');
  try {
    const { rows } = await db.query<{ mine: boolean }>('select pg_try_advisory_xact_lock($1) as mine', [
      clientCountLock,
    ]);
    const counted = rows[0]!.mine ? await db.query<{ taken: number }>(countChangedClients(inPassing)) : null;
    await db.query('commit');
    return counted?.rows[0]?.taken === inPassing;
  } catch (error) {
    await db.query('rollback').catch(() => undefined);
    throw error;
  }
}
