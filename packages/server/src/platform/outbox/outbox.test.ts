import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, it } from 'vitest';
import { eventually } from '../../../../../tools/eventually.ts';
import { createTestDatabase } from '../../../test/database.ts';
import { ManualClock } from '../clock.ts';
import { newId } from '../database/index.ts';
import { silentLog } from '../log.ts';
import { createOutbox, DeliveryError, fileAdapter, type OutboxMessage, type Outgoing } from './index.ts';

const { database, drop } = await createTestDatabase();
const folder = mkdtempSync(join(tmpdir(), 'yunxun-outbox-'));
afterAll(async () => {
  await drop();
  rmSync(folder, { recursive: true });
});

const log = silentLog();
let clock = new ManualClock();
const behaviour = new Map<string, () => Promise<string>>();
const sent: Outgoing[] = [];
const filed: string[] = [];
let configured = true;
const provider = {
  async send(message: Outgoing) {
    const answer = (await behaviour.get(message.to)?.()) ?? 'OK';
    sent.push(message);
    return answer;
  },
};
const open = () =>
  createOutbox({
    database,
    clock,
    log,
    file: {
      async send({ to }) {
        filed.push(to);
        return 'the file';
      },
    },
    providerOf: async (channel) => (configured && channel === 'sms' ? provider : null),
  });
let outbox = open();

const fails =
  (reason: string, permanent = false) =>
  () =>
    Promise.reject(new DeliveryError(reason, permanent));
const mailTo = (to: string): OutboxMessage => ({
  channel: 'sms',
  to,
  template: 'signInCode',
  params: { code: '123456', minutes: 5 },
  locale: 'en',
});
const queue = (...messages: (string | OutboxMessage)[]) =>
  database.withSystem(async (tx) => {
    for (const one of messages) {
      await outbox.queue(tx, typeof one === 'string' ? mailTo(one) : one);
      clock.advance(1);
    }
  });
const inTenant = (accountId: string, message: OutboxMessage) =>
  database.withTenant({ accountId, userId: null, gwids: null }, (tx) => outbox.queue(tx, message));
const rows = async () =>
  (
    await database.systemPool.query<{
      recipient: string;
      attempts: number;
      body: string;
      sent: boolean;
      failed: boolean;
    }>(
      `select recipient, attempts, body, params, subject, error, sent_at is not null as sent, failed_at is not null as failed
       from outbox_message order by recipient`,
    )
  ).rows;
const flushed = async (done: () => Promise<void>) => {
  await outbox.flush();
  await eventually(done);
};
const recipients = () => sent.map((message) => message.to).sort();

beforeEach(async () => {
  await outbox.stop();
  await database.systemPool.query('delete from outbox_message');
  sent.splice(0);
  filed.splice(0);
  behaviour.clear();
  configured = true;
  clock = new ManualClock();
  outbox = open();
});

it('sends once what was committed, forgets the words, and sends nothing that was rolled back', async () => {
  await queue('a');
  const cancelled = database.withSystem(async (tx) => {
    await outbox.queue(tx, mailTo('b'));
    throw new Error('no');
  });
  await expect(cancelled).rejects.toThrow('no');
  const other = open();
  await Promise.all([outbox.flush(), other.flush(), outbox.flush()]);
  await eventually(async () => expect(await rows()).toMatchObject([{ sent: true }]));
  expect(sent).toMatchObject([
    { to: 'a', subject: '', text: expect.stringMatching(/123456 is your sign-in code/), template: 'signInCode' },
  ]);
  expect(await rows()).toEqual([
    { recipient: 'a', attempts: 1, body: '', params: {}, subject: null, error: null, sent: true, failed: false },
  ]);
  await other.stop();
});

it('gives mail a subject, both in the language of the person', async () => {
  const seen: Outgoing[] = [];
  const mail = createOutbox({
    database,
    clock,
    log,
    file: { send: async (message) => `${seen.push(message)}` },
    providerOf: async () => null,
  });
  await queue({ ...mailTo('x@example.com'), channel: 'email', template: 'registerCode', locale: 'zh-CN' });
  await mail.flush();
  expect(seen).toMatchObject([
    { subject: '云巡注册验证码 123456', text: expect.stringContaining('123456，5 分钟内有效') },
  ]);
});

it('goes past a message that fails, and tries it again when its time has come', async () => {
  behaviour.set('bad', fails('try later'));
  await queue('bad', 'good');
  await flushed(async () => expect(await rows()).toMatchObject([{ error: 'try later' }, { sent: true }]));
  expect(recipients()).toEqual(['good']);
  behaviour.clear();
  clock.advance(9000);
  await outbox.flush();
  expect(await rows()).toMatchObject([{ recipient: 'bad', attempts: 1, sent: false }, { sent: true }]);
  expect((await rows())[0]!.body).toContain('123456');
  clock.advance(2000);
  await flushed(async () => expect(await rows()).toMatchObject([{ attempts: 2, sent: true }, { sent: true }]));
  expect(recipients()).toEqual(['bad', 'good']);
});

it('gives a message up after ten tries, and forgets its words then and the rest after a month', async () => {
  await queue('bad');
  for (let tries = 1; tries <= 10; tries += 1) {
    behaviour.set('bad', fails(`refused ${tries}`));
    await flushed(async () => expect(await rows()).toMatchObject([{ attempts: tries, error: `refused ${tries}` }]));
    clock.advance(6_000_000);
  }
  await outbox.flush();
  expect(await rows()).toMatchObject([{ attempts: 10, failed: true, body: '', params: {} }]);
  clock.advance(29 * 86_400_000);
  await outbox.prune();
  expect(await rows()).toHaveLength(1);
  clock.advance(2 * 86_400_000);
  await outbox.prune();
  expect(await rows()).toEqual([]);
});

it('does not try again what was refused for good, nor what has lost its sense', async () => {
  behaviour.set('wrong', fails('no such number', true));
  await queue('wrong', { ...mailTo('late'), expiresAt: new Date(clock.now().getTime() + 1000) });
  clock.advance(2000);
  await flushed(async () => expect(await rows()).toMatchObject([{ failed: true }, { failed: true }]));
  expect(await rows()).toMatchObject([
    { recipient: 'late', attempts: 1, body: '' },
    { recipient: 'wrong', attempts: 1, body: '', error: 'no such number' },
  ]);
  expect(sent).toEqual([]);
  expect(await outbox.troubles()).toMatchObject({ waiting: 0, failed: 2, recent: [{ recipient: 'late' }, {}] });
});

it('waits for no provider: one that hangs holds up neither the caller, nor a transaction, nor the others', async () => {
  let answer = (_words: string) => {};
  behaviour.set('slow', () => new Promise((resolve) => (answer = resolve)));
  await queue('slow', 'quick', { ...mailTo('x@example.com'), channel: 'email', template: 'registerCode' });
  await outbox.flush();
  await eventually(async () => expect(recipients()).toEqual(['quick']));
  expect(filed).toEqual(['x@example.com']);
  const { rows: busy } = await database.systemPool.query(
    "select pid from pg_stat_activity where datname = current_database() and state like 'idle in transaction%'",
  );
  expect(busy).toEqual([]);
  const other = open();
  await other.flush();
  await other.stop();
  expect(recipients()).toEqual(['quick']);
  answer('OK');
  await eventually(async () => expect((await rows())[1]).toMatchObject({ recipient: 'slow', sent: true }));
});

it('takes over what a process that died had under way', async () => {
  behaviour.set('a', () => new Promise(() => {}));
  await queue('a');
  await outbox.flush();
  await eventually(async () => expect(await rows()).toMatchObject([{ attempts: 1 }]));
  const other = open();
  behaviour.clear();
  await other.flush();
  expect(sent).toEqual([]);
  clock.advance(61_000);
  await other.flush();
  await eventually(() => expect(recipients()).toEqual(['a']));
  await other.stop();
  outbox = open();
});

it('has few at a provider at the same time, and takes it for away when it refuses again and again', async () => {
  let max = 0;
  let now = 0;
  const count = async () => {
    now += 1;
    max = Math.max(max, now);
    await new Promise((resolve) => setImmediate(resolve));
    now -= 1;
    return 'OK';
  };
  const many = Array.from({ length: 30 }, (_, i) => `n${i}`);
  for (const to of many) behaviour.set(to, count);
  await queue(...many);
  await flushed(async () => expect(sent).toHaveLength(30));
  expect(max).toBeGreaterThan(1);
  expect(max).toBeLessThanOrEqual(8);
  const bad = Array.from({ length: 40 }, (_, i) => `b${i}`);
  for (const to of bad) behaviour.set(to, fails('away'));
  await queue(...bad);
  const tried = async () => (await rows()).filter((row) => row.recipient.startsWith('b') && row.attempts > 0).length;
  await flushed(async () => expect(await tried()).toBeGreaterThanOrEqual(20));
  await outbox.stop();
  expect(await tried()).toBeLessThan(30);
});

it('chooses the way at the moment of delivery', async () => {
  configured = false;
  expect(await outbox.toFile('sms')).toBe(true);
  behaviour.set('bad', fails('try later'));
  await queue('first', 'second');
  await outbox.flush();
  expect(filed).toEqual(['first', 'second']);
  const { id } = (await database.systemPool.query<{ id: string }>('select id from outbox_message')).rows[0]!;
  expect((await outbox.statesOf([id])).get(id)).toMatchObject({ state: 'sent', isInFile: true, error: null });
  expect((await outbox.troubles()).recent).toEqual([]);
  configured = true;
  expect(await outbox.toFile('sms')).toBe(false);
  await queue('bad');
  await flushed(async () =>
    expect(await rows()).toMatchObject([{ error: 'try later' }, { sent: true }, { sent: true }]),
  );
  configured = false;
  clock.advance(11_000);
  await outbox.flush();
  expect(filed).toEqual(['first', 'second', 'bad']);
});

it('hands a message over at once and answers the provider, past the queue', async () => {
  behaviour.set('a', async () => 'queued as 7');
  expect(await outbox.sendNow({ ...mailTo('a'), template: 'test', params: {} })).toBe('queued as 7');
  behaviour.set('a', fails('bad key'));
  await expect(outbox.sendNow(mailTo('a'))).rejects.toThrow('bad key');
  configured = false;
  expect(await outbox.sendNow(mailTo('a'))).toBe('the file');
  expect(await rows()).toEqual([]);
});

it('takes a message of a request for its own account only', async () => {
  const [own, other] = [newId(), newId()];
  const refused = { code: '42501' };
  for (const accountId of [other, null])
    await expect(inTenant(own, { ...mailTo('a'), accountId })).rejects.toMatchObject(refused);
  expect(await rows()).toEqual([]);
  await inTenant(own, { ...mailTo('a'), accountId: own });
  expect(await rows()).toMatchObject([{ recipient: 'a', attempts: 0, sent: false }]);
});

it('writes a line for each message to a file that only its owner reads', async () => {
  const shown: string[] = [];
  const adapter = fileAdapter(folder, log, (to, code) => shown.push(`${to} ${code}`));
  const line = { channel: 'sms', template: 't', params: { code: '1' }, text: 'words' } as const;
  const rest = { subject: '', html: null, attachment: null };
  const at = '2026-01-01T00:00:00.000Z';
  for (const to of ['a', 'b']) await adapter.send({ ...line, ...rest, to, id: to, at });
  const file = join(folder, 'outbox.ndjson');
  const lines = readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((text) => JSON.parse(text));
  expect(lines).toEqual(['a', 'b'].map((to) => ({ at, to, ...line })));
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(shown).toEqual(['a 1', 'b 1']);
});
