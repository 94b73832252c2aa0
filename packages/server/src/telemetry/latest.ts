import { deflateSync, inflateSync } from 'node:zlib';
import { asNumber, deviceLimits, isRecord } from '@yunxun/contract/device';
import { type Kysely, sql } from 'kysely';
import { Counter, Histogram } from 'prom-client';
import type { Database, Tx } from '../platform/database/index.ts';
import type { Log } from '../platform/log.ts';
import type { Metrics } from '../platform/metrics.ts';
import type { DeviceRef } from '../uplink/ports.ts';
import type { ReportSink } from '../uplink/session-context.ts';
import { summarise } from './extract.ts';
import { type HealthReport, type StateReport, writeHealth, writeStates } from './latest-store.ts';

/** At most so many devices per transaction. */
const batchSize = 500;
/** A write that failed is tried again after this, milliseconds, for as long as the server runs. */
const retryAfter = 1000;

interface Waiting<T> {
  report: T;
  settle(committed: boolean): void;
}

export interface LatestWriter extends ReportSink {
  /** Until everything taken so far is committed. */
  drain(): Promise<void>;
}

/**
 * Keeps the latest report of every device. Reports that arrive while a transaction is under way make the next one, so
 * a batch closes at once when there is little to do and grows when there is much. Of one device only the newest
 * waiting report is written. A report counts as taken when its transaction is committed.
 */
export function createLatestWriter(database: Database, registry: Metrics, log: Log): LatestWriter {
  const states = new Map<string, Waiting<StateReport>>();
  const healths = new Map<string, Waiting<HealthReport>>();
  const shed = new Counter({
    name: 'yunxun_state_messages_shed_total',
    help: 'State reports that a newer one of the same device replaced before they were written',
    registers: [registry],
  });
  const seconds = new Histogram({
    name: 'yunxun_state_flush_seconds',
    help: 'Duration of a batch of latest reports, commit included',
    buckets: [0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 5],
    registers: [registry],
  });
  let running: Promise<void> | null = null;

  function put<T extends DeviceRef>(waiting: Map<string, Waiting<T>>, report: T): Promise<boolean> {
    const key = `${report.accountId} ${report.serial}`;
    const older = waiting.get(key);
    if (older) {
      shed.inc();
      older.settle(false);
    }
    return new Promise((settle) => {
      waiting.set(key, { report, settle });
      running ??= run();
    });
  }

  async function run(): Promise<void> {
    // everything that the same turn of the event loop brings goes into the first batch
    await new Promise((resolve) => setImmediate(resolve));
    while (states.size + healths.size > 0) {
      const batch = { states: take(states), healths: take(healths) };
      const stop = seconds.startTimer();
      try {
        await write(database, batch);
      } catch (error) {
        if (isRefusal(error)) await writeEach(database, batch, log);
        else {
          const reports = batch.states.length + batch.healths.length;
          log.error({ err: error, reports }, 'latest reports not written yet');
          putBack(states, batch.states);
          putBack(healths, batch.healths);
          await new Promise((resolve) => setTimeout(resolve, retryAfter));
        }
      } finally {
        stop();
      }
    }
    running = null;
  }

  return {
    state(device, params, deflated, at) {
      const state = deflated ?? deflateSync(JSON.stringify(params), { level: 1 });
      return put(states, { ...device, at, state, ...summarise(params) });
    },
    healthcheck(device, params, at) {
      const sanity = asNumber(params.sanity);
      const health = deflateSync(JSON.stringify(isRecord(params.data) ? params.data : {}), { level: 1 });
      const whole = sanity !== null && sanity >= 0 && sanity <= 100 ? Math.round(sanity) : null;
      return put(healths, { ...device, at, sanity: whole, health });
    },
    async drain() {
      while (running) await running;
    },
  };
}

interface Batch {
  states: Waiting<StateReport>[];
  healths: Waiting<HealthReport>[];
}

async function write(database: Database, { states, healths }: Batch): Promise<void> {
  await database.withSystem(async (tx) => {
    await writeStates(
      tx,
      states.map(({ report }) => report),
    );
    await writeHealth(
      tx,
      healths.map(({ report }) => report),
    );
  });
  for (const { settle } of [...states, ...healths]) settle(true);
}

/** Whether the database refuses the data itself (SQLSTATE classes 22 and 23): trying again would change nothing. */
function isRefusal(error: unknown): boolean {
  return /^2[23]/.test((error as { code?: string }).code ?? '');
}

/** One bad report must not hold up the others: each is written by itself, and what is refused is lost and logged. */
async function writeEach(database: Database, batch: Batch, log: Log): Promise<void> {
  const single: Batch[] = [
    ...batch.states.map((state) => ({ states: [state], healths: [] })),
    ...batch.healths.map((health) => ({ states: [], healths: [health] })),
  ];
  for (const one of single) {
    await write(database, one).catch((error: unknown) => {
      const [waiting] = [...one.states, ...one.healths];
      log.error({ err: error, serial: waiting?.report.serial }, 'report refused by the database');
      waiting?.settle(false);
    });
  }
}

function take<T>(waiting: Map<string, Waiting<T>>): Waiting<T>[] {
  const taken: Waiting<T>[] = [];
  for (const [key, entry] of waiting) {
    if (taken.length === batchSize) break;
    taken.push(entry);
    waiting.delete(key);
  }
  return taken;
}

/** What could not be written waits again, unless a newer report of the device came. */
function putBack<T extends DeviceRef>(waiting: Map<string, Waiting<T>>, batch: readonly Waiting<T>[]): void {
  for (const entry of batch) {
    const key = `${entry.report.accountId} ${entry.report.serial}`;
    if (waiting.has(key)) entry.settle(false);
    else waiting.set(key, entry);
  }
}

/** The latest state report of a device, as it came; null before the first one. */
export async function readLatestState(
  tx: Tx | Kysely<unknown>,
  device: DeviceRef,
): Promise<{ at: Date; params: Record<string, unknown> } | null> {
  const { rows } = await sql<{ at: Date; state: Buffer }>`
    select at, state from device_latest
    where account_id = ${device.accountId} and serial = ${device.serial} and state is not null
  `.execute(tx);
  const row = rows[0];
  if (!row) return null;
  const params: unknown = JSON.parse(
    inflateSync(row.state, { maxOutputLength: deviceLimits.inflateBytes }).toString('utf8'),
  );
  return { at: row.at, params: isRecord(params) ? params : {} };
}
