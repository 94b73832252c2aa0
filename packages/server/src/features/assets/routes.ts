import { assets as contract } from '@yunxun/contract';
import { macOfSerial } from '@yunxun/contract/device';
import type { Acting } from '../../platform/acting.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Tx } from '../../platform/database/index.ts';
import { Failure } from '../../platform/failure.ts';
import { implement, type Route } from '../../platform/http/call.ts';
import type { Downloads } from '../../platform/http/download.ts';
import { distinctTags } from '../../platform/search/index.ts';
import { fleetNetworks } from '../fleet/index.ts';
import { people } from '../identity/index.ts';
import { record } from '../logs/index.ts';
import { assetFile } from './files.ts';
import { assetsByMac, countAssets, listAssets, placeOf } from './list.ts';
import { type GivenMark, lockMarks, tagsOf, unsaid, writeMark } from './store.ts';

export interface AssetRoutesDeps {
  database: Database;
  clock: Clock;
  downloads: Downloads;
}

export function assetRoutes({ database, clock, downloads }: AssetRoutesDeps): Route[] {
  downloads.offer('assets', assetFile(clock));
  const place = (tx: Tx, accountId: string, gwid: string) => placeOf(tx, accountId, gwid, clock.now());

  return implement(contract, {
    async list({ tx, acting, input }) {
      const here = await place(tx, acting.accountId, input.gwid);
      return { ...(await listAssets(tx, here, input)), as_of: here.now.toISOString() };
    },

    async summary({ tx, acting: { accountId }, input }) {
      const { classes, fresh, random } = await countAssets(tx, await place(tx, accountId, input.gwid), input.days);
      const total = classes.reduce((sum, { count }) => sum + count, 0);
      return { total, fresh, random, classes, tags: await tagsOf(tx, accountId, input.gwid) };
    },

    async update({ tx, acting, input: { gwid, ids, ...change } }) {
      const here = await place(tx, acting.accountId, gwid);
      const known = await assetsByMac(tx, here, ids);
      if (known.length < ids.length) throw new Failure('notFound');
      const changed = await say(tx, acting, { gwid, ids, at: here.now }, change);
      if (changed.length === 0) return { changed: 0 };
      const [only] = known;
      const { known: is_known, ...reported } = change;
      const one = ids.length === 1 && only ? { name: only.name ?? macOfSerial(only.id), was: changed[0]! } : null;
      await record(tx, acting, {
        action: 'asset.update',
        object: one
          ? { type: 'asset', id: ids[0]!, name: one.name }
          : {
              type: 'asset',
              id: 'list',
              name: known
                .slice(0, 3)
                .map((row) => row.name ?? macOfSerial(row.id))
                .join(', '),
            },
        gwid,
        before: one ? shown(one.was) : null,
        after: { ...reported, ...(is_known === undefined ? {} : { is_known }), ...(one ? {} : { ids }) },
        ...(one ? { inverse: { path: contract.update.path, input: { gwid, ids, ...inverseOf(one.was) } } } : {}),
      });
      return { changed: changed.length };
    },

    async exportList({ tx, acting, caller, identity, input: { format, ...filter } }) {
      const { actor } = identity;
      const person = { accountId: actor.homeAccountId, personId: actor.userId };
      const timeZone = await database.withSystem((system) => people.timeZoneOf(system, person, actor.accountId));
      const name = (await fleetNetworks.name(tx, acting.accountId, filter.gwid)) ?? '';
      await record(tx, acting, {
        action: 'asset.export',
        object: { type: 'network', id: filter.gwid, name },
        gwid: filter.gwid,
        after: { format, ...filter },
      });
      return downloads.open('assets', { acting, caller, identity, format, timeZone, filter });
    },
  });
}

/** Writes marks; returns the former marks of changed assets. */
async function say(
  tx: Tx,
  acting: Acting,
  { gwid, ids, at }: { gwid: string; ids: readonly string[]; at: Date },
  change: { [K in keyof Omit<GivenMark, 'known_at' | 'name'>]?: GivenMark[K] | undefined } & {
    name?: string | null | undefined;
    known?: boolean | undefined;
  },
): Promise<GivenMark[]> {
  const { accountId } = acting;
  const marks = await lockMarks(tx, { accountId, gwid }, ids);
  const stamp = { at, by: acting.actor?.name ?? acting.source };
  const changed: GivenMark[] = [];
  for (const mac of ids.toSorted()) {
    const before = given(marks.get(mac) ?? unsaid);
    const after: GivenMark = {
      class: change.class === undefined ? before.class : change.class,
      name: change.name === undefined ? before.name : (change.name ?? ''),
      tags: distinctTags(change.tags ?? before.tags),
      note: change.note ?? before.note,
      known_at: change.known === undefined ? before.known_at : change.known ? (before.known_at ?? at) : null,
    };
    if (JSON.stringify(before) === JSON.stringify(after)) continue;
    await writeMark(tx, { accountId, gwid, mac }, after, stamp);
    changed.push(before);
  }
  return changed;
}

const given = ({ class: kind, name, tags, note, known_at }: GivenMark): GivenMark => ({
  class: kind,
  name,
  tags,
  note,
  known_at,
});
const shown = ({ known_at, ...rest }: GivenMark) => ({ ...rest, is_known: known_at !== null });
const inverseOf = ({ known_at, name, ...rest }: GivenMark) => ({
  ...rest,
  name: name || null,
  known: known_at !== null,
});
