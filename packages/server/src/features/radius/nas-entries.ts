import type { Entry } from './nas.ts';

export function createEntries() {
  const byId = new Map<string, Entry>();
  const groups = new Map<string, Set<Entry>>();

  function add(entry: Entry): void {
    byId.set(entry.id, entry);
    for (const key of keysOf(entry)) {
      const group = groups.get(key);
      if (group) group.add(entry);
      else groups.set(key, new Set([entry]));
    }
  }

  function remove(entry: Entry): void {
    byId.delete(entry.id);
    for (const key of keysOf(entry)) {
      const group = groups.get(key);
      group?.delete(entry);
      if (group?.size === 0) groups.delete(key);
    }
  }

  const of = (key: string): readonly Entry[] => [...(groups.get(key) ?? [])];

  return {
    byId: (id: string) => byId.get(id),
    /** Over UDP. */
    from(address: string, identifier: string | null): readonly Entry[] {
      const named = identifier === null ? [] : [placeKey(address, identifier), placeKey(null, identifier)];
      return [placeKey(address, null), ...named].flatMap(of).filter(({ isManaged }) => !isManaged);
    },
    /** Returns clients for which an access point of the network may speak. */
    inNetwork(network: Network, identifier: string | null): readonly Entry[] {
      const found = of(networkKey(network));
      const named = found.filter((entry) => entry.identifier !== null && entry.identifier === identifier);
      return named.length > 0 ? named : found;
    },
    /** Null: all accounts. Keeps open secrets. */
    replace(accountId: string | null, found: readonly Entry[]): void {
      for (const entry of found) {
        const known = byId.get(entry.id);
        if (known?.sealed.equals(entry.sealed)) entry.secret = known.secret;
      }
      const replaced = accountId === null ? [...byId.values()] : of(accountKey({ accountId }));
      for (const entry of replaced) remove(entry);
      for (const entry of found) add(entry);
    },
  };
}

type Network = Pick<Entry, 'accountId' | 'gwid'>;

const placeKey = (source: string | null, identifier: string | null) => JSON.stringify([source, identifier]);
const networkKey = ({ accountId, gwid }: Network) => `network ${accountId} ${gwid}`;
const accountKey = ({ accountId }: Pick<Entry, 'accountId'>) => `account ${accountId}`;
const keysOf = (entry: Entry) => [placeKey(entry.source, entry.identifier), networkKey(entry), accountKey(entry)];
