import type { Tx } from '../../platform/database/index.ts';
import { type AlarmSource, collector, type Observation } from '../alarms/index.ts';
import { deviceEvents } from '../fleet/index.ts';
import { sdwanNames } from './names.ts';
import { plannedChanges } from './planned-changes.ts';

type EventPeriod = Awaited<ReturnType<typeof deviceEvents.periods>>[number];

export const sdwanAlarms: AlarmSource<'sdwan_path_changed' | 'sdwan_down'> = {
  kinds: {
    sdwan_path_changed: {
      read: async (tx, accountId, { now, from }) => {
        const asked = { now, since: from, accountId };
        return pathChanges(tx, await deviceEvents.periods(tx, asked), asked);
      },
    },
    sdwan_down: null,
  },
  async read(tx, { now, endedSince, gateways, events, tracked }) {
    const found: Observation[] = [];
    const { observe } = collector(found);
    const names = await sdwanNames(
      tx,
      gateways.flatMap(({ sdwan }) => sdwan.map(({ id }) => id)),
    );
    const known = new Map<string, Set<string>>();
    for (const { sdwan, ...ref } of gateways) {
      const parts = new Set<string>();
      for (const { id, tunnels, up } of sdwan) {
        const name = names.get(id);
        if (name === undefined || tunnels === 0) continue;
        observe('sdwan_down', ref, name, up === 0);
        parts.add(name);
      }
      known.set(`${ref.accountId} ${ref.serial}`, parts);
    }
    // removed at the gateway: no problem any more
    for (const one of tracked('sdwan_down'))
      if (known.get(`${one.accountId} ${one.serial}`)?.has(one.part) === false)
        observe('sdwan_down', one, one.part, false);
    for (const { accountId, serial, part, since, ended } of await pathChanges(tx, events, {
      now,
      since: endedSince,
    }))
      found.push({ accountId, serial, kind: 'sdwan_path_changed', part, since, ended, isProblem: true, value: null });
    return found;
  },
};

/** Names SD-WAN networks; omits deleted ones, and changes that a restart by the console explains. */
async function pathChanges(
  tx: Tx,
  events: readonly EventPeriod[],
  asked: { now: Date; since: Date; accountId?: string },
): Promise<EventPeriod[]> {
  const changes = events.filter(({ event }) => event === 'sdwan_path');
  const names = await sdwanNames(
    tx,
    changes.map(({ part }) => part),
  );
  const named = (all: readonly EventPeriod[]) =>
    all.filter(({ event, part }) => event === 'sdwan_path' && names.has(part));
  const known = named(changes);
  if (known.length === 0) return [];
  const planned = await plannedChanges(tx, known, asked.now);
  const left = planned.length === 0 ? known : named(await deviceEvents.periods(tx, { ...asked, except: planned }));
  return left.map((change) => ({ ...change, part: names.get(change.part)! }));
}
