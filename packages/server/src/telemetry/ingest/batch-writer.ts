import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { sessionKey } from './associations.ts';
import { applyItems, type Item } from './batch.ts';
import { countPendingClients } from './client-counts.ts';
import { locateClients } from './client-places.ts';
import type { Session } from './client-session.ts';
import { type Device, Devices, keyOf } from './devices.ts';
import { excludeEquipment } from './equipment.ts';
import { dateEvent } from './event-time.ts';
import type { FromWorker, Result, SessionKey, Stages } from './messages.ts';
import { makeStaging } from './rows/staging.ts';
import { nothingWritten } from './rows/written.ts';
import { type EventKey, ensureDays, knownSessions, WriteConflict, writeBatch } from './writer.ts';

const batchSize = 500;
/** Below this, all raw reports are written. */
const smallBatch = 50;
/** Above this, totals are written every 15 minutes. */
const fewDevices = 500;
/** Milliseconds of silence before totals are written. */
const quietAfter = 120_000;
/** Milliseconds. */
const countEvery = 5000;
const retryAfter = 500;

export interface BatchWriterOptions {
  connection: pg.ClientConfig;
  say(message: FromWorker): void;
  log(level: 'info' | 'warn' | 'error', text: string, fields?: Record<string, unknown>): void;
}

const noTime = (): Stages => ({ parse: 0, load: 0, count: 0, copy: 0, write: 0, commit: 0 });

/** Acknowledges a batch after its transaction. Drops a refused item alone; waits while the database is unreachable. */
export function createBatchWriter({ connection, say, log }: BatchWriterOptions) {
  const devices = new Devices();
  const made = new Set<string>();
  const waiting: Item[] = [];
  const flushes: { before: number; done: () => void }[] = [];
  const completions: { sessions: ReadonlyMap<Device, ReadonlySet<Session>>; done: () => void }[] = [];
  let running: Promise<void> | null = Promise.resolve().then(connected).then(run, run);
  let db: pg.Client | null = null;
  let stopped = false;
  let changed = false;
  let countDue = false;
  let parse = 0;
  let hasCapacity = true;

  async function connected(): Promise<pg.Client> {
    if (db) return db;
    const client = new pg.Client({ ...connection, application_name: 'yunxun_ingest' });
    client.on('error', () => {
      if (db === client) db = null;
    });
    client.on('end', () => {
      if (db === client) db = null;
    });
    try {
      await client.connect();
      await makeStaging(client);
    } catch (error) {
      await client.end().catch(() => undefined);
      throw error;
    }
    db = client;
    return client;
  }

  async function run(): Promise<void> {
    while ((waiting.length > 0 || flushes.length > 0 || completions.length > 0 || countDue) && !stopped) {
      // a person waits for them
      if (completions.length > 0) await completeFirst();
      const items = waiting.splice(0, batchSize);
      if (items.length > 0) await settle(items, items.length <= smallBatch);
      else if (flushes.length > 0) await flush();
      else if (countDue) await count();
    }
    running = null;
  }

  async function flush(): Promise<void> {
    const asked = flushes.splice(0);
    const behind = devices.behind(Math.max(...asked.map(({ before }) => before)));
    for (let at = 0; at < behind.length && !stopped; at += batchSize)
      await settle([], false, behind.slice(at, at + batchSize));
    for (const { done } of asked) done();
  }

  async function completeFirst(): Promise<void> {
    const asked = completions.splice(0);
    const only = new Map<Device, Set<Session>>();
    for (const { sessions } of asked) {
      for (const [device, own] of sessions) {
        // unless another process or newer session took over
        if (devices.get(keyOf(device)) === device) only.set(device, new Set([...(only.get(device) ?? []), ...own]));
      }
    }
    if (only.size > 0) await settle([], false, [...only.keys()], only);
    for (const { done } of asked) done();
  }

  /** Runs sooner than the background worker. */
  async function count(): Promise<void> {
    countDue = false;
    changed = false;
    try {
      changed = await countPendingClients(await connected());
    } catch (error) {
      log('warn', 'who is there not counted yet', { reason: String(error) });
    }
  }

  function sayCapacity(enough: boolean): void {
    if (enough === hasCapacity) return;
    hasCapacity = enough;
    say({ type: 'room', enough });
  }

  async function settle(
    items: readonly Item[],
    whole: boolean,
    behind: readonly Device[] = [],
    only: ReadonlyMap<Device, ReadonlySet<Session>> | null = null,
  ): Promise<void> {
    let remade = false;
    while (!stopped) {
      try {
        await attempt(items, whole, behind, only);
        sayCapacity(true);
        return;
      } catch (error) {
        for (const one of [...items, ...behind]) devices.forget(keyOf(one));
        // the next report continues from the written totals
        if (behind.length > 0) return;
        if (error instanceof WriteConflict) continue;
        if (!isRefusal(error)) {
          if (isDiskFull(error)) sayCapacity(false);
          log('error', 'reports not written yet', { reason: String(error), reports: items.length });
          await db?.end().catch(() => undefined);
          db = null;
          await delay(retryAfter);
        } else if (isCheck(error) && !remade) {
          // a partition was dropped
          made.clear();
          remade = true;
        } else if (items.length > 1) {
          await settle(items.slice(0, items.length >> 1), whole);
          await settle(items.slice(items.length >> 1), whole);
          return;
        } else {
          const [{ id, serial, inflated }] = items as readonly [Item];
          log('error', 'report refused by the database', { serial, reason: String(error) });
          say({ type: 'done', results: [{ id, inflated, outcome: 'refused' }], clamped: 0, batch: null });
          return;
        }
      }
    }
  }

  async function attempt(
    items: readonly Item[],
    whole: boolean,
    behind: readonly Device[],
    only: ReadonlyMap<Device, ReadonlySet<Session>> | null,
  ): Promise<void> {
    const began = performance.now();
    const stages = noTime();
    const clock = async <T>(stage: keyof Stages, work: () => Promise<T> | T): Promise<T> => {
      const start = performance.now();
      try {
        return await work();
      } finally {
        stages[stage] += (performance.now() - start) / 1000;
      }
    };
    const client = await connected();
    const [clients, loaded, known] = await clock('load', async () => {
      const { clients: left, nearby } = await excludeEquipment(client, items);
      const found = await devices.load(client, left);
      const located = await locateClients(client, left, found, nearby);
      return [located, found, await knownSessions(client, reportedBy(left, found))] as const;
    });
    const out = nothingWritten();
    await clock('count', () => {
      const pace = { whole, sessionEvery: devices.size <= fewDevices ? 60_000 : 900_000 };
      for (const [device, own] of byDevice(loaded, clients))
        applyItems(device, own, pace, ({ id }) => known.get(id) ?? null, out);
      for (const device of behind) applyItems(device, [], pace, () => null, out, only?.get(device) ?? null);
    });
    if (out.days.size > 0) await clock('write', () => ensureDays(client, out.days, made));
    const written = await writeBatch(client, out.rows, clock);
    const gone = new Set(written.gone.map(keyOf));
    if (written.changed.length > 0) say({ type: 'clients', networks: written.changed });
    changed ||= out.rows.in_session.some(([endedAt, , fresh]) => endedAt !== null || fresh);
    for (const device of [...loaded.values(), ...behind]) {
      const key = keyOf(device);
      if (gone.has(key)) devices.forget(key);
      else {
        device.committedAt = device.known?.at ?? null;
        if (!only) device.heardAt = began;
        devices.keep(device);
      }
    }
    stages.parse = parse;
    parse = 0;
    const results = items.map((item): Result => {
      const { id, inflated, report } = item;
      return gone.has(keyOf(item))
        ? { id, inflated, outcome: 'refused' }
        : { id, inflated, outcome: 'committed', digest: report?.digest ?? null };
    });
    say({
      type: 'done',
      results,
      clamped: out.clamped,
      batch: { seconds: (performance.now() - began) / 1000, stages },
    });
  }

  function writeBehind(before: number): Promise<void> {
    return new Promise((done) => {
      flushes.push({ before, done });
      running ??= Promise.resolve().then(run);
    });
  }

  // disconnected devices trigger no write
  const quiet = setInterval(() => void writeBehind(performance.now() - quietAfter), quietAfter / 4);

  const counting = setInterval(() => {
    if (!changed) return;
    countDue = true;
    running ??= Promise.resolve().then(run);
  }, countEvery);

  return {
    take(item: Item): void {
      waiting.push(item);
      running ??= Promise.resolve().then(run);
    },
    flush: () => writeBehind(Number.POSITIVE_INFINITY),
    complete(accountId: string, keys: readonly SessionKey[]): Promise<void> {
      const sessions = new Map<Device, Set<Session>>();
      for (const { serial, mac, bssid } of keys) {
        const device = devices.get(keyOf({ accountId, serial }));
        const session = device?.presence.open.get(sessionKey(mac, bssid));
        if (!device || !session || !device.presence.touched.has(session)) continue;
        const own = sessions.get(device);
        if (own) own.add(session);
        else sessions.set(device, new Set([session]));
      }
      if (sessions.size === 0 || stopped) return Promise.resolve();
      return new Promise((done) => {
        completions.push({ sessions, done });
        running ??= Promise.resolve().then(run);
      });
    },
    spent(seconds: number): void {
      parse += seconds;
    },
    async stop(): Promise<void> {
      stopped = true;
      clearInterval(quiet);
      clearInterval(counting);
      await running;
      for (const { done } of [...flushes.splice(0), ...completions.splice(0)]) done();
      await db?.end().catch(() => undefined);
    },
  };
}

function byDevice(loaded: ReadonlyMap<string, Device>, items: readonly Item[]): Map<Device, Item[]> {
  const groups = new Map<Device, Item[]>();
  for (const item of items) {
    const device = loaded.get(keyOf(item))!;
    const own = groups.get(device);
    if (own) own.push(item);
    else groups.set(device, [item]);
  }
  return groups;
}

function reportedBy(items: readonly Item[], devices: ReadonlyMap<string, Device>): EventKey[] {
  return items.flatMap(({ id, accountId, serial, event, at }) => {
    if (!event) return [];
    const { mac, bssid, connectedS } = event;
    const to = dateEvent(event.seconds, at, devices.get(keyOf({ accountId, serial }))!).at;
    const joins = event.type === 'join';
    const from = joins ? to : to - Math.min(connectedS ?? 0, 400 * 86_400) * 1000;
    return [{ id, accountId, serial, mac, bssid, joins, from: new Date(from), to: new Date(to) }];
  });
}

/** Detects a missing partition or other check (SQLSTATE 23514). */
function isCheck(error: unknown): boolean {
  return (error as { code?: string }).code === '23514';
}

/** SQLSTATE 53100. */
function isDiskFull(error: unknown): boolean {
  return (error as { code?: string }).code === '53100';
}

/** Detects SQLSTATE classes 22 and 23, and our own error: retries are useless. */
function isRefusal(error: unknown): boolean {
  if (error instanceof TypeError || error instanceof RangeError) return true;
  return /^2[23]/.test((error as { code?: string }).code ?? '');
}
