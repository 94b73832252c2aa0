import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runs } from '../../../../../../tools/property-runs.ts';
import { createTestDatabase, type TestDatabase } from '../../../../test/database.ts';
import { type Acting, bySystem } from '../../../platform/acting.ts';
import { ManualClock } from '../../../platform/clock.ts';
import { newId, type Tx } from '../../../platform/database/index.ts';
import { createDecisions } from '../decisions/index.ts';
import { incomeOf } from '../service.ts';
import { listCards } from './card-store.ts';
import { createCards } from './cards.ts';
import { createPackages } from './packages.ts';

const start = new Date('2026-11-23T04:00:00Z');
const hour = 3_600_000;
const faceFen = 850;
const acts = ['redeem', 'redeem_twice', 'void', 'refund', 'hours'] as const;

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.drop());

it('uses each card once and keeps the journal equal to the used cards, whatever happens in which order', async () => {
  const steps = fc.array(fc.tuple(fc.constantFrom(...acts), fc.nat({ max: 2 })), { minLength: 3, maxLength: 14 });
  await fc.assert(
    fc.asyncProperty(steps, async (sequence) => {
      const clock = new ManualClock(start);
      const [accountId, gwid] = [newId(), newId()];
      await db.database.systemPool.query(
        "insert into account (account_id, name, binding_code) values ($1, 'one', $2)",
        [accountId, accountId.slice(0, 13)],
      );
      const acting: Acting = bySystem(accountId);
      const within = <T>(work: (tx: Tx) => Promise<T>) =>
        db.database.withTenant({ accountId, userId: null, gwids: null }, work);
      const decisions = createDecisions({ database: db.database, clock, messages: { post: async () => undefined } });
      const cards = createCards({ clock, masterKey: Buffer.alloc(32, 7), decisions });
      const packages = createPackages({ clock });
      const terms = { minutes: 60, bytes: 0, devices: 1, up_kbps: 0, down_kbps: 0, valid_days: 30, gwids: null };
      const { id: package_id } = await within((tx) =>
        packages.create(tx, acting, { name: 'Hour', price: '8.50', ...terms, enabled: true }),
      );
      const batch = await within((tx) =>
        cards.generate(tx, acting, { name: 'Cards', package_id, face: '8.50', count: 3, prefix: '', valid_days: 1 }),
      );
      const redeem = (n: number) =>
        within((tx) => cards.redeem(tx, { accountId, gwid, code: batch.codes[n]!, now: clock.now() }));
      const listed = () => within((tx) => listCards(tx, accountId, { limit: 10 }, clock.now()));
      for (const [act, n] of sequence) {
        const rowOf = async () => (await listed()).rows.find(({ tail }) => tail === batch.codes[n]!.slice(-4))!;
        if (act === 'redeem') await redeem(n);
        else if (act === 'redeem_twice') {
          const done = await Promise.all([redeem(n), redeem(n)]);
          const got = done.flatMap((one) => ('entitlement' in one ? [one.entitlement.id] : []));
          expect(new Set(got).size).toBeLessThanOrEqual(1);
        } else if (act === 'void') {
          const { id } = await rowOf();
          await within((tx) => cards.void(tx, acting, { batch_id: batch.id, id })).catch(() => null);
        } else if (act === 'refund') {
          const { id } = await rowOf();
          await within((tx) => cards.refund(tx, acting, { id, reason: 'Test' })).catch(() => null);
        } else clock.advance(n * 9 * hour);
        const { rows } = await listed();
        const used = rows.filter(({ state }) => state === 'used').length;
        const later = new Date(clock.now().getTime() + 1);
        expect(await within((tx) => incomeOf(tx, accountId, start, later, null))).toBe(used * faceFen);
      }
      const { rows } = await db.database.systemPool.query<{ sum: string; once: boolean }>(
        `select (select coalesce(sum(fen), 0)::text from ledger_entry where account_id = $1) as sum,
           (select count(*) = count(distinct source_id) from billing_entitlement where account_id = $1) as once`,
        [accountId],
      );
      expect(rows[0]).toEqual({ sum: '0', once: true });
    }),
    runs(8, 25),
  );
});
