import type { LiveFact } from '@yunxun/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../test/database.ts';
import { newSerial } from '../../../test/new-serial.ts';
import { bySystem } from '../../platform/acting.ts';
import { createLocalBus } from '../../platform/bus/index.ts';
import { ManualClock } from '../../platform/clock.ts';
import { newId, type Tx } from '../../platform/database/index.ts';
import { prepareQueue } from '../../platform/jobs/index.ts';
import { createJobService } from '../jobs/service.ts';
import { devicesBySerial } from './device-store.ts';
import { createPresence, type DeviceRef } from './presence.ts';
import type { CommandOutcome } from './restarts/commands.ts';
import { createReboots } from './restarts/reboot.ts';
import { statusOf } from './status.ts';
import { presenceOfRow } from './tables.ts';

const minute = 60_000;
let db: TestDatabase;
let clock: ManualClock;
let ref: DeviceRef;
let facts: LiveFact[];
let asked: number;
/** Null: the process dies. */
let outcome: CommandOutcome | null;

const bus = createLocalBus(() => undefined);
bus.subscribe('live.*', (fact) => facts.push(fact as LiveFact));

beforeAll(async () => {
  db = await createTestDatabase();
  await prepareQueue(db.database);
});
afterAll(async () => {
  await db.database.close();
  await db.drop();
});
beforeEach(async () => {
  clock = new ManualClock();
  facts = [];
  asked = 0;
  outcome = { outcome: 'done' };
  ref = { accountId: newId(), serial: newSerial() };
  await db.database.systemPool.query("insert into account (account_id, name, binding_code) values ($1, 'one', 'A')", [
    ref.accountId,
  ]);
});

function set() {
  const { database } = db;
  const presence = createPresence({ bus, clock, hasSettings: async () => false });
  const jobs = createJobService({ database, bus, clock });
  const commands = {
    reboot: async () => {
      asked += 1;
      if (!outcome) throw new Error('the process dies');
      return outcome;
    },
    upgrade: () => Promise.reject(),
    blink: () => Promise.reject(),
    refresh: () => Promise.reject(),
  };
  const reboots = createReboots({ database, clock, jobs, commands, presence });
  const inTx = <T>(work: (tx: Tx) => Promise<T>) => database.withSystem(work);
  const reported = { firmware: null, platform: 'ap', model: 'EAP102', compatible: null, capabilities: {} };
  const run = (jobId: string) => jobs.tasks.job({ accountId: ref.accountId, jobId });
  return {
    presence,
    inTx,
    run,
    enrol: () =>
      inTx((tx) =>
        presence.enrolled(tx, {
          ...ref,
          at: clock.now(),
          address: '192.0.2.1',
          platform: null,
          model: null,
          gwid: null,
          again: false,
          proven: false,
        }),
      ),
    connect: (epoch: number, reason: string | null = 'coldboot') =>
      inTx((tx) =>
        presence.connected(
          tx,
          ref,
          { ...reported, at: clock.now(), reason },
          { address: '192.0.2.1', epoch, heardBefore: null },
        ),
      ),
    disconnect: (epoch: number) =>
      inTx((tx) => presence.disconnected(tx, ref, { at: clock.now(), epoch, reason: 'closed' })),
    reboot: async () => {
      const { job_id } = await inTx((tx) => reboots.devices(tx, bySystem(ref.accountId), [ref.serial], {}));
      return job_id;
    },
    later: async (jobId: string) => {
      await reboots.tasks['fleet-restart-look']!({ ...ref, commanded_at: new Date(0).toISOString(), goal: '' });
      await run(jobId);
    },
    wake: async (jobId: string) => {
      await jobs.wake(ref.accountId, ref.serial);
      await run(jobId);
    },
    item: async (jobId: string) => {
      const { rows } = await database.systemPool.query<{ status: string; reason: string | null; detail: unknown }>(
        'select status, reason, detail from job_item where job_id = $1',
        [jobId],
      );
      return rows[0];
    },
    status: async () => {
      const [device] = await inTx((tx) => devicesBySerial(tx, ref.accountId, [ref.serial]));
      return device && statusOf(presenceOfRow(device), clock.now());
    },
  };
}

describe('presence', () => {
  it('follows sessions, and notifies open pages after each commit', async () => {
    const { connect, disconnect, enrol, status } = set();
    await enrol();
    expect(await status()).toBe('never_connected');
    await connect(1);
    expect(await status()).toBe('online');
    await disconnect(1);
    expect(await status()).toBe('offline');
    expect(facts.filter((fact) => fact.type === 'device.status').map((fact) => fact.status)).toEqual([
      'online',
      'offline',
    ]);
  });

  it('is not ended by a replaced session, in any order of events', async () => {
    const { connect, disconnect, enrol, status } = set();
    await enrol();
    await connect(1);
    await connect(2, 'socket');
    await disconnect(1);
    expect(await status()).toBe('online');
    await connect(1);
    await disconnect(2);
    expect(await status()).toBe('offline');
  });

  it('says nothing of a change that was rolled back', async () => {
    const { connect, enrol, inTx, presence } = set();
    await enrol();
    await connect(1);
    facts = [];
    const broken = inTx(async (tx) => {
      await presence.disconnected(tx, ref, { at: clock.now(), epoch: 1, reason: 'closed' });
      throw new Error('broken');
    });
    await expect(broken).rejects.toThrow('broken');
    expect(facts).toEqual([]);
  });
});

describe('a restart', () => {
  it('that the device does not return from has failed after ten minutes', async () => {
    const { connect, disconnect, enrol, item, later, reboot, run, status } = set();
    await enrol();
    await connect(1);
    const jobId = await reboot();
    await run(jobId);
    expect(await item(jobId)).toMatchObject({ status: 'waiting_offline', reason: 'job.restarting' });
    clock.advance(minute);
    await disconnect(1);
    clock.advance(8 * minute);
    expect(await status()).toBe('restarting');
    await later(jobId);
    expect(await item(jobId)).toMatchObject({ status: 'waiting_offline' });
    clock.advance(2 * minute);
    expect(await status()).toBe('offline');
    await later(jobId);
    expect(await item(jobId)).toMatchObject({ status: 'failed', reason: 'job.not_returned' });
    expect(asked).toBe(1);
  });

  it('that never happened has failed too', async () => {
    const { connect, enrol, item, later, reboot, run } = set();
    await enrol();
    await connect(1);
    clock.advance(minute);
    const jobId = await reboot();
    await run(jobId);
    clock.advance(11 * minute);
    await later(jobId);
    expect(await item(jobId)).toMatchObject({ status: 'failed', reason: 'job.not_restarted' });
  });

  it.each([
    ['before the answer', null],
    ['when its answer is lost', { outcome: 'gone' } as const],
    ['when it does not answer in time', { outcome: 'silent', sent: true } as const],
  ])('is commanded once %s, and ends by what the device then is', async (_when, given) => {
    const { connect, disconnect, enrol, item, reboot, run, wake } = set();
    await enrol();
    await connect(1);
    clock.advance(minute);
    outcome = given;
    const jobId = await reboot();
    await run(jobId).catch(() => undefined);
    outcome = { outcome: 'done' };
    await run(jobId);
    expect(await item(jobId)).toMatchObject({ status: 'waiting_offline', reason: 'job.restarting' });
    // a late plain reconnect is no restart
    clock.advance(minute);
    await disconnect(1);
    await connect(2, 'socket');
    await wake(jobId);
    expect(await item(jobId)).toMatchObject({ status: 'waiting_offline', reason: 'job.restarting' });
    await disconnect(2);
    await connect(3, 'reboot');
    await wake(jobId);
    expect(await item(jobId)).toMatchObject({ status: 'succeeded' });
    expect(asked).toBe(1);
  });

  it('that was not answered and never happened has failed when its time is over', async () => {
    const { connect, enrol, item, later, reboot, run } = set();
    await enrol();
    await connect(1);
    clock.advance(minute);
    outcome = { outcome: 'silent', sent: true };
    const jobId = await reboot();
    await run(jobId);
    clock.advance(11 * minute);
    await later(jobId);
    expect(await item(jobId)).toMatchObject({ status: 'failed', reason: 'job.silent' });
  });

  it.each([
    [
      { outcome: 'silent', sent: false },
      { status: 'failed', reason: 'job.silent' },
    ],
    [
      { outcome: 'refused', text: 'not now' },
      { status: 'failed', reason: 'not now' },
    ],
    [{ outcome: 'offline' }, { status: 'skipped', reason: 'job.skipped_offline' }],
    [{ outcome: 'gone' }, { status: 'waiting_offline', reason: 'job.restarting' }],
  ] as [CommandOutcome, object][])('whose command ends as %j leaves %j', async (given, expected) => {
    const { connect, enrol, item, reboot, run } = set();
    await enrol();
    await connect(1);
    outcome = given;
    const jobId = await reboot();
    await run(jobId);
    expect(await item(jobId)).toMatchObject(expected);
  });
});
