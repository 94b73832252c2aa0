import { type Actor, type AlarmLevel, alarmLevels, allows, map as contract, type DataOf } from '@yunxun/contract';
import type { Clock } from '../../platform/clock.ts';
import type { Tx } from '../../platform/database/index.ts';
import { implement, type Route } from '../../platform/http/call.ts';
import { incidents } from '../alarms/index.ts';
import { fleetNetworks } from '../fleet/index.ts';
import { record } from '../logs/index.ts';
import { lockPlace, type Place, places, removePlace, writePlace } from './store.ts';

const { points: maxPoints, unplaced: maxUnplaced } = contract.mapLimits;

type Shown = DataOf<typeof contract.list>;

export function mapRoutes({ clock, tiles }: { clock: Clock; tiles: () => Promise<Shown['tiles']> }): Route[] {
  return implement(contract, {
    list: async ({ tx, identity, input }) => ({
      ...(await mapOf(tx, identity.actor, clock.now(), input)),
      tiles: await tiles(),
    }),

    async place({ tx, acting, input }) {
      const { accountId } = acting;
      const { gwid, lat, lng } = input;
      const before = await lockPlace(tx, accountId, gwid);
      const after = {
        gwid,
        lat,
        lng,
        address: input.address === undefined ? (before?.address ?? '') : (input.address ?? ''),
      };
      if (before && same(before, after)) return after;
      await writePlace(tx, accountId, after);
      await record(tx, acting, {
        action: 'map.place',
        object: { type: 'network', id: gwid, name: (await fleetNetworks.name(tx, accountId, gwid)) ?? '' },
        gwid,
        before: before ? shown(before) : null,
        after: shown(after),
        inverse: before
          ? { path: contract.place.path, input: inputOf(before) }
          : { path: contract.unplace.path, input: { gwid } },
      });
      return after;
    },

    async unplace({ tx, acting, input: { gwid } }) {
      const { accountId } = acting;
      const before = await lockPlace(tx, accountId, gwid);
      if (!before) return { removed: false };
      await removePlace(tx, accountId, gwid);
      await record(tx, acting, {
        action: 'map.unplace',
        object: { type: 'network', id: gwid, name: (await fleetNetworks.name(tx, accountId, gwid)) ?? '' },
        gwid,
        before: shown(before),
        after: null,
        inverse: { path: contract.place.path, input: inputOf(before) },
      });
      return { removed: true };
    },
  });
}

const same = (a: Place, b: Place) => a.lat === b.lat && a.lng === b.lng && a.address === b.address;
const inputOf = ({ address, ...place }: Place) => ({ ...place, address: address || null });
const shown = ({ lat, lng, address }: Place) => ({ lat, lng, address });

async function mapOf(
  tx: Tx,
  actor: Actor,
  now: Date,
  filter: { tag?: string | undefined; keyword?: string | undefined },
): Promise<Omit<Shown, 'tiles'>> {
  const { accountId } = actor;
  const placed = new Map((await places(tx, accountId)).map((place) => [place.gwid, place]));
  const narrowed = filter.tag !== undefined || Boolean(filter.keyword);
  const matching = narrowed
    ? await fleetNetworks.find(tx, accountId, now, { tag: filter.tag, keyword: filter.keyword || undefined }, 100_000)
    : null;
  const wanted = matching ? matching.filter((gwid) => placed.has(gwid)) : [...placed.keys()];
  const rows = await fleetNetworks.rows(tx, accountId, now, wanted.slice(0, maxPoints));
  const alarms = allows(actor, 'message.read') ? await incidents.byNetwork(tx, accountId) : null;
  const without = matching
    ? matching.filter((gwid) => !placed.has(gwid))
    : await firstUnplaced(tx, accountId, now, placed);
  const shownWithout = without.slice(0, maxUnplaced);
  const names = await fleetNetworks.names(tx, accountId, shownWithout);
  const total = matching
    ? without.length
    : (await fleetNetworks.list(tx, accountId, now, { page: 1, limit: 1 })).total - placed.size;
  return {
    as_of: now.toISOString(),
    points: rows.flatMap(({ gwid, remark, tags, status, status_since, ap_num, ap_online_num }) => {
      const place = placed.get(gwid);
      if (!place) return [];
      const { lat, lng, address } = place;
      const own = { alarms: alarms && alarmsOf(alarms.get(gwid)) };
      return [{ gwid, remark, tags, lat, lng, address, status, status_since, ap_num, ap_online_num, ...own }];
    }),
    left_out: Math.max(0, wanted.length - maxPoints),
    unplaced: { total, list: shownWithout.map((gwid) => ({ gwid, remark: names.get(gwid) ?? '' })) },
  };
}

const quiet: Readonly<Record<AlarmLevel, number>> = { FATAL: 0, MIDDLE: 0, GENERAL: 0 };

function alarmsOf(counts = quiet) {
  return {
    total: alarmLevels.reduce((sum, level) => sum + counts[level], 0),
    worst: alarmLevels.find((level) => counts[level] > 0) ?? null,
  };
}

/** Reads as many more as the placed networks could fill. */
async function firstUnplaced(
  tx: Tx,
  accountId: string,
  now: Date,
  placed: ReadonlyMap<string, Place>,
): Promise<string[]> {
  const first = await fleetNetworks.find(tx, accountId, now, {}, placed.size + maxUnplaced);
  return first.filter((gwid) => !placed.has(gwid));
}
