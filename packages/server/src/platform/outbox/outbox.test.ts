import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, it } from 'vitest';
import { createTestDatabase } from '../../../test/database.ts';
import { silentLog } from '../log.ts';
import { createOutbox, fileAdapter, type OutboxMessage } from './index.ts';

const { database, drop } = await createTestDatabase();
const folder = mkdtempSync(join(tmpdir(), 'yunxun-outbox-'));
afterAll(async () => {
  await drop();
  rmSync(folder, { recursive: true });
});

const log = silentLog();
const sent: string[] = [];
const broken = new Set<string>();
const outbox = createOutbox(
  database,
  {
    async deliver({ to }) {
      if (broken.has(to)) throw new Error('refused by the provider');
      sent.push(to);
    },
  },
  log,
  false,
);
const letter = (to: string): OutboxMessage => ({ channel: 'sms', to, template: 't', params: { code: '1' }, text: to });
const queue = (...to: string[]) =>
  database.withSystem(async (tx) => {
    for (const one of to) await outbox.queue(tx, letter(one));
  });
const rows = async () =>
  (
    await database.systemPool.query<{ recipient: string; attempts: number; body: string; sent: boolean }>(
      'select recipient, attempts, body, sent_at is not null as sent from outbox_message order by recipient',
    )
  ).rows;

beforeEach(async () => {
  await database.systemPool.query('delete from outbox_message');
  sent.splice(0);
  broken.clear();
});

it('sends once what was committed, forgets the words, and sends nothing that was rolled back', async () => {
  await queue('a');
  const cancelled = database.withSystem(async (tx) => {
    await outbox.queue(tx, letter('b'));
    throw new Error('no');
  });
  await expect(cancelled).rejects.toThrow('no');
  await Promise.all([outbox.flush(), outbox.flush()]);
  expect(sent).toEqual(['a']);
  expect(await rows()).toEqual([{ recipient: 'a', attempts: 0, body: '', sent: true }]);
});

it('goes past a message that fails, and tries it again when its time has come', async () => {
  broken.add('bad');
  await queue('bad', 'good');
  await outbox.flush();
  expect(sent).toEqual(['good']);
  // not at once again
  await outbox.flush();
  expect(await rows()).toMatchObject([{ recipient: 'bad', attempts: 1, body: 'bad', sent: false }, { sent: true }]);
  broken.clear();
  await database.systemPool.query("update outbox_message set created_at = created_at - interval '11 seconds'");
  await outbox.flush();
  expect(sent).toEqual(['good', 'bad']);
});

it('gives a message up after ten attempts, and forgets it after a month', async () => {
  broken.add('bad');
  await queue('bad');
  await database.systemPool.query("update outbox_message set created_at = now() - interval '29 days', attempts = 9");
  await outbox.flush();
  await outbox.flush();
  expect(await rows()).toMatchObject([{ attempts: 10, sent: false }]);
  await outbox.prune();
  expect(await rows()).toHaveLength(1);
  await database.systemPool.query("update outbox_message set created_at = now() - interval '31 days'");
  await outbox.prune();
  expect(await rows()).toEqual([]);
});

it('writes a line for each message to a file that only its owner reads', async () => {
  const adapter = fileAdapter(folder, log);
  for (const to of ['a', 'b']) await adapter.deliver({ ...letter(to), id: to, at: '2026-01-01T00:00:00.000Z' });
  const file = join(folder, 'outbox.ndjson');
  const lines = readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(lines).toEqual(
    ['a', 'b'].map((to) => ({
      at: '2026-01-01T00:00:00.000Z',
      channel: 'sms',
      to,
      template: 't',
      params: { code: '1' },
      text: to,
    })),
  );
  expect(statSync(file).mode & 0o777).toBe(0o600);
});
