import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../../test/database.ts';
import { newId } from '../../../platform/database/index.ts';
import { insertDevice } from '../device-store.ts';
import { insertEvent, latestEvents, listEvents, pruneEvents } from './event-store.ts';

const accountId = newId();
const serial = '903cb3000001';
const now = new Date('2026-06-30T12:00:00Z');
const daysAgo = (days: number) => new Date(now.getTime() - days * 86_400_000);

let db: TestDatabase;

beforeAll(async () => {
  db = await createTestDatabase();
  const { database } = db;
  await database.systemPool.query("insert into account (account_id, name, binding_code) values ($1, 'one', 'A')", [
    accountId,
  ]);
  const nothing = { gwid: null, model: null, platform: null, public_address: null };
  await database.withSystem((tx) =>
    insertDevice(tx, { account_id: accountId, serial, kind: 'ap', remark: 'a', bound_at: now, ...nothing }),
  );
});
afterAll(async () => {
  await db.database.close();
  await db.drop();
});

const insert = (event: { at?: Date; type?: string; payload?: unknown; serial?: string }) =>
  insertEvent(db.database.system, { accountId, serial, at: now, type: 'wifi.start', payload: {}, ...event });
const events = () => db.database.withSystem((tx) => latestEvents(tx, accountId, serial, 50));

it('keeps events for thirty days', async () => {
  await insert({ at: daysAgo(31), type: 'old' });
  await insert({ at: daysAgo(29), type: 'young' });
  expect(await pruneEvents(db.database.system, now)).toBe(1);
  expect((await events()).map((event) => event.type)).toEqual(['young']);
  expect(await pruneEvents(db.database.system, now)).toBe(0);
});

it('takes what a device sends in whatever size and letters, within bounds', async () => {
  await insert({ type: 'x'.repeat(200), payload: { text: 'nul \u0000, quote ", \\u0000 as words, 中文 😀' } });
  await insert({ type: 'crashlog', payload: { info: [`half \ud83d a pair`, '😀'.repeat(100_000)] } });
  // unordered within a millisecond
  const reported = await events();
  const crash = reported.find(({ type }) => type === 'crashlog');
  const strange = reported.find(({ type }) => type.startsWith('x'));
  expect(JSON.stringify(crash?.payload).length).toBeLessThan(140_000);
  expect(strange?.type).toHaveLength(64);
  expect(JSON.stringify(strange?.payload)).toContain('中文 😀');
});

it('drops an event of a device that is not bound any more', async () => {
  const before = (await events()).length;
  await insert({ serial: '903cb3000002' });
  expect(await events()).toHaveLength(before);
});

it.each(['90:3c:b3', '90-3C-B3-00', '903c.b300.0001', '3CB30000'])(
  'lists the events of the device %s',
  async (keyword) => {
    await db.database.withSystem(async (tx) => {
      const { list, total } = await listEvents(tx, accountId, { keyword }, { limit: 50, offset: 0 });
      expect([total > 0, list.every((event) => event.serial === serial)]).toEqual([true, true]);
      expect((await listEvents(tx, accountId, { keyword: '90:3c:b4' }, { limit: 50, offset: 0 })).total).toBe(0);
    });
  },
);
