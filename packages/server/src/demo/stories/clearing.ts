import { addDays } from '../../platform/calendar.ts';
import type { Call } from '../call.ts';
import { inThePast, type PastConsole } from '../past-console.ts';
import { beganAt } from '../troubles.ts';
import { localized } from './sites.ts';
import type { DemoWorld, Story } from './story.ts';

interface Moved {
  at: string;
  amount: string;
}

const [pageRows, pages] = [200, 20];
/** Ten-thousandths. */
const feeRate = 60;
const settledAtHour = 'T02:10:00Z';

/** The sandbox settles each day on the next one, less a fee; the newest settlement has not reached the bank. */
export const clearing: Story = {
  name: 'clearing',
  async tell(world) {
    await inThePast(world, (past) => settleDays(world, past));
  },
};

async function settleDays(world: DemoWorld, past: PastConsole): Promise<void> {
  const [owner] = world.owners;
  if (!owner) return;
  const call = await past.as(owner);
  const now = beganAt(world.file);
  const byDay = new Map<string, number>();
  for (const { at, amount } of await openMovements(call)) {
    const day = at.slice(0, 10);
    byDay.set(day, (byDay.get(day) ?? 0) + Math.round(Number(amount) * 100));
  }
  const days = [...byDay.keys()]
    .toSorted()
    .filter((day) => Date.parse(addDays(day, 1) + settledAtHour) < now.getTime());
  const [first] = days;
  if (first === undefined) return;
  past.at(new Date(first + settledAtHour));
  const reference = localized(owner, { zh: '期初自有资金', en: 'Opening balance, own money' });
  await call('/api/v3/install/clearing/arrival/create', { provider: null, day: first, reference, amount: '200' });
  for (const day of days) {
    world.stopping.throwIfAborted();
    await settle(past, call, day, byDay.get(day)!, day !== days.at(-1));
  }
}

async function openMovements(call: Call): Promise<Moved[]> {
  const found: Moved[] = [];
  for (let page = 1; page <= pages; page += 1) {
    const asked = { provider: 'sandbox', settled: false, page, limit: pageRows };
    const { list } = await call<{ list: Moved[] }>('/api/v3/install/clearing/movement/list', asked);
    found.push(...list);
    if (list.length < pageRows) break;
  }
  return found;
}

async function settle(past: PastConsole, call: Call, day: string, fen: number, arrives: boolean): Promise<void> {
  const feeFen = Math.round((Math.max(0, fen) * feeRate) / 10_000);
  const number = day.replaceAll('-', '');
  const paidOn = addDays(day, 1);
  past.at(new Date(paidOn + settledAtHour));
  const [provider, gross, fee] = ['sandbox', (fen / 100).toFixed(2), (feeFen / 100).toFixed(2)];
  const batch = { provider, number, day: paidOn, gross, fee, first_day: day, last_day: day };
  await call('/api/v3/install/clearing/payout/create', batch);
  if (!arrives || fen === feeFen) return;
  const amount = ((fen - feeFen) / 100).toFixed(2);
  const arrival = { provider, payout: number, day: paidOn, reference: `SB${number}`, amount };
  await call('/api/v3/install/clearing/arrival/create', arrival);
}
