import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runs } from '../../../../../../tools/property-runs.ts';
import { fund, requestOf } from '../../../../test/seed-withdrawals.ts';
import { type Registered, startTestServer, type TestServer } from '../../../../test/server.ts';
import { administrator } from '../../installation/testing/administrator.ts';

let server: TestServer;
let admin: Registered;
beforeAll(async () => {
  server = await startTestServer();
  admin = await administrator(server);
  const rule = { min_amount: '0.01', fee_rate: 33, min_fee: '0.00', two_persons_above: null };
  expect((await server.call('/api/v3/install/withdrawal/rule/save', rule, admin)).code).toBe(2000);
});
afterAll(() => server.stop());

/** Ends sessions in mid-transaction. */
const killTransactions = () =>
  server.db.query(`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and usename in ('yunxun_app', 'yunxun_system') and xact_start is not null`);

const acts = ['in', 'request', 'approve', 'refuse', 'pay'] as const;
const fieldsOf = { approve: {}, refuse: { reason: 'no' }, pay: { receipt: 'R' } };
const refusedUntried = [401, 403, 404, 422, 429];

/** One is paid, one refused. */
const first = (['request', 'approve', 'pay', 'request', 'refuse'] as const).map((act, at) => ({
  act,
  fen: 1000,
  nth: at < 3 ? 0 : 1,
  times: 1,
  kill: false,
}));

const steps = fc.array(
  fc.record({
    act: fc.constantFrom(...acts),
    fen: fc.integer({ min: 2, max: 9_000 }),
    nth: fc.nat({ max: 5 }),
    times: fc.integer({ min: 1, max: 2 }),
    kill: fc.boolean(),
  }),
  { minLength: 4, maxLength: 14 },
);

it('balances after any sequence of requests, decisions, repetitions and killed transactions', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (sequence) => {
      const owner = await server.register();
      const { accountId } = owner;
      let came = 10_000;
      await fund(server, owner, came);
      const keys: string[] = [];
      for (const [at, { act, fen, nth, times, kill }] of [...first, ...sequence].entries()) {
        if (act === 'in') {
          await fund(server, owner, fen);
          came += fen;
          continue;
        }
        const id = act === 'request' ? '' : await idOf(accountId, nth);
        const input = act === 'request' ? requestOf((fen / 100).toFixed(2)) : { id, ...fieldsOf[act] };
        if (act === 'request') keys.push((input as { key: string }).key);
        if (act !== 'request' && !id) continue;
        const path = act === 'request' ? '/api/v3/billing/withdrawal/request' : `/api/v3/install/withdrawal/${act}`;
        const as = act === 'request' ? owner : admin;
        const calls = Array.from({ length: times }, () => server.call(path, input, as).catch(() => null));
        // a transaction may begin after the first
        for (let more = kill ? 3 : 0; more > 0; more--) await killTransactions();
        for (const answer of await Promise.all(calls)) {
          expect(refusedUntried).not.toContain(answer?.status);
          if (at < first.length) expect(answer?.code).toBe(2000);
        }
      }
      await holds(accountId, came, keys.length);
    }),
    runs(3, 8),
  );
});

/** Reads as the owner of the database, whose connection is not ended. */
async function idOf(accountId: string, nth: number): Promise<string | undefined> {
  const { rows } = await server.db.query('select id from withdrawal where account_id = $1 order by id', [accountId]);
  return rows[nth % Math.max(1, rows.length)]?.id;
}

async function holds(accountId: string, came: number, asked: number): Promise<void> {
  const sums = await server.db.query(
    'select ledger, sum(fen) as fen from ledger_entry where account_id = $1 group by ledger',
    [accountId],
  );
  const of = Object.fromEntries(
    (sums.rows as { ledger: string; fen: string }[]).map(({ ledger, fen }) => [ledger, Number(fen)]),
  );
  const { rows } = await server.db.query(
    'select state, sum(fen) as fen, sum(fee_fen) as fee, count(*) as count from withdrawal where account_id = $1 group by state',
    [accountId],
  );
  const total = (states: string[], part: 'fen' | 'fee' | 'count') =>
    rows.filter(({ state }) => states.includes(state)).reduce((sum, row) => sum + Number(row[part]), 0);
  const paid = total(['paid'], 'fen');
  expect(Object.values(of).reduce((sum, fen) => sum + fen, 0)).toBe(0);
  expect(of.balance).toBeGreaterThanOrEqual(0);
  expect(of.frozen ?? 0).toBe(total(['requested', 'approved'], 'fen'));
  expect(of.balance! + (of.frozen ?? 0)).toBe(came - paid);
  expect(of.expense ?? 0).toBe(total(['paid'], 'fee'));
  expect(total(['requested', 'approved', 'paid', 'refused'], 'count')).toBeLessThanOrEqual(asked);
}
