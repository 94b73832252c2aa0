import { simulatedCrash } from '@yunxun/simulator';
import { deviceOutages } from '../../features/fleet/index.ts';
import { startOfDay } from '../../platform/calendar.ts';
import type { Tx } from '../../platform/database/index.ts';
import { clientsBefore } from '../../telemetry/read/clients-before.ts';
import type { Owner } from '../accounts.ts';
import { zone } from '../memory.ts';
import { inThePast, type PastConsole } from '../past-console.ts';
import { beganAt, type Trouble, troublesOf } from '../troubles.ts';
import { plannedOf } from './sites.ts';
import type { DemoWorld, Story } from './story.ts';
import { until } from './waiting.ts';

interface OwnedTrouble extends Trouble {
  owner: Owner;
}

const evaluate = 'alarms-evaluate';
const second = 1000;
const minute = 60 * second;
const day = 24 * 60 * minute;
const noticedAfter = 5.5 * minute;

/**
 * Makes alarms of what went wrong in the simulated past, by the engine of alarms with its clock at that time: during
 * each outage, and after it. Newest first, as the past is written.
 */
export const incidents: Story = {
  name: 'incidents',
  async tell(world) {
    const now = beganAt(world.file);
    const all = world.owners.flatMap((owner) => ofOwner(world, owner, now));
    await until(world, async () => (await Promise.all(world.owners.map((owner) => isDrawn(owner)))).every(Boolean));
    await inThePast(world, async (past) => {
      for (const trouble of all.toSorted((a, b) => b.from.getTime() - a.from.getTime())) {
        await until(world, () => isWritten(world, trouble));
        await recordOutages(world, trouble);
        await live(past, trouble);
      }
    });
  },
};

const ofOwner = ({ fleets }: DemoWorld, owner: Owner, now: Date): OwnedTrouble[] =>
  owner.account.shops.flatMap((shop) => {
    const fleet = fleets.get(shop.name);
    const devices = fleet ? plannedOf(fleet) : [];
    return troublesOf(owner.account, shop, devices, now).map((trouble) => ({ ...trouble, owner }));
  });

/** The engine groups by topology, which needs a report of each device. */
async function isDrawn({ call, gwids }: Owner): Promise<boolean> {
  for (const gwid of gwids.values())
    for (const kind of ['ap', 'switch', 'gateway']) {
      const asked = { gwid, kind, page: 1, limit: 100 };
      const { list } = await call<{ list: { as_of: string | null }[] }>('/api/v3/ap/list', asked);
      if (list.some(({ as_of }) => as_of === null)) return false;
    }
  return true;
}

const inAccount = <T>({ program }: DemoWorld, { accountId }: Owner, work: (tx: Tx) => Promise<T>) =>
  program.database.withTenant({ accountId, userId: null, gwids: null }, work);

/** Clients are those of the last hour before. */
const isWritten = (world: DemoWorld, { owner, serials, from }: OwnedTrouble): Promise<boolean> =>
  inAccount(world, owner, async (tx) => {
    const found = await clientsBefore(tx, owner.accountId, serials, from);
    return found.size === serials.length;
  });

/** Devices come back some seconds after their power, one after the other. */
async function recordOutages(world: DemoWorld, { owner, kind, serials, from, until: to }: OwnedTrouble): Promise<void> {
  const outages = serials.map((serial, index) => ({
    serial,
    began: new Date(from.getTime() + index * second),
    ended: new Date(to.getTime() + (index === 0 ? 48 : 71 + 3 * index) * second),
    bootReason: kind === 'crash' ? 'crashlog' : 'coldboot',
  }));
  const known = owner.account.shops.flatMap(({ name }) => world.fleets.get(name)?.devices ?? []);
  const since = startOfDay(world.file.memory.past.from, zone);
  await inAccount(world, owner, (tx) =>
    deviceOutages.recordPast(tx, owner.accountId, { since, serials: known.map(({ serial }) => serial), outages }),
  );
}

async function live(past: PastConsole, { kind, serials, from, until: to, owner }: OwnedTrouble): Promise<void> {
  const evaluateAt = async (ms: number) => {
    past.at(new Date(ms));
    await past.run(evaluate);
  };
  const [began, ended] = [from.getTime(), to.getTime()];
  if (kind === 'crash') {
    const { method, params } = simulatedCrash(began);
    await past.message(owner.accountId, serials[0] ?? '', { method, params, at: to });
    await evaluateAt(ended + minute);
    await evaluateAt(ended + day + minute);
    return;
  }
  await evaluateAt(began + noticedAfter);
  if (kind === 'power') await acknowledge(past, owner);
  await evaluateAt(ended + 10 * minute);
}

const notes = {
  'zh-CN': '物业回复：配电房检修停电，恢复后再看。',
  en: 'Landlord says the breaker tripped. Electrician is on the way.',
};

async function acknowledge(past: PastConsole, owner: Owner): Promise<void> {
  const call = await past.as(owner);
  const { list } = await call<{ list: { id: string }[] }>('/api/v3/alarm/list', { state: 'firing' });
  if (list.length > 0)
    await call('/api/v3/alarm/acknowledge', { ids: list.map(({ id }) => id), note: notes[owner.account.locale] });
}
