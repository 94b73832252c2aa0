import type { reports as contract, DataOf, InputOf, Locale, Permission } from '@yunxun/contract';
import { expect } from 'vitest';
import { type FakeSmtp, startFakeSmtp } from '../../../../test/fake-smtp.ts';
import { type SeededPerson, seedPerson, signInAgain } from '../../../../test/seed-account.ts';
import { type DeviceFacts, makeTelemetry, type Telemetry } from '../../../../test/seed-statistics.ts';
import { type As, type Registered, startTestServer, type TestServer } from '../../../../test/server.ts';
import { ManualClock } from '../../../platform/clock.ts';
import { newId } from '../../../platform/database/index.ts';
import { administrator, smtp } from '../../installation/testing/administrator.ts';
import { type MailParts, partsOf } from './mail-parts.ts';

export type Report = DataOf<typeof contract.reportList>['list'][number];
export type Saved = InputOf<typeof contract.reportSave>;

/** 09:30 in Berlin, the morning after its clocks were set back. */
export const morning = new Date('2026-10-25T08:30:00Z');
export const clock = new ManualClock(new Date('2026-10-20T09:00:00Z'));

// mutable bindings: started once for each file
export let server: TestServer;
export let mailServer: FakeSmtp;
export let owner: Registered;
export let telemetry: Telemetry;
let admin: Registered & As;

export async function startFixture(): Promise<void> {
  mailServer = await startFakeSmtp();
  server = await startTestServer({ clock, config: { publicUrl: 'https://console.example.org' } });
  const first = await administrator(server);
  await query('delete from platform.listening');
  await query(`insert into platform.listening (node, since, until) values (gen_random_uuid(), $1, $2)`, [
    new Date('2026-10-01T00:00:00Z'),
    new Date('2026-11-30T00:00:00Z'),
  ]);
  clock.advance(morning.getTime() - clock.now().getTime());
  admin = await signInAgain(server, { ...first, personId: first.userId }, clock.now());
}

export async function stopFixture(): Promise<void> {
  await server.stop();
  await mailServer.stop();
}

/** A new account in Berlin, and a mail server that accepts everything. */
export async function start(): Promise<void> {
  clock.advance(morning.getTime() - clock.now().getTime());
  // reports of accounts of earlier tests would be due again
  await query('delete from mail_report');
  // the code of a registration is read from the file
  await setMail('outbox');
  const fresh = await server.register();
  owner = await signInAgain(server, { ...fresh, personId: fresh.userId }, clock.now());
  await call('account/update', { name: 'Chain', time_zone: 'Europe/Berlin' });
  telemetry = await makeTelemetry(server, owner, clock);
  mailServer.mails.splice(0);
  mailServer.refusals.clear();
  await setMail('smtp');
}

export async function setMail(provider: 'smtp' | 'outbox'): Promise<void> {
  await call('install/mail/save', { ...smtp(mailServer.port), provider, password: 'p' }, admin);
}

export const query = (text: string, values: unknown[] = []) => server.db.query(text, values);

export async function call<T>(path: string, body: unknown = {}, as: As = owner): Promise<T> {
  const { code, message, errors, data } = await server.call<T>(`/api/v3/${path}`, body, as);
  expect({ code, message, errors }).toMatchObject({ code: 2000 });
  return data;
}

export const report = (more: Partial<Saved> = {}): Saved => ({
  name: 'Morning',
  enabled: true,
  period: 'day',
  weekday: 1,
  hour: 10,
  members: [owner.userId],
  ...more,
});
export const save = (more: Partial<Saved> = {}) => call<{ id: string }>('report/save', report(more));
export const list = (as?: As) => call<DataOf<typeof contract.reportList>>('report/list', {}, as);

export async function member(locale: Locale, gwids: readonly string[] | null = null): Promise<SeededPerson> {
  const person = await seedPerson(server);
  await query('update person set locale = $2 where id = $1', [person.userId, locale]);
  await query(
    'insert into member (account_id, person_id, person_account_id, role, gwids) values ($1, $2, $3, $4, $5)',
    [owner.accountId, person.userId, person.accountId, 'operator', gwids],
  );
  return person;
}

/** Gives a member a role of the account's own with one permission. */
export async function limitTo({ userId }: SeededPerson, permission: Permission): Promise<void> {
  const { accountId } = owner;
  const { rows } = await query(
    `insert into account_role (account_id, id, name, permissions, created_at, updated_at)
     values ($1, gen_random_uuid(), $2, array[$2], now(), now()) returning id`,
    [accountId, permission],
  );
  await query("update member set role = 'custom', role_id = $3 where account_id = $1 and person_id = $2", [
    accountId,
    userId,
    rows[0].id,
  ]);
}

export async function device(gwid: string, facts: Partial<DeviceFacts> = {}): Promise<string> {
  const serial = await telemetry.device(gwid, { kind: 'ap', online: true, ...facts });
  await query('update device set first_seen = $2 where serial = $1', [serial, new Date('2026-10-01T00:00:00Z')]);
  return serial;
}

export async function outage(
  serial: string,
  began: string,
  ended: string,
  clients = 4,
  cause = 'power',
): Promise<void> {
  await query(
    `insert into device_outage (account_id, serial, began_at, ended_at, cause, clients)
     select account_id, serial, $2, $3, $4, $5 from device where serial = $1`,
    [serial, began, ended, cause, clients],
  );
}

export async function backup(gwid: string, at: string): Promise<void> {
  const { accountId } = owner;
  await query(
    `insert into backup_content (account_id, gwid, fingerprint, sealed, bytes, checksum)
     values ($1, $2, 'f', '', 0, '') on conflict do nothing`,
    [accountId, gwid],
  );
  await query(
    `insert into backup (account_id, id, gwid, fingerprint, type, created_by, created_at)
     values ($1, gen_random_uuid(), $2, 'f', 'manual', '', $3)`,
    [accountId, gwid, at],
  );
}

export async function run({ times = 1 } = {}): Promise<void> {
  const { systemPool } = server.db.database;
  for (let n = 0; n < times; n += 1)
    await systemPool.query('select graphile_worker.add_job($1, job_key => $2)', ['reports', `test-${newId()}`]);
  const unfinished = () => systemPool.query("select from graphile_worker.jobs where task_identifier = 'reports'");
  await expect.poll(async () => (await unfinished()).rowCount).toBe(0);
  const underWay = () =>
    systemPool.query('select from outbox_message where sent_at is null and failed_at is null and error is null');
  await expect.poll(async () => (await underWay()).rowCount).toBe(0);
}

export const passTo = (time: string) => clock.advance(new Date(time).getTime() - clock.now().getTime());

export function mails(): ReadonlyMap<string, MailParts> {
  const all = mailServer.mails.map(partsOf);
  expect(new Set(all.map(({ to }) => to)).size).toBe(all.length);
  return new Map(all.map((mail) => [mail.to, mail]));
}
