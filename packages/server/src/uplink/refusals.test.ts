import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../test/database.ts';
import { ManualClock } from '../platform/clock.ts';
import { newId } from '../platform/database/id.ts';
import { silentLog } from '../platform/log.ts';
import { claimSerial } from './directory.ts';
import { createRefusalLog, recentRefusals } from './refusals.ts';

const clock = new ManualClock(new Date('2026-11-20T12:00:00Z'));
const [home, away] = [newId(), newId()];
const serial = '903cb3000001';
let db: TestDatabase;

beforeAll(async () => {
  db = await createTestDatabase();
  for (const account of [home, away]) {
    await sql`insert into account (account_id, name, binding_code) values (${account}, 'A', ${account})`.execute(
      db.database.system,
    );
  }
});
afterAll(() => db.drop());

test('refusals are kept once per address, serial and reason, with a count, and found by account or address', async () => {
  await db.database.withSystem((tx) => claimSerial(tx, serial, home, '192.0.2.9', clock.now()));
  const log = createRefusalLog(db.database, clock, silentLog());
  const refusal = { address: '192.0.2.1', serial, reason: 'serial-mismatch', detail: 'x', accountId: null } as const;
  for (let n = 0; n < 3; n += 1) log.record(refusal);
  log.record({ ...refusal, address: '192.0.2.2', serial: null, reason: 'no-certificate', detail: null });
  await log.flush();
  clock.advance(1000);
  log.record({ ...refusal, detail: 'y' });
  await log.flush();
  expect(await recentRefusals(db.database, home, ['192.0.2.2'], 10)).toMatchObject([
    { serial, reason: 'serial-mismatch', detail: 'y', count: 4 },
    { serial: null, reason: 'no-certificate', count: 1 },
  ]);
  expect(await recentRefusals(db.database, away, ['192.0.2.1'], 10)).toEqual([]);
});

test('refusals of an account that enrols foreign serials are bounded, and leave those of others', async () => {
  const log = createRefusalLog(db.database, clock, silentLog());
  const of = (accountId: string, n: number) =>
    log.record({ address: '192.0.2.7', serial: `9e${n}`, reason: 'bound-elsewhere', detail: null, accountId });
  of(away, 0);
  for (let n = 1; n <= 150; n += 1) of(home, n);
  await log.flush();
  const found = await recentRefusals(db.database, home, [], 200);
  expect(found.filter(({ address }) => address === '192.0.2.7').length).toBeLessThanOrEqual(100);
  expect(found.length).toBeGreaterThanOrEqual(100);
  expect(await recentRefusals(db.database, away, [], 200)).toContainEqual(expect.objectContaining({ serial: '9e0' }));
});

test('refusals of a flood are bounded, in memory and in the database', async () => {
  const log = createRefusalLog(db.database, clock, silentLog());
  for (let round = 0; round < 12; round += 1) {
    clock.advance(1000);
    for (let n = 0; n < 600; n += 1) {
      log.record({
        address: `198.51.100.${round}.${n}`,
        serial: null,
        reason: 'no-certificate',
        detail: null,
        accountId: null,
      });
    }
    await log.flush();
  }
  const { rows } = await sql<{ rows: number }>`select count(*) as rows from link_refusal`.execute(db.database.system);
  expect(rows[0]?.rows).toBeGreaterThan(4000);
  expect(rows[0]?.rows).toBeLessThanOrEqual(5501);
});
