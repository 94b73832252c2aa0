import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../../test/database.ts';
import { openContact, writeContact } from './contact-store.ts';

const device = { accountId: '00000000-0000-7000-8000-000000000001', serial: '001122334455' };
const at = new Date('2026-12-01T08:00:00Z');

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
  await sql`insert into account (account_id, name, binding_code) values (${device.accountId}, 'A', 'A')`.execute(
    db.database.system,
  );
  await sql`
    insert into device (account_id, serial, kind, remark, bound_at)
    values (${device.accountId}, ${device.serial}, 'ap', 'A', now())`.execute(db.database.system);
});
afterAll(() => db.drop());

const waiters = async () =>
  (
    await sql`select from pg_stat_activity where wait_event_type = 'Lock' and query like '%config_contact%'`.execute(
      db.database.system,
    )
  ).rows.length;

it('keeps the first document that another transaction sends while the row is opened', async () => {
  let opened: ReturnType<typeof openContact> | undefined;
  await db.database.withSystem(async (tx) => {
    await writeContact(tx, device, {
      routes: true,
      lan: '192.168.1.1/24',
      settled: true,
      outcome: 'sent',
      reason: null,
      source: 'read',
      at,
    });
    opened = db.database.withSystem((other) => openContact(other, device, at));
    await expect.poll(waiters).toBe(1);
  });
  expect(await opened).toMatchObject({ outcome: 'sent', lan: '192.168.1.1/24' });
});
