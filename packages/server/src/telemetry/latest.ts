import { deflateSync, inflateSync } from 'node:zlib';
import { asNumber, deviceLimits, isRecord } from '@yunxun/contract/device';
import { type Kysely, sql } from 'kysely';
import { Counter } from 'prom-client';
import type { Database, Tx } from '../platform/database/index.ts';
import type { Log } from '../platform/log.ts';
import type { Metrics } from '../platform/metrics.ts';
import type { DeviceRef } from '../uplink/ports.ts';
import type { ReportSink } from '../uplink/session-context.ts';
import type { KeptEdge } from './extract/edge.ts';
import { type HealthReport, writeHealth } from './latest-store.ts';

const batchSize = 500;
/** Milliseconds. */
const retryAfter = 1000;

interface Waiting {
  report: HealthReport;
  settle(committed: boolean): void;
}

export interface LatestWriter extends Pick<ReportSink, 'healthcheck'> {
  drain(): Promise<void>;
}

/** Batches reports that arrive during a transaction; a newer one replaces its device's. Promises settle on commit. */
export function createLatestWriter(database: Database, registry: Metrics, log: Log): LatestWriter {
  const waiting = new Map<string, Waiting>();
  const shed = new Counter({
    name: 'yunxun_health_messages_shed_total',
    help: 'Health reports that a newer one of the same device replaced before they were written',
    registers: [registry],
  });
  let running: Promise<void> | null = null;

  async function run(): Promise<void> {
    // everything of this event loop turn
    await new Promise((resolve) => setImmediate(resolve));
    while (waiting.size > 0) {
      const batch = take(waiting);
      try {
        await write(database, batch);
      } catch (error) {
        if (isRefusal(error)) await writeEach(database, batch, log);
        else {
          log.error({ err: error, reports: batch.length }, 'health reports not written yet');
          putBack(waiting, batch);
          await new Promise((resolve) => setTimeout(resolve, retryAfter));
        }
      }
    }
    running = null;
  }

  return {
    healthcheck(device, params, at) {
      const sanity = asNumber(params.sanity);
      const health = deflateSync(JSON.stringify(isRecord(params.data) ? params.data : {}), { level: 1 });
      const whole = sanity !== null && sanity >= 0 && sanity <= 100 ? Math.round(sanity) : null;
      const key = keyOf(device);
      const older = waiting.get(key);
      if (older) {
        shed.inc();
        older.settle(false);
      }
      return new Promise((settle) => {
        waiting.set(key, { report: { ...device, at, sanity: whole, health }, settle });
        running ??= run();
      });
    },
    async drain() {
      while (running) await running;
    },
  };
}

const keyOf = ({ accountId, serial }: DeviceRef) => `${accountId} ${serial}`;

async function write(database: Database, batch: readonly Waiting[]): Promise<void> {
  await database.withSystem((tx) =>
    writeHealth(
      tx,
      batch.map(({ report }) => report),
    ),
  );
  for (const { settle } of batch) settle(true);
}

/** Detects SQLSTATE classes 22 and 23: retries are useless. */
function isRefusal(error: unknown): boolean {
  return /^2[23]/.test((error as { code?: string }).code ?? '');
}

/** Loses only refused reports. */
async function writeEach(database: Database, batch: readonly Waiting[], log: Log): Promise<void> {
  for (const one of batch) {
    await write(database, [one]).catch((error: unknown) => {
      log.error({ err: error, serial: one.report.serial }, 'report refused by the database');
      one.settle(false);
    });
  }
}

function take(waiting: Map<string, Waiting>): Waiting[] {
  const taken: Waiting[] = [];
  for (const [key, entry] of waiting) {
    if (taken.length === batchSize) break;
    taken.push(entry);
    waiting.delete(key);
  }
  return taken;
}

/** Requeues unless a newer report arrived. */
function putBack(waiting: Map<string, Waiting>, batch: readonly Waiting[]): void {
  for (const entry of batch) {
    const key = keyOf(entry.report);
    if (waiting.has(key)) entry.settle(false);
    else waiting.set(key, entry);
  }
}

export async function readLatestEdge(tx: Tx | Kysely<unknown>, device: DeviceRef): Promise<KeptEdge | null> {
  const { rows } = await sql<{ edge: KeptEdge | null }>`
    select edge from device_latest where account_id = ${device.accountId} and serial = ${device.serial}
  `.execute(tx);
  return rows[0]?.edge ?? null;
}

/** Returns unmodified parameters. */
export async function readLatestState(
  tx: Tx | Kysely<unknown>,
  device: DeviceRef,
): Promise<{ at: Date; params: Record<string, unknown> } | null> {
  return (await readLatestStates(tx, device.accountId, [device.serial])).get(device.serial) ?? null;
}

/** Keys by serial; devices without a report are missing. */
export async function readLatestStates(
  tx: Tx | Kysely<unknown>,
  accountId: string,
  serials: readonly string[],
): Promise<Map<string, { at: Date; params: Record<string, unknown> }>> {
  if (serials.length === 0) return new Map();
  const { rows } = await sql<{ serial: string; at: Date; state: Buffer }>`
    select serial, at, state from device_latest
    where account_id = ${accountId} and serial = any(${[...serials]}::text[]) and state is not null
  `.execute(tx);
  return new Map(rows.map(({ serial, at, state }) => [serial, { at, params: paramsOf(state) }]));
}

function paramsOf(state: Buffer): Record<string, unknown> {
  const kept: unknown = JSON.parse(inflateSync(state, { maxOutputLength: deviceLimits.inflateBytes }).toString('utf8'));
  // a whole frame, or the parameters of a compressed one
  const params = isRecord(kept) && kept.method === 'state' ? kept.params : kept;
  return isRecord(params) ? params : {};
}
