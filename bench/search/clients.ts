import type pg from 'pg';

/** Of so many clients, one is of the large account's devices. */
const onlineEvery = 5;

/**
 * Fills clients as years of use would: nine in ten of the large account, one name in a hundred in Chinese, one in five
 * online. Rebuilds the search index. @returns milliseconds, bytes and entries of the index
 */
export async function seedClients(
  owner: pg.Client,
  large: string,
  clients: number,
): Promise<{ indexMs: number; indexBytes: number; tableBytes: number }> {
  const definition = await one<string>(
    owner,
    "select indexdef as value from pg_indexes where indexname = 'search_entry_grams'",
  );
  await owner.query('drop index search_entry_grams');
  await owner.query(
    "update network set remark = '西湖' || remark where account_id = $1 and substr(remark, 6)::int % 20 = 0",
    [large],
  );
  await owner.query(
    `insert into station (account_id, mac, first_seen, last_seen, random_mac, hostname)
     select case when n % 10 = 0 then others[1 + n / 10 % array_length(others, 1)] else $1::uuid end,
       substr(md5(n % 40 || ''), 1, 6) || substr(md5(n || 'client'), 1, 6), now() - interval '90 days', now() - n % 5000 * interval '10 minutes', n % 3 = 0,
       case when n % 100 = 7 then (array['张三的手机', '前台收银', '李娜的电脑', '仓库扫码枪'])[1 + n / 100 % 4]
         when n % 4 = 0 then (array['iPhone', 'Galaxy-S24', 'iPad', 'HUAWEI-P60'])[1 + n / 4 % 4]
         when n % 4 = 1 then 'android-' || substr(md5(n || ''), 1, 12)
         when n % 4 = 2 then 'LAPTOP-' || upper(substr(md5(n || ''), 1, 7)) end
     from generate_series(1, $2::int) n, (select array_agg(account_id) as others from account where account_id <> $1::uuid) o
     on conflict do nothing`,
    [large, clients],
  );
  await owner.query(
    `insert into station_open (account_id, serial, mac, bssid, gwid, ssid, band, ip, username, started_at, last_at, rssi)
     select s.account_id, d.serial, s.mac, 'a0b1c2d3e4f5', d.gwid, (array['Staff', 'Guests', 'Tills'])[1 + s.n % 3], 5,
       '10.' || s.n / 60000 || '.' || s.n / 250 % 240 || '.' || s.n % 250 + 1,
       case when s.n % 10 = 3 then '138' || lpad(s.n::text, 8, '0') end, now() - interval '2 hours', now(), -40 - s.n % 40
     from (select account_id, mac, row_number() over (order by mac) as n from station where account_id = $1) s
     join (select serial, gwid, row_number() over (order by serial) as n from device where account_id = $1 and gwid is not null and kind = 'ap') d
       on d.n = 1 + s.n % (select count(*) from device where account_id = $1 and gwid is not null and kind = 'ap')
     where s.n % ${onlineEvery} = 0`,
    [large],
  );
  const began = performance.now();
  await owner.query(definition);
  const indexMs = performance.now() - began;
  await owner.query('vacuum analyze');
  return {
    indexMs,
    indexBytes: await one(owner, "select pg_relation_size('search_entry_grams') as value"),
    tableBytes: await one(owner, "select pg_table_size('search_entry') as value"),
  };
}

/** Entries without pinyin initials. */
export const withoutInitials = (owner: pg.Client): Promise<number> =>
  one(owner, 'select count(*)::int as value from search_entry where initials is null');

/** Returns milliseconds for a thousand new clients with the index; rolled back. */
export async function insertThousand(owner: pg.Client, large: string): Promise<number> {
  await owner.query('begin');
  const began = performance.now();
  await owner.query(
    `insert into station (account_id, mac, first_seen, last_seen, random_mac, hostname)
     select $1, 'fe' || substr(md5(n || 'new'), 1, 10), now(), now(), true, 'android-' || substr(md5(n || 'new'), 1, 12)
     from generate_series(1, 1000) n`,
    [large],
  );
  const took = performance.now() - began;
  await owner.query('rollback');
  return took;
}

async function one<T>(owner: pg.Client, query: string): Promise<T> {
  const { rows } = await owner.query<{ value: T }>(query);
  return rows[0]!.value;
}
