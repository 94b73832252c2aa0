import { Worker } from 'node:worker_threads';
import { isRecord } from '@yunxun/contract/device';
import { Gauge } from 'prom-client';
import type { Bus } from '../../platform/bus/index.ts';
import type { Database } from '../../platform/database/index.ts';
import type { Log } from '../../platform/log.ts';
import type { Metrics } from '../../platform/metrics.ts';
import type { Storage } from '../../platform/storage.ts';
import type { DeviceRef } from '../../uplink/ports.ts';
import type { ReportSink, StateOutcome } from '../../uplink/session-context.ts';
import { terminalEventOf } from '../extract/events.ts';
import { createClientFacts } from './client-facts.ts';
import type { FromWorker, Head, Result, SessionKey, ToWorker, WorkerData } from './messages.ts';
import { ingestMetrics } from './metrics.ts';
import { Queue, type Waiting } from './queue.ts';

export interface IngestOptions {
  database: Pick<Database, 'systemConnection'>;
  worker: string;
  metrics: Metrics;
  log: Log;
  /** Missing: space is assumed. */
  storage?: Pick<Storage, 'isFull' | 'databaseHasCapacity'>;
  bus?: Pick<Bus, 'publish'>;
}

/** Promises settle on commit. */
export interface Ingest extends Pick<ReportSink, 'prepare' | 'state' | 'event'> {
  /** Resolves after `timeout` milliseconds at the latest: large installations write totals rarely. */
  complete(accountId: string, sessions: readonly SessionKey[], timeout: number): Promise<void>;
  /** Resolves when all items and session totals are written. */
  drain(): Promise<void>;
  /** Milliseconds; the rest is shed. */
  stop(timeout?: number): Promise<void>;
  /** Simulates a crash. */
  terminate(): Promise<void>;
}

const credits = 600;
const perPost = 100;
/** Reports outlive several minor collections, which would copy them. */
const resourceLimits = { maxYoungGenerationSizeMb: 192 };
/** An item present at this many crashes may cause them. */
const maxTries = 20;
const restartAfter = 200;

/** Runs a worker thread from the first device on. If it dies, the next gets the unacknowledged items. */
export function createIngest({ database, worker: file, metrics: registry, log, storage, bus }: IngestOptions): Ingest {
  const queue = new Queue();
  const posted = new Map<number, Waiting>();
  const idle: (() => void)[] = [];
  const flushes: (() => void)[] = [];
  const completions = new Map<number, () => void>();
  const tried = new WeakMap<Waiting, number>();
  const metrics = ingestMetrics(registry);
  const facts = bus && createClientFacts(bus);
  const gauge = (name: string, help: string, value: () => number) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        this.set(value());
      },
    });
  gauge('yunxun_telemetry_queue_messages', 'Reports and events that wait for the ingest thread', () => queue.size);
  gauge('yunxun_telemetry_queue_bytes', 'Bytes of them', () => queue.bytes);
  gauge('yunxun_telemetry_inflight_messages', 'Reports and events with the ingest thread', () => posted.size);
  let thread: Worker | null = null;
  let lastId = 0;
  let pumping = false;
  let restarting = false;
  let stopped = false;

  function put(
    ref: DeviceRef,
    of: { epoch: number; at: Date; upstream?: readonly string[] },
    what: Pick<Waiting, 'frame' | 'event'>,
  ): Promise<StateOutcome> {
    if (stopped) return Promise.resolve({ outcome: 'shed' });
    if (storage?.isFull()) {
      metrics.refused.inc();
      return Promise.resolve({ outcome: 'shed' });
    }
    return new Promise((settle) => {
      lastId = (lastId % 2_147_483_647) + 1;
      const { accountId, serial } = ref;
      const shed = queue.put({
        id: lastId,
        accountId,
        serial,
        epoch: of.epoch,
        at: of.at.getTime(),
        ...what,
        upstream: of.upstream ?? [],
        settle,
      });
      for (const one of shed) {
        metrics.shed.inc();
        one.settle({ outcome: 'shed' });
      }
      pump();
    });
  }

  /** Posts the items of one event loop turn together. */
  function pump(): void {
    if (pumping || restarting) return;
    pumping = true;
    setImmediate(() => {
      pumping = false;
      if (stopped || restarting) return;
      while (queue.size > 0 && posted.size < credits) {
        const taken = queue.take(Math.min(perPost, credits - posted.size));
        for (const one of taken) posted.set(one.id, one);
        post(taken);
      }
    });
  }

  function post(taken: readonly Waiting[]): void {
    const frames = new Uint8Array(taken.reduce((sum, { frame }) => sum + (frame?.length ?? 0), 0));
    let offset = 0;
    const heads = taken.map(({ id, accountId, serial, epoch, at, frame, event, upstream }): Head => {
      if (frame) frames.set(frame, offset);
      offset += frame?.length ?? 0;
      return { id, accountId, serial, epoch, at, bytes: frame?.length ?? 0, event, upstream };
    });
    const message: ToWorker = { type: 'work', heads, frames };
    running().postMessage(message, [frames.buffer]);
  }

  function running(): Worker {
    if (thread) return thread;
    const workerData: WorkerData = { connection: database.systemConnection };
    const started = new Worker(file, { workerData, name: 'ingest', resourceLimits });
    thread = started;
    started.on('message', (message: FromWorker) => {
      if (thread === started) hear(message);
    });
    started.on('error', (error) => log.error({ err: error }, 'ingest thread failed'));
    started.on('exit', () => {
      if (thread !== started) return;
      thread = null;
      // the next thread checks again
      storage?.databaseHasCapacity(true);
      for (const done of [...flushes.splice(0), ...completions.values()]) done();
      if (stopped) return;
      metrics.restarts.inc();
      restarting = true;
      setTimeout(again, restartAfter).unref();
    });
    return started;
  }

  /** Restarts; the next thread recognises committed items. */
  function again(): void {
    restarting = false;
    if (stopped) return;
    for (const one of posted.values()) {
      const tries = (tried.get(one) ?? 0) + 1;
      tried.set(one, tries);
      if (tries <= maxTries) continue;
      posted.delete(one.id);
      log.error({ serial: one.serial }, 'report given up: the ingest thread ended too often with it');
      one.settle({ outcome: 'refused', inflated: 0 });
    }
    const all = [...posted.values()];
    for (let at = 0; at < all.length; at += perPost) post(all.slice(at, at + perPost));
    pump();
  }

  function hear(message: FromWorker): void {
    if (message.type === 'completed') completions.get(message.id)?.();
    if (message.type === 'flushed') flushes.shift()?.();
    if (message.type === 'memory')
      for (const [kind, bytes] of Object.entries(message.held)) metrics.held.set({ kind }, bytes);
    if (message.type === 'clients') facts?.changed(message.networks);
    if (message.type === 'room') storage?.databaseHasCapacity(message.enough);
    if (message.type === 'log') log[message.level](message.fields, message.text);
    if (message.type !== 'done') return;
    if (message.clamped > 0) metrics.clamped.inc(message.clamped);
    if (message.batch) {
      metrics.seconds.observe(message.batch.seconds);
      for (const [stage, seconds] of Object.entries(message.batch.stages)) metrics.stages.inc({ stage }, seconds);
      metrics.messages.observe(message.results.length);
    }
    for (const result of message.results) settle(result);
    if (queue.size > 0) pump();
    else if (posted.size === 0) for (const done of idle.splice(0)) done();
  }

  function settle({ id, ...result }: Result): void {
    const waiting = posted.get(id);
    if (!waiting) return;
    posted.delete(id);
    waiting.settle(result);
  }

  async function drain(): Promise<void> {
    do {
      while (queue.size + posted.size > 0) await new Promise<void>((resolve) => idle.push(resolve));
      await flush();
    } while (queue.size + posted.size > 0);
  }

  function complete(accountId: string, sessions: readonly SessionKey[], timeout: number): Promise<void> {
    return new Promise((resolve) => {
      if (!thread || sessions.length === 0) return resolve();
      lastId = (lastId % 2_147_483_647) + 1;
      const id = lastId;
      const done = () => {
        clearTimeout(timer);
        completions.delete(id);
        resolve();
      };
      const timer = setTimeout(done, timeout);
      completions.set(id, done);
      thread.postMessage({ type: 'complete', id, accountId, sessions } satisfies ToWorker);
    });
  }

  function flush(): Promise<void> {
    return new Promise((resolve) => {
      if (!thread) return resolve();
      flushes.push(resolve);
      thread.postMessage({ type: 'flush' } satisfies ToWorker);
    });
  }

  return {
    prepare() {
      if (!stopped && !restarting) running();
    },
    state: (ref, frame, of) => put(ref, of, { frame, event: null }),
    event(ref, params, of) {
      const event = isRecord(params) ? terminalEventOf(params) : null;
      return event ? put(ref, of, { frame: null, event }).then(() => undefined) : null;
    },
    complete,
    drain,
    async stop(timeout = 5000) {
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, timeout);
      });
      await Promise.race([drain(), late]);
      clearTimeout(timer);
      stopped = true;
      facts?.stop();
      for (const one of [...posted.values(), ...queue.take(queue.size)]) one.settle({ outcome: 'shed' });
      posted.clear();
      const last = thread;
      if (!last) return;
      const ended = new Promise((resolve) => last.once('exit', resolve));
      last.postMessage({ type: 'stop' } satisfies ToWorker);
      const cut = setTimeout(() => void last.terminate(), 2000);
      await ended;
      clearTimeout(cut);
    },
    async terminate() {
      await thread?.terminate();
    },
  };
}
