import { deflateSync } from 'node:zlib';
import type pg from 'pg';
import { workbench } from '../../packages/simulator/src/testing.ts';

const capabilities = {
  compatible: 'bench_ap',
  model: 'Bench AP',
  platform: 'ap',
  compress_cmd: true,
  network: { wan: ['eth0'], lan: ['eth1'] },
  wifi: {
    'platform/soc/a.wifi': { band: ['5G'], channels: [36, 40, 44, 48], htmode: ['HT20', 'HE20', 'HE40', 'HE80'] },
    'platform/soc/b.wifi': { band: ['2G'], channels: [1, 6, 11], htmode: ['HT20', 'HE20', 'HE40'] },
  },
};

export async function seedAccessPoints(
  owner: pg.Client,
  accountId: string,
  { count, perNetwork, prefix }: { count: number; perNetwork: number; prefix: string },
): Promise<{ gwids: string[]; serials: string[] }> {
  const bench = workbench({ aps: 4 });
  bench.pass(90);
  const [largest = {}] = bench.boxes
    .map((box) => box.state(bench.clock.now()) as object)
    .toSorted((a, b) => JSON.stringify(b).length - JSON.stringify(a).length);
  const state = deflateSync(JSON.stringify({ serial: 'bench', uuid: 1, state: largest }));
  const { rows: networks } = await owner.query<{ gwid: string }>(
    `insert into network (account_id, gwid, remark, created_at)
     select $1, gen_random_uuid(), 'Site-' || n, now() from generate_series(1, $2::int) n returning gwid`,
    [accountId, Math.ceil(count / perNetwork)],
  );
  const gwids = networks.map(({ gwid }) => gwid);
  const serials = Array.from({ length: count }, (_, at) => `${prefix}${at.toString(16).padStart(10, '0')}`);
  const places = serials.map((_, at) => gwids[Math.floor(at / perNetwork)] as string);
  await owner.query(
    `insert into serial_directory (serial, account_id, enrolled_at, first_connected_at)
     select serial, $1, now(), now() from unnest($2::text[]) serial`,
    [accountId, serials],
  );
  await owner.query(
    `insert into device (confirmed, account_id, serial, gwid, kind, remark, model, platform, firmware, capabilities, bound_at, first_seen,
       last_seen, epoch, online, online_since)
     select true, $1, serial, gwid, 'ap', 'AP-' || serial, 'Bench AP', 'ap', 'TIP-bench', $4, now(), now(),
       now() + interval '1 hour', 1, true, now()
     from unnest($2::text[], $3::uuid[]) as d (serial, gwid)`,
    [accountId, serials, places, JSON.stringify(capabilities)],
  );
  await owner.query(
    `insert into device_latest (account_id, serial, at, state) select $1, serial, now(), $3 from unnest($2::text[]) serial`,
    [accountId, serials, state],
  );
  return { gwids, serials };
}
