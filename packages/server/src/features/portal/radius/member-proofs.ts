import { randomBytes } from 'node:crypto';
import type { GuestLimits } from '@yunxun/contract';
import { sql } from 'kysely';
import { boundedCache } from '../../../platform/bounded-cache.ts';
import type { Bus } from '../../../platform/bus/index.ts';
import type { Clock } from '../../../platform/clock.ts';
import { createSealer } from '../../../platform/crypto/index.ts';
import type { Database, Tx } from '../../../platform/database/index.ts';
import { earliest } from '../opening.ts';
import type { SiteKey } from '../visit-store.ts';
import { type Ground, placeOf, proofSubject } from './proof-voids.ts';

export interface BlockedClients {
  isBlocked(tx: Tx, accountId: string, gwid: string, mac: string): Promise<boolean>;
  /** Messages of the bus with `macs` whose list has changed. */
  changedSubject(accountId: string): string;
}

export interface MemberProofDeps {
  database: Pick<Database, 'system'>;
  bus: Bus;
  clock: Clock;
  blocked: Pick<BlockedClients, 'changedSubject'>;
}

export interface Proven {
  sessionId: string;
  limits: GuestLimits;
  expiresAt: Date | null;
  maxBytes: number;
  acctSessionId: string | null;
}

export interface ProvenMember {
  id: string;
  until: Date | null;
  sealed: Buffer;
  password: string;
}

interface Asking {
  username: string;
  mac: string | null;
  proves(password: string): boolean;
}

interface Kept extends Proven {
  turn: number;
  grounds: readonly (Ground | `device ${string}`)[];
  /** By a clock that is never set back. */
  checkedAt: number;
  until: Date | null;
  clear: Buffer;
  site: SiteKey;
  member: Pick<ProvenMember, 'id' | 'until' | 'sealed'>;
}

/** Milliseconds: of a proof, since its check; of what was void, for checks that began before. */
const times = { kept: 10 * 60_000, void: 12 * 60_000, repair: 15_000 } as const;
/** Devices with a proof; what was void in that time. */
const most = { kept: 20_000, void: 200_000 } as const;

/**
 * Remembers which device has proved the password of which account, so that its next request costs no statement. Clear
 * passwords are sealed under a key that never leaves the process. Changes void proofs by the bus; because the bus may
 * lose a message, what is kept is also compared with the database.
 */
export function createMemberProofs({ database, bus, clock, blocked }: MemberProofDeps) {
  const sealer = createSealer(randomBytes(32));
  const kept = boundedCache<Kept>(most.kept);
  /** Oldest first. */
  const voided = new Map<string, { turn: number; at: number }>();
  let turn = 0;
  let validFrom = 0;
  let isToRepair = false;

  function forgetAll(): void {
    turn += 1;
    validFrom = turn;
    voided.clear();
    kept.clear();
  }

  function forget(accountId: string, grounds: readonly string[]): void {
    turn += 1;
    const now = performance.now();
    for (const ground of grounds) {
      const key = `${accountId} ${ground}`;
      voided.delete(key);
      voided.set(key, { turn, at: now });
    }
    for (const [key, { at }] of voided) {
      if (now - at < times.void) break;
      voided.delete(key);
    }
    if (voided.size > most.void) forgetAll();
  }

  bus.subscribe(proofSubject('*'), (message, subject) =>
    forget(subject.split('.')[1]!, (message as { grounds: string[] }).grounds),
  );
  bus.subscribe(blocked.changedSubject('*'), (message, subject) =>
    forget(
      subject.split('.')[1]!,
      (message as { macs: string[] }).macs.map((mac) => `device ${mac}`),
    ),
  );
  // what changed meanwhile is unknown
  bus.onAway(forgetAll);

  const isValid = ({ turn: began, site, grounds, sessionId, acctSessionId }: Kept) =>
    began >= validFrom &&
    [...grounds, placeOf(sessionId, acctSessionId)].every(
      (ground) => (voided.get(`${site.accountId} ${ground}`)?.turn ?? 0) <= began,
    );

  const isLive = (proof: Kept) =>
    isValid(proof) &&
    performance.now() - proof.checkedAt < times.kept &&
    (proof.until === null || clock.now() < proof.until);

  const isBusThere = () =>
    bus.check().then(
      () => true,
      () => false,
    );

  const keyOf = ({ accountId, gwid }: SiteKey, { username, mac }: Asking) =>
    JSON.stringify([accountId, gwid, mac, username.trim().toLowerCase()]);

  async function repair(): Promise<void> {
    isToRepair = false;
    const ended = [...kept.entries()].filter(([, proof]) => !isLive(proof));
    for (const [key] of ended) kept.delete(key);
    const all = [...kept.entries()];
    try {
      for (const key of await changed(database, all)) kept.delete(key);
    } catch {
      forgetAll();
    }
    look();
  }

  function look(): void {
    if (isToRepair || kept.size === 0) return;
    isToRepair = true;
    setTimeout(() => void repair(), times.repair).unref();
  }

  return {
    /** To be asked before anything is read that a proof will stand on. */
    begin: () => turn,

    keep(began: number, site: SiteKey, asking: Asking, member: ProvenMember, proven: Proven): void {
      if (asking.mac === null) return;
      const { id, until, sealed, password } = member;
      const key = keyOf(site, asking);
      const proof: Kept = {
        ...proven,
        turn: began,
        grounds: [
          `session ${proven.sessionId}`,
          `member ${id}`,
          `site ${site.gwid}`,
          `device ${asking.mac}`,
          'account',
        ],
        checkedAt: performance.now(),
        until: earliest(until, proven.expiresAt),
        clear: sealer.seal(password, key),
        site,
        member: { id, until, sealed },
      };
      if (isValid(proof)) kept.set(key, proof);
      look();
    },

    /** A wrong password ends the proof, so that all guesses count. The caller writes another Acct-Session-Id. */
    async recall(site: SiteKey, asking: Asking): Promise<Proven | null> {
      const key = keyOf(site, asking);
      const proof = kept.get(key);
      if (!proof || !(await isBusThere())) return null;
      if (isLive(proof) && asking.proves(sealer.open(proof.clear, key).toString())) return proof;
      kept.delete(key);
      return null;
    },

    drop(site: SiteKey, asking: Asking): void {
      kept.delete(keyOf(site, asking));
    },
  };
}

export type MemberProofs = ReturnType<typeof createMemberProofs>;

async function changed(
  { system }: Pick<Database, 'system'>,
  all: readonly (readonly [string, Kept])[],
): Promise<string[]> {
  const column = <T>(read: (proof: Kept) => T) => all.map(([, proof]) => read(proof));
  const { rows } = await sql<{ at: number }>`
    select k.at::int as at from unnest(
      ${column(({ site }) => site.accountId)}::uuid[], ${column(({ site }) => site.gwid)}::uuid[],
      ${column(({ sessionId }) => sessionId)}::uuid[], ${column(({ expiresAt }) => expiresAt)}::timestamptz[],
      ${column(({ member }) => member.id)}::uuid[], ${column(({ member }) => member.until)}::timestamptz[],
      ${column(({ member }) => member.sealed)}::bytea[]
    ) with ordinality as k(account_id, gwid, session, expires_at, member, until, sealed, at)
    left join portal_session s on s.account_id = k.account_id and s.id = k.session
    left join portal_site p on p.account_id = k.account_id and p.gwid = k.gwid
    left join portal_member m on m.account_id = k.account_id and m.id = k.member
    where (s.state = 'online' and s.expires_at is not distinct from k.expires_at
      and p.enabled and m.enabled and m.until is not distinct from k.until and m.radius_sealed = k.sealed) is not true
  `.execute(system);
  return rows.map(({ at }) => all[at - 1]![0]);
}
