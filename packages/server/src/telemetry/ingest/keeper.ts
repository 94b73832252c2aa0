import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { applyItems, type Item, truthful, type Written } from './batch.ts';
import { type Device, Devices, keyOf } from './devices.ts';
import type { FromWorker, Result, Stages } from './messages.ts';
import { makeStaging } from './staging.ts';
import { countInPassing } from './who.ts';
import { knownSessions, makeDays, Overtaken, type Told, writeBatch } from './writer.ts';

/** At most so many items make a batch. */
const batchSize = 500;
/** A batch up to this size is a house with little to do: reports are written whole. */
const smallBatch = 50;
/** Up to so many devices, running totals of sessions are written every minute, else every quarter of an hour. */
const fewDevices = 500;
/** Totals of a device that was not heard for so long are written, milliseconds. */
const quietAfter = 120_000;
/** Who came and went is counted for readers this often, where nothing waits; milliseconds. */
const countEvery = 5000;
/** A database that is away is asked again after this, milliseconds. */
const retryAfter = 500;

export interface KeeperOptions {
  connection: pg.ClientConfig;
  say(message: FromWorker): void;
  log(level: 'info' | 'warn' | 'error', text: string, fields?: Record<string, unknown>): void;
}

const noTime = (): Stages => ({ parse: 0, load: 0, count: 0, copy: 0, write: 0, commit: 0 });

/**
 * Writes what is read in batches, one transaction each, on a connection of its own. Whatever came while one was under way
 * makes the next. What is told as committed is; what the database refuses is lost alone; when it is away, all waits.
 */
export function createKeeper({ connection, say, log }: KeeperOptions) {
  const devices = new Devices();
  const made = new Set<string>();
  const waiting: Item[] = [];
  const flushes: { before: number; done: () => void }[] = [];
  // the first report finds a connection
  let running: Promise<void> | null = Promise.resolve().then(connected).then(run, run);
  let db: pg.Client | null = null;
  let stopped = false;
  let changed = false;
  let countDue = false;
  let parse = 0;

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
    while ((waiting.length > 0 || flushes.length > 0 || countDue) && !stopped) {
      const items = waiting.splice(0, batchSize);
      if (items.length > 0) await settle(items, items.length <= smallBatch);
      else if (flushes.length > 0) await flush();
      else await count();
    }
    running = null;
  }

  /** Writes the running totals that wait for their time, of so many devices at a time. */
  async function flush(): Promise<void> {
    const asked = flushes.splice(0);
    const behind = devices.behind(Math.max(...asked.map(({ before }) => before)));
    for (let at = 0; at < behind.length && !stopped; at += batchSize)
      await settle([], false, behind.slice(at, at + batchSize));
    for (const { done } of asked) done();
  }

  /** Counts who came and went, so that readers need not look at them; the worker counts too, only later. */
  async function count(): Promise<void> {
    countDue = false;
    changed = false;
    try {
      changed = await countInPassing(await connected());
    } catch (error) {
      log('warn', 'who is there not counted yet', { reason: String(error) });
    }
  }

  /** Writes items until they are committed or refused. */
  async function settle(items: readonly Item[], whole: boolean, behind: readonly Device[] = []): Promise<void> {
    let remade = false;
    while (!stopped) {
      try {
        await attempt(items, whole, behind);
        return;
      } catch (error) {
        for (const one of [...items, ...behind]) devices.forget(keyOf(one));
        // totals that could not be written are counted on from the last ones that were
        if (behind.length > 0) return;
        if (error instanceof Overtaken) continue;
        if (!isRefusal(error)) {
          log('error', 'reports not written yet', { reason: String(error), reports: items.length });
          await db?.end().catch(() => undefined);
          db = null;
          await delay(retryAfter);
        } else if (isCheck(error) && !remade) {
          // a day that was dropped since it was made
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

  async function attempt(items: readonly Item[], whole: boolean, behind: readonly Device[]): Promise<void> {
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
    const [loaded, known] = await clock(
      'load',
      async () => [await devices.load(client, items), await knownSessions(client, toldBy(items))] as const,
    );
    const out: Written = {
      rows: { in_device: [], in_sample: [], in_session: [], in_share: [] },
      clamped: 0,
      days: new Set(),
    };
    await clock('count', () => {
      const pace = { whole, sessionEvery: devices.size <= fewDevices ? 60_000 : 900_000 };
      for (const [device, own] of byDevice(loaded, items))
        applyItems(device, own, pace, ({ id }) => known.get(id) ?? null, out);
      for (const device of behind) applyItems(device, [], pace, () => null, out);
    });
    if (out.days.size > 0) await clock('write', () => makeDays(client, out.days, made));
    const gone = new Set((await writeBatch(client, out.rows, clock)).map(keyOf));
    changed ||= out.rows.in_session.some(([endedAt, , fresh]) => endedAt !== null || fresh);
    for (const device of [...loaded.values(), ...behind]) {
      const key = keyOf(device);
      if (gone.has(key)) devices.forget(key);
      else {
        device.committedAt = device.known?.at ?? null;
        device.heardAt = began;
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

  // of a device that has gone, nothing more would come to write its totals with
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
    /** Until the running totals of sessions are written, also those that wait for their time. */
    flush: () => writeBehind(Number.POSITIVE_INFINITY),
    /** Seconds spent on reading what is taken. */
    spent(seconds: number): void {
      parse += seconds;
    },
    /** Ends without writing what waits: nobody was told that it is. */
    async stop(): Promise<void> {
      stopped = true;
      clearInterval(quiet);
      clearInterval(counting);
      await running;
      for (const { done } of flushes.splice(0)) done();
      await db?.end().catch(() => undefined);
    },
  };
}

/** The items of each device, in their order. */
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

/** What the items tell of sessions, so that the history can be asked for it. */
function toldBy(items: readonly Item[]): Told[] {
  return items.flatMap(({ id, accountId, serial, event, at }) => {
    if (!event) return [];
    const { mac, bssid, connectedS } = event;
    const to = truthful(event.seconds, at);
    const joins = event.type === 'join';
    const from = joins ? to : to - Math.min(connectedS ?? 0, 400 * 86_400) * 1000;
    return [{ id, accountId, serial, mac, bssid, joins, from: new Date(from), to: new Date(to) }];
  });
}

/** Whether a row has no partition, or breaks another check (SQLSTATE 23514). */
function isCheck(error: unknown): boolean {
  return (error as { code?: string }).code === '23514';
}

/** Whether the data itself is refused, by the database (SQLSTATE classes 22 and 23) or by us: trying again would change nothing. */
function isRefusal(error: unknown): boolean {
  if (error instanceof TypeError || error instanceof RangeError) return true;
  return /^2[23]/.test((error as { code?: string }).code ?? '');
}
