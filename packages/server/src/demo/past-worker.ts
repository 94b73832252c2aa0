import { once } from 'node:events';
import { setPriority } from 'node:os';
import { isMainThread, parentPort, Worker } from 'node:worker_threads';
import { type FormerSsid, type PastDayOptions, pastDay } from '@yunxun/simulator';
import type pg from 'pg';
import { addDays, dayOf, startOfDay } from '../platform/calendar.ts';
import {
  addText,
  countDay,
  type DayText,
  noText,
  openPastWriter,
  type PastSite,
  type PastWriter,
} from '../telemetry/past/index.ts';

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

export interface PastNews {
  done: number;
  total: number;
}

const minute = 60_000;
/** Time with a report every five minutes: charts of 24 hours also show the 24 hours before. */
const lately = 49 * 60 * minute;
const nice = 10;

interface ShopDay {
  site: PastSite;
  day: PastDayOptions;
}

let stopping = false;
if (isMainThread) await run();
else parentPort!.on('message', async (one: ShopDay) => parentPort!.postMessage(await countShop(one)));

async function run(): Promise<void> {
  const [work] = (await once(process, 'message')) as [PastWork];
  const stop = () => {
    stopping = true;
  };
  process.on('message', stop);
  // the demo has ended
  process.on('disconnect', stop);
  // Ctrl-C reaches both processes: the demo decides
  process.on('SIGINT', () => undefined);
  setPriority(nice);
  const thread = new Worker(new URL(import.meta.url));
  const writer = await openPastWriter(work.connection, (error) => {
    if (!stopping) console.error(`The past lost its database and ends here: ${error.message}`);
    process.exit(1);
  });
  try {
    await writeDays(writer, work, thread);
  } finally {
    await writer.close();
    await thread.terminate();
    if (process.connected) process.disconnect();
  }
}

async function countShop({ site, day }: ShopDay): Promise<DayText> {
  const text = noText();
  const { rows } = await countDay(site, pastDay(day));
  addText(text, rows);
  return text;
}

async function countInThread(thread: Worker, one: ShopDay): Promise<DayText> {
  const answer = once(thread, 'message');
  thread.postMessage(one);
  const [text] = (await answer) as [DayText];
  for (const table of Object.keys(text) as (keyof DayText)[])
    text[table] = text[table].map(({ buffer, byteOffset, byteLength }) => Buffer.from(buffer, byteOffset, byteLength));
  return text;
}

async function countAll(shops: ShopDay[], thread: Worker): Promise<DayText> {
  const text = noText();
  const take = async (count: (one: ShopDay) => Promise<DayText>) => {
    for (let one = shops.pop(); one && !stopping; one = shops.pop()) {
      const counted = await count(one);
      for (const table of Object.keys(text) as (keyof DayText)[]) text[table].push(...counted[table]);
    }
  };
  await Promise.all([take(countShop), take((one) => countInThread(thread, one))]);
  return text;
}

/** Counts a day while the database writes the one after it; holds two days at most. */
async function writeDays(to: PastWriter, { zone, from, shops }: PastWork, thread: Worker): Promise<void> {
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
    const known = shops.filter(({ untilMs }) => untilMs > +start);
    const text = await countAll(
      known.map(({ accountId, plan, ssids, untilMs, lastMs }) => {
        const goesOn = +end > untilMs;
        const span = goesOn ? { fromMs: +start, untilMs, lastMs } : { fromMs: +start, untilMs: +end };
        const site = {
          accountId,
          fromMs: +start,
          goesOn,
          quarters: ago < to.quarterDays,
          ...equipment.get(accountId)!,
        };
        return { site, day: { ...plan, ssids, ...span, fineFromMs: liveMs - lately } };
      }),
      thread,
    );
    await written;
    if (stopping) break;
    const news: PastNews = { done: ago + 1, total: days.length };
    written = to.write({ day, zone, accountIds, now: new Date() }, text).then(() => tell(news));
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

function tell(news: PastNews): void {
  if (process.connected) process.send!(news);
}
