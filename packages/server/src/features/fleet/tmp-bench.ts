import pg from 'pg';
import { newId, openDatabase } from '../../platform/database/index.ts';
import { silentLog } from '../../platform/log.ts';
import { attention } from './attention.ts';
import { listDevices, listWaiting } from './device-list.ts';
import { listNetworks } from './network-list.ts';

const base = 'postgresql://postgres@127.0.0.1:54977/';
const admin = new pg.Client({ connectionString: base + 'postgres' });
await admin.connect();
if (!process.env.REUSE) await admin.query('drop database if exists flbench with (force)');
if (!process.env.REUSE) await admin.query('create database flbench');
const db = {
  owner: { connectionString: base + 'flbench' },
  drop: async () => {
    if (!process.env.KEEP) await admin.query('drop database flbench with (force)');
    await admin.end();
  },
};
const database = await openDatabase({ owner: db.owner, masterKey: Buffer.alloc(32, 7), log: silentLog(), poolSize: 4 });
const pool = database.systemPool;
const accounts = Number(process.env.ACCOUNTS ?? 1000),
  nets = Number(process.env.NETS ?? 20),
  per = Number(process.env.PER ?? 5);
const t0 = performance.now();
if (!process.env.REUSE) {

await pool.query(
  `insert into account (account_id, name, binding_code) select ('00000000-0000-7000-8000-' || lpad(to_hex(a), 12, '0'))::uuid, 'a' || a, 'c' || a from generate_series(1, $1::int) a`,
  [accounts],
);
await pool.query(
  `insert into network (account_id, gwid, remark, tags, gateway_serial) select account_id, gen_random_uuid(), 'Site-' || n, case when n % 5 = 0 then array['shop'] else '{}' end, null from account, generate_series(1, $1::int) n`,
  [nets],
);
await pool.query(
  `insert into device (account_id, serial, gwid, kind, remark, model, firmware, public_address, bound_at, first_seen, last_seen, online, online_since, offline_since, sync_state, capabilities)
 select n.account_id, lpad(to_hex((row_number() over ())), 12, '0'), n.gwid, case when d = 1 then 'gateway' when d = 2 then 'switch' else 'ap' end, 'Dev-' || d || '-' || n.remark, 'EAP' || d, 'fw-' || (d % 3), '10.0.0.' || d, now() - interval '3 days', now() - interval '2 days', now(), random() < 0.9, now() - interval '1 hour', now() - random() * interval '2 hours', (array['in_sync','in_sync','pending','failed'])[1 + (random()*3)::int], jsonb_build_object('x', repeat('y', 4000))
 from network n, generate_series(1, $1::int) d`,
  [per],
);
await pool.query(
  `update network n set gateway_serial = d.serial from device d where d.account_id = n.account_id and d.gwid = n.gwid and d.kind = 'gateway' and random() < 0.7`,
);
await pool.query(
  `insert into device_latest (account_id, serial, at, state, uptime_s, cpu_pct, mem_used, mem_total, clients_total) select account_id, serial, now(), convert_to(repeat(md5(random()::text), 100), 'utf8'), 1000, 10, 500, 1000, (random()*50)::int from device`,
);
await pool.query('vacuum analyze').catch(async () => {
  const pg = await import('pg');
  const c = new pg.default.Client(db.owner);
  await c.connect();
  await c.query('vacuum analyze');
  await c.end();
});
}
console.log('seeded', Math.round(performance.now() - t0), 'ms');
const now = new Date();
const account = (i: number) => `00000000-0000-7000-8000-${i.toString(16).padStart(12, '0')}`;
const runs: Record<string, (tx: never, id: string) => Promise<unknown>> = {
  'network/list': (tx, id) => listNetworks(tx, id, now, {}),
  'network/list status': (tx, id) => listNetworks(tx, id, now, { sort: 'status', status: 'offline' }),
  'network/list keyword': (tx, id) => listNetworks(tx, id, now, { keyword: 'EAP3' }),
  'network/list sort model': (tx, id) => listNetworks(tx, id, now, { sort: 'model', limit: 50 }),
  'ap/list': (tx, id) => listDevices(tx, id, now, {}),
  'ap/list status': (tx, id) => listDevices(tx, id, now, { sort: 'status', status: 'offline' }),
  'ap/list online_user': (tx, id) => listDevices(tx, id, now, { sort: 'online_user', order: 'desc' }),
  'ap/list keyword': (tx, id) => listDevices(tx, id, now, { keyword: 'site-1' }),
  waiting: (tx, id) => listWaiting(tx, id, now, {}),
  attention: (tx, id) => attention(tx, id, now, true),
};
for (const [name, run] of Object.entries(runs)) {
  const times: number[] = [];
  for (let i = 0; i < 60; i += 1) {
    const id = account(1 + Math.floor(Math.random() * accounts));
    const start = performance.now();
    await database.withTenant({ accountId: id, userId: null, gwids: null }, (tx) => run(tx as never, id));
    times.push(performance.now() - start);
  }
  times.sort((a, b) => a - b);
  console.log(name.padEnd(26), 'p50', times[30]!.toFixed(1), 'p95', times[57]!.toFixed(1));
}
void newId;
await database.close();
await db.drop();
