import type { StationList } from '@yunxun/contract';
import type { Mark } from './store.ts';

/** `gwids`: where it is blocked (null: all). */
export interface Entry {
  list: StationList | null;
  gwids: readonly string[] | null;
}

export interface EntryChange {
  mac: string;
  before: Entry;
  after: Entry;
}

const none: Entry = { list: null, gwids: null };

export function entryOf(mark: Pick<Mark, 'list' | 'list_gwids'> | undefined): Entry {
  return mark?.list ? { list: mark.list, gwids: mark.list_gwids } : none;
}

/** `list` null: unlisting; `gwids` null: all. Allowed clients leave their list before a block. */
function entryAfter(before: Entry, { list, gwids }: Entry): Entry {
  if (list === 'blocked') {
    if (before.list === 'allowed') return before;
    if (gwids === null || (before.list === 'blocked' && before.gwids === null)) return { list, gwids: null };
    return { list, gwids: [...new Set([...(before.gwids ?? []), ...gwids])].toSorted() };
  }
  if (list === 'allowed') return { list, gwids: null };
  if (gwids === null) return none;
  // an entry for all cannot exclude networks
  if (before.gwids === null) return before;
  const rest = before.gwids.filter((gwid) => !gwids.includes(gwid));
  return rest.length === 0 ? none : { list: before.list, gwids: rest };
}

export function changesOf(macs: readonly string[], marks: ReadonlyMap<string, Mark>, wanted: Entry): EntryChange[] {
  return macs.flatMap((mac) => {
    const before = entryOf(marks.get(mac));
    const after = entryAfter(before, wanted);
    const same = before.list === after.list && String(before.gwids) === String(after.gwids);
    return same ? [] : [{ mac, before, after }];
  });
}

/** Returns networks whose deny list changes; null: all. */
export function scopeOf(changes: readonly EntryChange[]): string[] | null {
  const denied = changes.flatMap(({ before, after }) => [before, after]).filter(({ list }) => list === 'blocked');
  if (denied.some(({ gwids }) => gwids === null)) return null;
  const gwids = new Set<string>();
  for (const { before, after } of changes) {
    const [was, will] = [before, after].map(({ list, gwids: own }) => (list === 'blocked' ? (own ?? []) : []));
    for (const gwid of [...was!, ...will!]) if (was!.includes(gwid) !== will!.includes(gwid)) gwids.add(gwid);
  }
  return [...gwids];
}

/** `marks`: sorted. */
export function blockedByNetwork(
  marks: readonly Pick<Mark, 'mac' | 'list_gwids'>[],
): (gwid: string | null) => readonly string[] {
  const known = new Map<string | null, readonly string[]>();
  return (gwid) => {
    const found =
      known.get(gwid) ??
      marks.flatMap(({ mac, list_gwids: own }) => (own === null || (gwid !== null && own.includes(gwid)) ? [mac] : []));
    known.set(gwid, found);
    return found;
  };
}
