import { createHmac, randomUUID } from 'node:crypto';
import { Agent, request } from 'node:http';
import { expectDone, type Owner, post, register } from './lib/client.ts';
import { type BenchConsole, withConsole } from './lib/console.ts';
import { cpuOf, cpuOfFamily } from './lib/process.ts';
import { kib, ms, quantile } from './lib/stats.ts';
import { atRate } from './portal/guests.ts';
import { atMost, record } from './results.ts';

/** `npx tsx bench/payments.ts [payments a second]`: guests' payments by one provider's webhooks. */

const rate = Number(process.argv[2] ?? 1000);
/** Seconds. */
const lasting = process.env.BENCH_DRY ? 3 : 15;
const warm = 3;
const networks = 20;
/** Milliseconds; providers repeat a webhook after 3 to 5 s. */
const answerWithin = 3000;
const webhookSecret = 'whsec_bench';
const agent = new Agent({ keepAlive: true, maxSockets: 128 });

await withConsole({}, async (bench) => {
  const owner = await register(bench.server.url, bench.dataDir);
  await bench.database.owner.query('update person set administers = true');
  await call(bench, owner, 'install/payment/save', {
    provider: 'stripe',
    enabled: true,
    secret_key: 'sk_bench',
    webhook_secret: webhookSecret,
  });
  const count = rate * (lasting + warm);
  await seedOrders(bench, owner, count);
  const send = (first: number) => (at: number) => webhook(bench.server.url, first + at);
  await atRate(rate * warm, rate, send(0));
  const before = await used(bench);
  const began = performance.now();
  const { times, failed } = await atRate(rate * lasting, rate, send(rate * warm));
  const spent = performance.now() - began;
  const after = await used(bench);
  const per = (part: keyof typeof before) => (after[part] - before[part]) / times.length;
  const booked = await bookedOf(bench, owner);
  record(
    'payments',
    [
      {
        what: `payments booked a second of ${rate} sent; failed`,
        measured: `${((times.length / spent) * 1000).toFixed(0)}; ${failed.length} ${failed[0] ?? ''}`.trim(),
        budget: `≥ ${Math.floor(rate * 0.99)}; 0`,
        holds: failed.length === 0 && times.length / spent >= (rate * 0.99) / 1000,
      },
      atMost('p99 until the webhook is answered', quantile(times, 0.99), answerWithin, ms),
      { what: 'p50; longest', measured: [0.5, 1].map((share) => ms(quantile(times, share))).join('; ') },
      {
        what: 'bookings, packages delivered, and yuan of the balance, of the webhooks sent',
        measured: `${booked.bookings}; ${booked.packages}; ${booked.fen / 100} of ${count}`,
        budget: `${count}; ${count}; ${count}`,
        holds: booked.bookings === count && booked.packages === count && booked.fen === count * 100,
      },
      { what: 'CPU of program + database per payment', measured: `${ms(per('program'))} + ${ms(per('database'))}` },
      {
        what: 'commits; write-ahead log per payment',
        measured: `${per('commits').toFixed(2)}; ${kib(per('walBytes'))}`,
      },
    ],
    [
      `Signed webhooks of one provider from one address for packages of one account in ${networks} networks, at an even rate for ${lasting} s after ${warm} s; times run from the planned start. Each is answered after its order, event, journal lines and package are committed on disk. Webhooks that arrive together share a commit. Program, database and generator share the machine.`,
    ],
  );
});

async function call<T>({ server }: BenchConsole, { token }: Owner, path: string, body: object): Promise<T> {
  return (await expectDone(post<T>(server.url, `/api/v3/${path}`, body, token))).data;
}

/** Orders of 1 yuan, as a guest's page makes them. */
async function seedOrders(bench: BenchConsole, owner: Owner, count: number): Promise<void> {
  const terms = { minutes: 120, bytes: 0, devices: 1, up_kbps: 0, down_kbps: 8192, valid_days: 30, gwids: null };
  const { id } = await call<{ id: string }>(bench, owner, 'billing/package/create', {
    name: 'Hour',
    price: '1',
    enabled: true,
    ...terms,
  });
  const gwids: string[] = [];
  for (let at = 0; at < networks; at += 1)
    gwids.push((await call<{ gwid: string }>(bench, owner, 'network/create', { remark: `Site-${at}` })).gwid);
  await bench.database.owner.query(
    `insert into billing_order (account_id, order_no, key, kind, subject, fen, gwid, payer, method, state, created_at, expires_at)
     select $1, 'B' || n, 'B' || n, 'portal_package',
       jsonb_build_object('id', gen_random_uuid(), 'package_id', $2::text, 'name', 'Hour', 'terms', $3::jsonb, 'device', n::text),
       100, ($4::uuid[])[1 + n % $5], 'guest', 'stripe', 'incomplete', now(), now() + interval '30 minutes'
     from generate_series(0, $6::int - 1) n`,
    [owner.accountId, id, JSON.stringify(terms), gwids, networks, count],
  );
  await bench.database.owner.query('vacuum analyze billing_order');
}

function webhook(url: string, at: number): Promise<void> {
  const body = JSON.stringify({
    id: `evt_${randomUUID()}`,
    type: 'checkout.session.completed',
    data: { object: { id: 'cs_1', client_reference_id: `B${at}`, amount_total: 100, payment_status: 'paid' } },
  });
  const t = Math.floor(Date.now() / 1000);
  const v1 = createHmac('sha256', webhookSecret).update(`${t}.${body}`).digest('hex');
  const headers = { 'stripe-signature': `t=${t},v1=${v1}`, 'content-type': 'application/json' };
  return new Promise((resolve, reject) => {
    const sent = request(`${url}/pay/webhook/stripe`, { agent, method: 'POST', headers }, (answer) => {
      answer.resume();
      answer.once('error', reject);
      answer.once('end', () =>
        answer.statusCode === 200 ? resolve() : reject(new Error(`status ${answer.statusCode}`)),
      );
    });
    sent.once('error', reject);
    sent.end(body);
  });
}

async function used({ server, database }: BenchConsole) {
  const { rows } = await database.owner.query<{ commits: string; wal: string }>(
    `select xact_commit as commits, pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0') as wal
     from pg_stat_database where datname = current_database()`,
  );
  const { commits, wal } = rows[0]!;
  return {
    program: cpuOf(server.pid),
    database: cpuOfFamily(database.pid),
    commits: Number(commits),
    walBytes: Number(wal),
  };
}

async function bookedOf({ database }: BenchConsole, { accountId }: Owner) {
  const { rows } = await database.owner.query<{ bookings: number; packages: number; fen: number }>(
    `select (select count(*)::int from ledger_transaction where account_id = $1) as bookings,
       (select count(*)::int from billing_entitlement where account_id = $1) as packages,
       (select coalesce(sum(fen), 0)::int from ledger_total where account_id = $1 and ledger in ('balance', 'recharged')) as fen`,
    [accountId],
  );
  return rows[0]!;
}
