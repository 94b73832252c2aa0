import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type Fleet, type PlaceKind, pastPace, startFleet, startGuests, type TunnelEnds } from '@yunxun/simulator';
import type { Started } from '../start.ts';
import type { Owner } from './accounts.ts';
import type { Call } from './call.ts';
import { knowledgeOf } from './guest-knowledge.ts';
import { canCapture, type Known, openGuestPage } from './guests.ts';
import type { MemoryFile } from './memory.ts';
import type { DemoPast } from './past.ts';
import { accounts, type DemoAccount } from './world.ts';

interface GuestSite {
  name: string;
  kind: PlaceKind;
  gwid: string;
  locale: DemoAccount['locale'];
  call: Call;
  fleet: Fleet;
}

/** Of a network, a minute. */
const guestsPerMinute = 6;

export interface Population {
  program: Started;
  dataDir: string;
  owners: readonly Owner[];
  /** Filled by shop. */
  fleets: Map<string, Fleet>;
  past: DemoPast;
  file: MemoryFile;
  stopping: AbortSignal;
}

/** Starts devices by network, after its history. */
export async function populate(parts: Population): Promise<void> {
  const { program, dataDir, owners, fleets, stopping } = parts;
  const { httpUrl: consoleUrl, showPreparing } = program;
  const sites: GuestSite[] = [];
  const tunnels: TunnelEnds = new Map();
  const past = parts.past.complete ? null : parts.past;
  if (past) console.log('The simulated networks come with 30 days of history: one after the other, in some minutes.');
  await past?.open();
  const total = accounts.reduce((sum, { shops }) => sum + shops.length, 0);
  if (past) showPreparing({ done: 0, total });
  for (const { account, accountId, bindingCode, call, gwids } of owners) {
    for (const { name, kind, aps, switches, models, peoplePerAp, ssids, edge = false } of account.shops) {
      const gateway = edge ? { gateways: 0, edges: 1 } : { gateways: 1 };
      const plan = { seed: name, kind, ...gateway, aps, switches, models, peoplePerAp, branded: true };
      const openness = ssids.map((ssid, index) => ({ name: ssid, open: index === 1 }));
      const gwid = gwids.get(name)!;
      const place = { consoleUrl, bindingCode, gwid, folder: join(dataDir, 'devices', name) };
      const enrolled = past && {
        enrolled: (devices: Fleet['devices']) => past.write({ ...plan, name, accountId, ssids: openness }, devices),
      };
      // clients continue; devices only report more often
      const fleet = await startFleet({ ...plan, ...place, ...enrolled, tunnels, speedUp: 4, pace: pastPace });
      fleets.set(name, fleet);
      if (edge) sites.push({ name, kind, gwid, locale: account.locale, call, fleet });
      if (past) showPreparing({ done: fleets.size, total });
      if (stopping.aborted) return;
    }
  }
  const devices = [...fleets.values()].reduce((sum, fleet) => sum + fleet.devices.length, 0);
  console.log(`${devices} simulated devices are on their way. Everything you see comes from them.`);
  const admitted = Promise.all(sites.map((site) => admitGuests(site, parts)));
  await past?.rollUp();
  await past?.stop();
  showPreparing(null);
  await admitted;
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

/** Waits for the gateway; null after an error, or when the demo ends. */
async function guestsOf(site: GuestSite, { memory, save }: MemoryFile, stopping: AbortSignal): Promise<Known | null> {
  const { name, gwid, call } = site;
  const { guests } = memory;
  try {
    while (!guests[name] && !stopping.aborted) {
      if (await canCapture(call, gwid)) guests[name] = await openGuestPage(call, gwid, site);
      else await pause(1000);
    }
    save();
  } catch (error) {
    if (!stopping.aborted) console.error(error);
  }
  return stopping.aborted ? null : (guests[name] ?? null);
}
