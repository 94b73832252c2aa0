import { randomBytes } from 'node:crypto';
import { radius as contract } from '@yunxun/contract';
import { sql } from 'kysely';
import { boundedCache } from '../../platform/bounded-cache.ts';
import type { Bus } from '../../platform/bus/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { AccountKeys } from '../../platform/crypto/account-keys.ts';
import type { Sealer } from '../../platform/crypto/index.ts';
import type { Database } from '../../platform/database/index.ts';
import type { Log } from '../../platform/log.ts';
import { type Candidates, createCandidates, type Field, fieldOf, withoutLapsed } from './candidates.ts';
import type { Entry, Nas } from './nas.ts';
import { createEntries } from './nas-entries.ts';
import type { RequestSource } from './request-source.ts';
import { type NasRow, radiusTables } from './tables.ts';

export interface NasIndex {
  from(source: RequestSource, identifier: string | null): Promise<Candidates>;
  byId(id: string): Promise<Nas | null>;
  /** Stores the proof; requires signatures after the first over UDP, until an update chooses otherwise. */
  prove(nas: Nas, by: { source: RequestSource; identifier: string | null; isSigned: boolean }): Promise<void>;
  start(): Promise<void>;
  stop(): void;
}

/** Milliseconds; repairs lost bus messages. */
const reloadEvery = 60_000;
const unprovenMs = contract.radiusLimits.unprovenDays * 86_400_000;

export const nasSubject = (accountId: string) => `radius.${accountId}.nas`;

/** Keeps clients in memory: unknown sources cost no query. */
export function createNasIndex({ database, bus, keys, log, clock }: NasIndexDeps): NasIndex {
  const entries = createEntries();
  const fields = boundedCache<Field>(10_000);
  const candidates = createCandidates({ clock, open });
  let loading: Promise<void> = Promise.resolve();
  let release: (() => void) | null = null;
  let timer: NodeJS.Timeout | undefined;

  async function load(accountId: string | null): Promise<void> {
    const all = radiusTables(database.system).selectFrom('radius_nas').selectAll();
    const rows = await (accountId === null ? all : all.where('account_id', '=', accountId)).execute();
    entries.replace(accountId, rows.map(entryOf));
    fields.clear();
  }

  /** Delays packets: a saved client counts at once. Null: all. */
  function reload(accountId: string | null): Promise<void> {
    loading = loading
      .then(() => load(accountId))
      .catch((error: unknown) => log.error({ err: error }, 'RADIUS clients not loaded; the earlier ones count'));
    return loading;
  }

  /** A secret that does not open fits no packet. */
  async function open(wanted: readonly Entry[], max: number): Promise<readonly Nas[]> {
    const sealed = wanted.filter(({ secret }) => secret === null).slice(0, max);
    if (sealed.length > 0)
      await database.withSystem(async (tx) => {
        for (const entry of sealed) {
          const key = await keys.of(tx, entry.accountId);
          entry.secret = opened(entry, key);
        }
      });
    return wanted.filter((entry): entry is Nas => entry.secret !== null);
  }

  function opened(entry: Entry, key: Sealer): Buffer {
    try {
      return key.open(entry.sealed, secretContext(entry.id));
    } catch (error) {
      log.error({ err: error, id: entry.id }, 'secret of a RADIUS client not opened');
      return randomBytes(24);
    }
  }

  function fieldAt(key: string, found: () => readonly Entry[]): Field {
    const known = fields.get(key);
    if (known) return known;
    const field = fieldOf(found());
    // packets of strangers keep nothing
    if (field.proven.length + field.unproven.length > 0) fields.set(key, field);
    return field;
  }

  return {
    async from(source, identifier) {
      await loading;
      const key = senderKey(source, identifier);
      if (source.kind === 'device')
        return candidates.of(
          key,
          source.serial,
          fieldAt(key, () => entries.inNetwork(source, identifier)),
        );
      const field = fieldAt(key, () => entries.from(source.address, identifier));
      const since = new Date(clock.now().getTime() - unprovenMs);
      return candidates.of(key, source.address, withoutLapsed(field, since));
    },
    async byId(id) {
      await loading;
      const entry = entries.byId(id);
      return entry ? ((await open([entry], 1))[0] ?? null) : null;
    },
    async prove(nas, { source, identifier, isSigned }) {
      candidates.remember(senderKey(source, identifier), nas);
      const latches = isSigned && source.kind === 'udp' && !nas.requireMa && !nas.isMaChosen;
      if (nas.provenAt && !latches) return;
      const isFirst = !nas.provenAt;
      nas.provenAt ??= clock.now();
      nas.requireMa ||= latches;
      if (isFirst) fields.clear();
      // unless another secret or address was saved meanwhile
      await radiusTables(database.system)
        .updateTable('radius_nas')
        .set((row) => ({
          proven_at: row.fn.coalesce('proven_at', row.val(nas.provenAt)),
          // an update may have chosen meanwhile
          ...(latches ? { require_ma: sql<boolean>`require_ma or not ma_chosen` } : {}),
        }))
        .where('account_id', '=', nas.accountId)
        .where('id', '=', nas.id)
        .where('secret', '=', nas.sealed)
        .where('source', 'is not distinct from', nas.source)
        .where('nas_identifier', 'is not distinct from', nas.identifier)
        .execute()
        .catch((error: unknown) => log.error({ err: error }, 'proof of a RADIUS client not stored'));
    },
    async start() {
      release = bus.subscribe(nasSubject('*'), (_, subject) => void reload(subject.split('.')[1]!));
      timer = setInterval(() => void reload(null), reloadEvery);
      timer.unref();
      await reload(null);
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
  clock: Clock;
}

/** Binds a sealed secret to its row. */
export const secretContext = (id: string) => `radius ${id}`;

const senderKey = (source: RequestSource, identifier: string | null) =>
  source.kind === 'udp'
    ? JSON.stringify([source.address, identifier])
    : JSON.stringify([source.accountId, source.gwid, identifier]);

function entryOf(row: NasRow): Entry {
  return {
    accountId: row.account_id,
    id: row.id,
    gwid: row.gwid,
    source: row.source,
    identifier: row.nas_identifier,
    requireMa: row.require_ma,
    isMaChosen: row.ma_chosen,
    coaPort: row.coa_port,
    provenAt: row.proven_at,
    savedAt: row.saved_at,
    isManaged: row.managed,
    sendsGigawords: row.sends_gigawords,
    sealed: row.secret,
    secret: null,
  };
}
