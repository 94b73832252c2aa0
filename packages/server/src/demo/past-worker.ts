import { setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { type FormerSsid, type PastDayOptions, pastDay } from '@yunxun/simulator';
import type pg from 'pg';
import { addDays, dayOf, startOfDay } from '../platform/calendar.ts';
import { addText, countDay, noText, openPastWriter, type PastWriter } from '../telemetry/past/index.ts';

/** A shop whose past ends where its live fleet began. */
export interface PastShop {
  accountId: string;
  plan: Omit<PastDayOptions, 'fromMs' | 'untilMs' | 'lastMs' | 'fineFromMs' | 'ssids'>;
  ssids: readonly FormerSsid[];
  /** End of its world, and date of its last reports, milliseconds. */
  untilMs: number;
  lastMs: number;
}

export interface PastWork {
  connection: pg.ClientConfig;
  zone: string;
  /** First day, `YYYY-MM-DD`. */
  from: string;
  shops: readonly PastShop[];
}

/** How many days are there. */
export interface PastNews {
  done: number;
  total: number;
}

const port = parentPort;
if (!port) throw new Error('this file is a worker');
const minute = 60_000;
/** Time with a report every five minutes: charts of 24 hours also show the 24 hours before. */
const lately = 49 * 60 * minute;
/** A thread has its own priority on Linux alone. */
const nice = 10;

let stopping = false;
port.on('message', () => {
  stopping = true;
});
if (process.platform === 'linux') setPriority(0, nice);
const work = workerData as PastWork;
const writer = await openPastWriter(work.connection);
try {
  await writeDays(writer, work);
} finally {
  await writer.close();
  port.close();
}

/** Counts a day while the database writes the one after it; holds two days at most. */
async function writeDays(to: PastWriter, { zone, from, shops }: PastWork): Promise<void> {
  const accountIds = [...new Set(shops.map(({ accountId }) => accountId))];
  const equipment = new Map(
    await Promise.all(accountIds.map(async (accountId) => [accountId, await to.equipment(accountId)] as const)),
  );
  const liveMs = Math.max(...shops.map(({ lastMs }) => lastMs));
  const days = daysBack(dayOf(new Date(liveMs), zone), from);
  const before = await to.until();
  let written: Promise<void> = Promise.resolve();
  for (const [ago, day] of days.entries()) {
    if (stopping) break;
    const [start, end] = [startOfDay(day, zone), startOfDay(addDays(day, 1), zone)];
    if (before && start >= before) continue;
    const text = noText();
    for (const shop of shops) {
      const { accountId, plan, ssids, untilMs, lastMs } = shop;
      const goesOn = +end > untilMs;
      if (stopping || untilMs <= +start) continue;
      const span = goesOn ? { fromMs: +start, untilMs, lastMs } : { fromMs: +start, untilMs: +end };
      const site = { accountId, fromMs: +start, goesOn, quarters: ago < to.quarterDays };
      const { rows } = await countDay(
        { ...site, ...equipment.get(accountId)! },
        pastDay({ ...plan, ssids, ...span, fineFromMs: liveMs - lately }),
      );
      addText(text, rows);
    }
    await written;
    if (stopping) break;
    const news: PastNews = { done: ago + 1, total: days.length };
    written = to.write({ day, zone, accountIds, now: new Date() }, text).then(() => port!.postMessage(news));
    // its error comes with the next await
    written.catch(() => undefined);
  }
  await written;
}

/** Both inclusive, newest first. */
function daysBack(newest: string, oldest: string): string[] {
  const days = [newest];
  while (days.at(-1)! > oldest) days.push(addDays(days.at(-1)!, -1));
  return days;
}
