import type { Bus } from '../../platform/bus/index.ts';
import type { AccountKeys } from '../../platform/crypto/account-keys.ts';
import type { Database } from '../../platform/database/index.ts';
import { grouped } from '../../platform/grouped.ts';
import type { Log } from '../../platform/log.ts';
import { type NasRow, radiusTables } from './tables.ts';

export interface Nas {
  accountId: string;
  id: string;
  gwid: string;
  source: string | null;
  identifier: string | null;
  requireMa: boolean;
  coaPort: number;
  secret: Buffer;
}

export interface NasIndex {
  /** Returns possible clients, most specific first. */
  from(address: string, identifier: string | null): Promise<readonly Nas[]>;
  /** Returns clients for which an access point may speak, most specific first. */
  inNetwork(accountId: string, gwid: string, identifier: string | null): Promise<readonly Nas[]>;
  byId(id: string): Promise<Nas | null>;
  /** Requires the Message-Authenticator from now on. */
  latch(nas: Nas): Promise<void>;
  start(): Promise<void>;
  stop(): void;
}

/** Bounds work if accounts share an address. */
const maxCandidates = 16;
/** Milliseconds; repairs lost bus messages. */
const reloadEvery = 60_000;

export const nasSubject = (accountId: string) => `radius.${accountId}.nas`;

type Entry = Omit<Nas, 'secret'> & { sealed: Buffer; secret: Buffer | null };

/** Keeps clients in memory: unknown sources cost no query. */
export function createNasIndex({ database, bus, keys, log }: NasIndexDeps): NasIndex {
  let bySource = new Map<string, Entry[]>();
  let byIdentifier = new Map<string, Entry[]>();
  let byNetwork = new Map<string, Entry[]>();
  let byId = new Map<string, Entry>();
  let loading: Promise<void> = Promise.resolve();
  let release: (() => void) | null = null;
  let timer: NodeJS.Timeout | undefined;

  async function load(): Promise<void> {
    const rows = await radiusTables(database.system).selectFrom('radius_nas').selectAll().execute();
    const entries = rows.map(entryOf);
    bySource = indexed(entries, ({ source }) => source);
    byIdentifier = indexed(entries, ({ source, identifier }) => (source === null ? identifier : null));
    byNetwork = indexed(entries, networkKey);
    byId = new Map(entries.map((entry) => [entry.id, entry]));
  }

  /** Delays packets: a saved client counts at once. */
  function reload(): Promise<void> {
    loading = loading
      .then(load)
      .catch((error: unknown) => log.error({ err: error }, 'RADIUS clients not loaded; the earlier ones count'));
    return loading;
  }

  async function opened(entries: readonly Entry[]): Promise<Nas[]> {
    const ready: Nas[] = [];
    for (const entry of entries.slice(0, maxCandidates)) {
      entry.secret ??= await database.withSystem(async (tx) =>
        (await keys.of(tx, entry.accountId)).open(entry.sealed, secretContext(entry.id)),
      );
      ready.push(entry as Nas);
    }
    return ready;
  }

  return {
    async from(address, identifier) {
      await loading;
      const atAddress = (bySource.get(address) ?? []).filter(
        (nas) => nas.identifier === null || nas.identifier === identifier,
      );
      const named = identifier === null ? [] : (byIdentifier.get(identifier) ?? []);
      return opened([...atAddress.toSorted(bySpecificity), ...named]);
    },
    async inNetwork(accountId, gwid, identifier) {
      await loading;
      const found = byNetwork.get(networkKey({ accountId, gwid })) ?? [];
      const named = found.filter((nas) => nas.identifier !== null && nas.identifier === identifier);
      return opened(named.length > 0 ? named : found.toSorted(byAnyAddress));
    },
    async byId(id) {
      await loading;
      const entry = byId.get(id);
      return entry ? ((await opened([entry]))[0] ?? null) : null;
    },
    async latch(nas) {
      nas.requireMa = true;
      await radiusTables(database.system)
        .updateTable('radius_nas')
        .set({ require_ma: true })
        .where('account_id', '=', nas.accountId)
        .where('id', '=', nas.id)
        .execute();
    },
    async start() {
      release = bus.subscribe(nasSubject('*'), () => void reload());
      timer = setInterval(() => void reload(), reloadEvery);
      timer.unref();
      await reload();
    },
    stop() {
      release?.();
      clearInterval(timer);
    },
  };
}

export interface NasIndexDeps {
  database: Database;
  bus: Bus;
  keys: AccountKeys;
  log: Log;
}

/** Binds a sealed secret to its row. */
export const secretContext = (id: string) => `radius ${id}`;

function entryOf(row: NasRow): Entry {
  return {
    ...{ accountId: row.account_id, id: row.id, gwid: row.gwid, source: row.source, identifier: row.nas_identifier },
    ...{ requireMa: row.require_ma, coaPort: row.coa_port, sealed: row.secret, secret: null },
  };
}

const networkKey = ({ accountId, gwid }: Pick<Entry, 'accountId' | 'gwid'>) => `${accountId} ${gwid}`;

const byAnyAddress = (a: Entry, b: Entry) => Number(a.source !== null) - Number(b.source !== null);
/** Identifiers come first. */
const bySpecificity = (a: Entry, b: Entry) => Number(b.identifier !== null) - Number(a.identifier !== null);

function indexed(entries: readonly Entry[], keyOf: (entry: Entry) => string | null): Map<string, Entry[]> {
  return grouped(
    entries.filter((entry) => keyOf(entry) !== null),
    (entry) => keyOf(entry)!,
  );
}
