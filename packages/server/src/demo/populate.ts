import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import {
  type Fleet,
  type FleetOptions,
  type FormerSsid,
  pastMoment,
  pastPace,
  plannedDevices,
  startFleet,
  startGuests,
  type TunnelEnds,
} from '@yunxun/simulator';
import { dayOf, startOfDay } from '../platform/calendar.ts';
import type { Started } from '../start.ts';
import type { Owner } from './accounts.ts';
import { type GuestPlace, knowledgeOf } from './guest-knowledge.ts';
import { canCapture, guestVlan, type Known, openGuestPage } from './guests.ts';
import { type MemoryFile, pastDays, zone } from './memory.ts';
import { writePast } from './past.ts';
import type { PastShop } from './past-worker.ts';
import { beganAt, outagesOf, troublesOf } from './troubles.ts';
import type { DemoAccount, DemoShop } from './world.ts';

/** Of a network, a minute. */
const guestsPerMinute = 2;
/** Milliseconds between the starts of two shops. */
const stagger = 1500;
const minute = 60_000;
const tunnels: TunnelEnds = new Map();
/** Milliseconds after the first reports: rates need two of them. */
const reportsAgain = [12_000, 30_000];

export interface Population {
  program: Started;
  dataDir: string;
  owners: readonly Owner[];
  fleets: Map<string, Fleet>;
  file: MemoryFile;
  stopping: AbortSignal;
}

interface Place {
  shop: DemoShop;
  owner: Owner;
  gwid: string;
}

/** Starts the devices of all shops, then their guests; writes the past behind. Resolves when all devices were started. */
export async function populate(parts: Population): Promise<{ past: Promise<void> }> {
  const { program, owners, fleets, file, stopping } = parts;
  const { past } = file.memory;
  const began = performance.now();
  const places = owners.flatMap((owner) =>
    owner.account.shops.map((shop): Place => ({ shop, owner, gwid: owner.gwids.get(shop.name)! })),
  );
  if (!past.complete) program.showPreparing({ done: 0, total: pastDays });
  await Promise.all(places.map((place, index) => pause(index * stagger).then(() => startShop(place, parts))));
  if (stopping.aborted) return { past: Promise.resolve() };
  const devices = [...fleets.values()].reduce((sum, fleet) => sum + fleet.devices.length, 0);
  const seconds = Math.round((performance.now() - began) / 1000);
  console.log(`${devices} simulated devices are on their way, after ${seconds} s. Everything you see comes from them.`);
  for (const { shop, owner, gwid } of places.filter(({ shop }) => shop.edge || shop.gates)) {
    const site = {
      name: shop.name,
      kind: shop.kind,
      ...(shop.gates ? { ssid: shop.ssids[1] } : {}),
      gwid,
      locale: owner.account.locale,
      call: owner.call,
      fleet: fleets.get(shop.name)!,
    };
    void admitGuests(site, parts);
  }
  if (past.complete) return { past: Promise.resolve() };
  const written = writePast(
    places.map((place) => pastOf(place, file)),
    parts,
  ).finally(() => program.showPreparing(null));
  return { past: written };
}

/** Goes on with the people of its past at its first start. */
async function startShop({ shop, owner, gwid }: Place, { program, dataDir, fleets, file, stopping }: Population) {
  if (stopping.aborted) return;
  const { name } = shop;
  const { ends } = file.memory.past;
  const [plan, former] = [planOf(shop, owner, file), ssidsOf(shop, file)];
  const folder = join(dataDir, 'devices', name);
  const { httpUrl: consoleUrl, devicePort } = program;
  const place = { consoleUrl, devicePort, bindingCode: owner.bindingCode, gwid, folder, signal: stopping };
  const start = (more: Partial<FleetOptions>) =>
    startFleet({ ...plan, ...place, pace: pastPace, tunnels, former, ...more });
  const keep = (fleet: Fleet) => {
    fleets.set(name, fleet);
    for (const after of reportsAgain)
      setTimeout(() => {
        if (!stopping.aborted) fleet.report();
      }, after).unref();
  };
  if (ends[name]) {
    keep(await start({ ranOn: true }));
    return;
  }
  const untilMs = Math.floor(Date.now() / minute) * minute;
  const fromMs = startOfDay(dayOf(new Date(untilMs), zone), zone).getTime();
  const moment = pastMoment({ ...plan, ssids: former, fromMs, untilMs });
  ends[name] = { untilMs, lastMs: untilMs };
  file.save();
  const fleet = await start({ moment });
  ends[name] = { untilMs, lastMs: fleet.sinceMs - 1000 };
  file.save();
  keep(fleet);
}

function planOf(shop: DemoShop, { account }: Owner, file: MemoryFile) {
  const { name, kind, leastShare, edge, aps, switches, models, peoplePerAp } = shop;
  const router = edge ? { gateways: 0, edges: 1 } : { gateways: 1, edges: 0 };
  const people = { kind, leastShare, peoplePerAp, hoursEast: 8 };
  const plan = { seed: name, ...people, ...router, aps, switches, models, branded: true };
  return { ...plan, outages: outagesOf(troublesOf(account, shop, plannedDevices(plan), beganAt(file))) };
}

function ssidsOf({ name, ssids: [staff, guest] }: DemoShop, { memory }: MemoryFile): FormerSsid[] {
  return [
    { name: staff, key: memory.keys[name]!, vlan: null },
    { name: guest, key: null, vlan: guestVlan },
  ];
}

function pastOf({ shop, owner }: Place, file: MemoryFile): PastShop {
  const { accountId } = owner;
  return {
    accountId,
    plan: planOf(shop, owner, file),
    ssids: ssidsOf(shop, file),
    ...file.memory.past.ends[shop.name]!,
  };
}

interface GuestSite extends GuestPlace {
  ssid?: string;
  locale: DemoAccount['locale'];
  fleet: Fleet;
}

async function admitGuests(site: GuestSite, { program, dataDir, file, stopping }: Population): Promise<void> {
  // a taken default port serves no guests
  if (program.portalPort === 0) return;
  const known = await guestsOf(site, file, stopping);
  if (!known) return;
  const end = startGuests(site.fleet, {
    ...knowledgeOf(site, { known, dataDir, memory: file.memory }),
    perMinute: guestsPerMinute,
    language: site.locale,
    log: console.log,
  });
  stopping.addEventListener('abort', end);
}

/** Waits for the devices; null after an error, or when the demo ends. */
async function guestsOf(site: GuestSite, { memory, save }: MemoryFile, stopping: AbortSignal): Promise<Known | null> {
  const { name, gwid, call, ssid } = site;
  const { guests } = memory;
  try {
    while (!guests[name] && !stopping.aborted) {
      if (await canCapture(call, gwid, ssid)) guests[name] = await openGuestPage(call, gwid, site);
      else await pause(1000);
    }
    save();
  } catch (error) {
    if (!stopping.aborted) console.error(error);
  }
  return stopping.aborted ? null : (guests[name] ?? null);
}
