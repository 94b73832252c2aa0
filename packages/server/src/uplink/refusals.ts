import { sql } from 'kysely';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/index.ts';
import type { Log } from '../platform/log.ts';

/** Why a connection to the device port led to no session; the console's catalogue has `refusal.<reason>` for each. */
export const refusalReasons = [
  /** The peer showed no certificate. */
  'no-certificate',
  /** The certificate is of no authority that this installation trusts. */
  'foreign-authority',
  'certificate-expired',
  'certificate-not-yet-valid',
  /** The CN is no serial. */
  'certificate-name',
  /** No account has the serial: never enrolled, or unbound. */
  'not-enrolled',
  /** Our own authority signed it, but not for the account that has the serial now. */
  'certificate-unknown',
  'certificate-revoked',
  /** `connect` named another serial than the certificate. */
  'serial-mismatch',
  /** The session was opened and nothing said for too long. */
  'no-connect',
  'wrong-path',
  'not-websocket',
  /** The device dialled a name that our certificate does not hold, and left. */
  'wrong-name',
  /** The device left right after the handshake: it does not accept our certificate's name. */
  'left-after-handshake',
  /** The device does not trust our authority. */
  'server-untrusted',
  'tls-version',
  'tls-failed',
] as const;
export type RefusalReason = (typeof refusalReasons)[number];

export interface Refusal {
  address: string;
  serial: string | null;
  reason: RefusalReason;
  detail: string | null;
  accountId: string | null;
}

/** Remembers refusals for "why is it not here yet". */
export interface RefusalLog {
  record(refusal: Refusal): void;
  /** Writes what was recorded so far. */
  flush(): Promise<void>;
}

/** So many are kept, the newest. */
const mostRows = 5000;
/** So many wait in memory for the next write; a flood of addresses is worth no more. */
const mostWaiting = 500;

/**
 * Refusals in the database, one row per address, serial and reason with a count; written at most once per second,
 * so that a flood costs a counter.
 */
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
      if (!known && waiting.size >= mostWaiting) return;
      waiting.set(key, { ...refusal, count: (known?.count ?? 0) + 1, at: clock.now() });
      timer ??= setTimeout(flush, 1000);
    },
    flush,
  };
}

async function store(database: Database, rows: readonly (Refusal & { count: number; at: Date })[]): Promise<void> {
  const column = <K extends keyof (typeof rows)[number]>(key: K) => rows.map((row) => row[key]);
  await database.withSystem(async (tx) => {
    // the account is the serial's; a refusal of a serial that nobody has belongs to no account
    await sql`
      insert into link_refusal (address, serial, reason, detail, account_id, count, at)
      select r.address, r.serial, r.reason, r.detail, d.account_id, r.count, r.at
      from unnest(${column('address')}::text[], ${rows.map((row) => row.serial ?? '')}::text[], ${column('reason')}::text[],
        ${column('detail')}::text[], ${column('count')}::bigint[], ${column('at')}::timestamptz[])
        as r (address, serial, reason, detail, count, at)
      left join serial_directory d on d.serial = r.serial
      on conflict (address, serial, reason) do update
        set detail = excluded.detail, account_id = excluded.account_id, count = link_refusal.count + excluded.count, at = excluded.at
    `.execute(tx);
    await sql`
      delete from link_refusal where at < (select at from link_refusal order by at desc offset ${mostRows} limit 1)
    `.execute(tx);
  });
}

/**
 * Refusals that concern an account, newest first: those of its own serials, and those without a known account from
 * the given addresses (where its people and devices come from).
 */
export async function recentRefusals(
  database: Database,
  accountId: string,
  addresses: readonly string[],
  limit: number,
): Promise<(Refusal & { count: number; at: Date })[]> {
  const { rows } = await sql<Refusal & { count: number; at: Date }>`
    select address, nullif(serial, '') as serial, reason, detail, account_id as "accountId", count, at
    from link_refusal
    where account_id = ${accountId} or (account_id is null and address = any(${[...addresses]}::text[]))
    order by at desc limit ${limit}
  `.execute(database.system);
  return rows;
}
