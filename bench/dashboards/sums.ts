import type pg from 'pg';
import type { Database } from '../../packages/server/src/platform/database/index.ts';
import { hour, type Layer, layers, recompute } from '../../packages/server/src/telemetry/layers.ts';
import type { LifeSums, Lived } from './lives.ts';

export async function sumAccounts(database: Database, days: number): Promise<void> {
  const to = new Date();
  for (const step of ['5m', '1h', '1d']) {
    const own = layers.find(({ table }) => table === `rollup_account_${step}`) as Layer;
    const merged: Layer = { ...own, from: `rollup_network_${step}`, how: 'merge' };
    const from = new Date(+to - (days + 1) * 24 * hour);
    await database.withSystem(async (tx) => {
      await recompute(merged, [[from, to]]).execute(tx);
    });
  }
}

/** Compares copies to originals by device, account hours to their devices'. Returns the number compared. */
export async function checkCopies(
  owner: pg.Client,
  lived: readonly Lived[],
  { sums, until }: { sums: readonly LifeSums[]; until: Date },
  accountIds: readonly string[],
): Promise<number> {
  const bytes = 'wan_down + wan_up + down_2g + up_2g + down_5g + up_5g + down_6g + up_6g';
  const { rows } = await owner.query<{ n: number; d: number; samples: number; bytes: number }>(
    `with picked as (select s.account_id, s.n, d, '9d' || lpad(to_hex(s.n * 10 + d), 10, '0') as serial
       from copy_site s, generate_series(0, 9) d where s.measured order by md5(s.n || '/' || d) limit 40)
     select picked.n, picked.d, coalesce(sum(r.samples), 0)::int as samples, coalesce(sum(${bytes}), 0)::float8 as bytes
     from picked left join rollup_device_1h r on r.account_id = picked.account_id and r.serial = picked.serial
       and r.bucket < $1 group by 1, 2`,
    [until],
  );
  for (const row of rows) {
    const serial = lived[row.n % lived.length]?.serials[row.d];
    const life = sums.find((one) => one.serial === serial);
    if (!life || life.samples !== row.samples || life.bytes !== row.bytes)
      throw new Error(`copy ${row.n}/${row.d} of ${serial} is not its life: ${JSON.stringify([row, life])}`);
  }
  for (const accountId of accountIds) {
    const { rows: layered } = await owner.query<{ devices: number; account: number }>(
      `select (select sum(${bytes}) from rollup_device_1h where account_id = $1)::float8 as devices,
        (select sum(${bytes}) from rollup_account_1h where account_id = $1)::float8 as account`,
      [accountId],
    );
    const [first] = layered;
    if (!first || first.devices !== first.account)
      throw new Error(`the hours of an account are not those of its devices: ${JSON.stringify(first)}`);
  }
  return rows.length;
}

export async function sizes(owner: pg.Client): Promise<{ name: string; bytes: number; rows: number }[]> {
  const { rows } = await owner.query<{ name: string; bytes: number; rows: number }>(
    `select coalesce(parent.relname, c.relname) as name, sum(pg_total_relation_size(c.oid))::float8 as bytes,
       sum(greatest(c.reltuples, 0))::float8 as rows
     from pg_class c left join pg_inherits i on i.inhrelid = c.oid left join pg_class parent on parent.oid = i.inhparent
     where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace
     group by 1 order by 2 desc`,
  );
  return rows;
}
