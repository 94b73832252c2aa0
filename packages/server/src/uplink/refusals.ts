import { sql } from 'kysely';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/index.ts';
import type { Log } from '../platform/log.ts';
import type { DialledName } from './server-name.ts';

/** Why an enrolment led to no certificate, or a connection to no session. Texts: `refusal.<reason>`. */
export const refusalReasons = [
  'bound-elsewhere',
  'enrolment-refused',
  'too-many-claims',
  'no-certificate',
  /** No trusted authority. */
  'foreign-authority',
  'certificate-expired',
  'certificate-not-yet-valid',
  'certificate-name',
  /** Never enrolled. */
  'not-enrolled',
  /** It shows a certificate of an account that unbound it. */
  'unbound',
  /** Ours, but not of the serial's present account. */
  'certificate-unknown',
  'certificate-revoked',
  /** Another device with it keeps the session. */
  'certificate-shared',
  'serial-mismatch',
  'no-connect',
  'wrong-path',
  'not-websocket',
  /** Left after dialling a name that our certificate lacks. */
  'wrong-name',
  /** The name fits or is unknown. */
  'left-after-handshake',
  /** Left before `connect` although the name fits; some firmware checks only then. */
  'left-after-upgrade',
  'server-untrusted',
  /** Our certificate has expired by the device clock. */
  'clock-ahead',
  /** It is not yet valid by the device clock. */
  'clock-behind',
  'tls-version',
  'tls-failed',
] as const;
export type RefusalReason = (typeof refusalReasons)[number];

export interface Refusal {
  address: string;
  serial: string | null;
  reason: RefusalReason;
  detail: string | null;
  /** Of the binding code; null: the account that holds the serial. */
  accountId: string | null;
  dialled?: DialledName;
}

export interface RefusalLog {
  record(refusal: Refusal): void;
  flush(): Promise<void>;
}

/** Stored; the newest stay. */
const maxRows = 5000;
/** Stored of an account that enrols: it alone can name any number of foreign serials. */
const maxOfAccount = 100;
/** In memory, against floods. */
const maxWaiting = 500;

/** Counts per address, serial and reason; writes once a second at most. */
export function createRefusalLog(database: Database, clock: Clock, log: Log): RefusalLog {
  const waiting = new Map<string, Refusal & { count: number; at: Date }>();
  let timer: NodeJS.Timeout | null = null;
  let writing: Promise<void> = Promise.resolve();

  async function write(): Promise<void> {
    const rows = [...waiting.values()];
    waiting.clear();
    if (rows.length === 0) return;
    try {
      await store(database, rows);
    } catch (error) {
      log.warn({ err: error, refusals: rows.length }, 'refusals could not be written');
    }
  }

  const flush = () => {
    if (timer) clearTimeout(timer);
    timer = null;
    writing = writing.then(write);
    return writing;
  };

  return {
    record(refusal) {
      const key = `${refusal.address} ${refusal.serial ?? ''} ${refusal.reason}`;
      const known = waiting.get(key);
      if (!known && waiting.size >= maxWaiting) return;
      waiting.set(key, { ...refusal, count: (known?.count ?? 0) + 1, at: clock.now() });
      timer ??= setTimeout(flush, 1000);
    },
    flush,
  };
}

async function store(database: Database, rows: readonly (Refusal & { count: number; at: Date })[]): Promise<void> {
  const column = <K extends keyof (typeof rows)[number]>(key: K) => rows.map((row) => row[key]);
  await database.withSystem(async (tx) => {
    // unknown serials have no account
    await sql`
      insert into link_refusal (address, serial, reason, detail, sni, host, account_id, count, at)
      select r.address, r.serial, r.reason, r.detail, r.sni, r.host, coalesce(r.account_id, d.account_id), r.count, r.at
      from unnest(${column('address')}::text[], ${rows.map((row) => row.serial ?? '')}::text[], ${column('reason')}::text[],
        ${column('detail')}::text[], ${rows.map((row) => row.dialled?.sni ?? null)}::text[],
        ${rows.map((row) => row.dialled?.host ?? null)}::text[], ${column('accountId')}::uuid[], ${column('count')}::bigint[],
        ${column('at')}::timestamptz[]) as r (address, serial, reason, detail, sni, host, account_id, count, at)
      left join serial_directory d on d.serial = r.serial
      on conflict (address, serial, reason) do update
        set detail = excluded.detail, sni = excluded.sni, host = excluded.host, account_id = excluded.account_id, count = link_refusal.count + excluded.count, at = excluded.at
    `.execute(tx);
    await sql`
      delete from link_refusal l using (
        select address, serial, reason, row_number() over (partition by account_id order by at desc) as place
        from link_refusal where account_id = any(${column('accountId')}::uuid[])
      ) r
      where r.place > ${maxOfAccount} and (l.address, l.serial, l.reason) = (r.address, r.serial, r.reason)
    `.execute(tx);
    await sql`
      delete from link_refusal where at < (select at from link_refusal order by at desc offset ${maxRows} limit 1)
    `.execute(tx);
  });
}

export interface RecentRefusal extends Omit<Refusal, 'accountId' | 'dialled'>, DialledName {
  count: number;
  at: Date;
}

/** Returns newest first: of the account's serials, and unassigned ones from its addresses. */
export async function recentRefusals(
  database: Database,
  accountId: string,
  addresses: readonly string[],
  limit: number,
): Promise<RecentRefusal[]> {
  const { rows } = await sql<RecentRefusal>`
    select address, nullif(serial, '') as serial, reason, detail, sni, host, count, at
    from link_refusal
    where account_id = ${accountId} or (account_id is null and address = any(${[...addresses]}::text[]))
    order by at desc limit ${limit}
  `.execute(database.system);
  return rows;
}
