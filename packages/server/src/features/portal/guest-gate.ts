import type { GuestLimits, RadiusGuestRefusal } from '@yunxun/contract';
import type { Clock } from '../../platform/clock.ts';
import type { AccountKeys } from '../../platform/crypto/account-keys.ts';
import type { Database, Tx } from '../../platform/database/index.ts';
import { macOf } from './adapters/adapter.ts';
import { claimDevice } from './claim-device.ts';
import { openCredential, putOnline, secondsLeft } from './grant.ts';
import type { createMemberGate, Redeem } from './member-radius.ts';
import type { PortalSecrets } from './secrets.ts';
import { addBytes, allowance } from './session-bytes.ts';
import { changeSession, endOnline, findAccounted, findSession, findTicket, resumeSession } from './session-store.ts';

export interface Nas {
  accountId: string;
  gwid: string;
}

export interface AccountingEvent {
  kind: 'start' | 'interim' | 'stop' | 'nas_reset';
  username: string;
  acctSessionId: string;
  mac: string | null;
  ip: string | null;
  seconds: number;
  counter: string;
  upBytes: number;
  downBytes: number;
  cause: string | null;
}

export interface GuestGateDeps {
  database: Database;
  clock: Clock;
  keys: AccountKeys;
  secrets: PortalSecrets;
  /** Absent: one-time credentials only. */
  redeemMember?: ReturnType<typeof createMemberGate>;
}

interface Granted {
  sessionId: string;
  limits: GuestLimits;
  secondsLeft: number | null;
  maxBytes: number;
}

type Found = Parameters<typeof putOnline>[1];

export function createGuestGate({ database, clock, keys, secrets, redeemMember }: GuestGateDeps) {
  const inAccount = <T>({ accountId }: Nas, work: (tx: Tx) => Promise<T>) =>
    database.withTenant({ accountId, userId: null, gwids: null }, work);

  async function grant(
    tx: Tx,
    nas: Nas,
    session: Found,
    request: Redeem,
    now: Date,
  ): Promise<Granted | RadiusGuestRefusal> {
    const mac = request.mac === null ? null : macOf(request.mac);
    const { acctSessionId: acct_session_id, ip } = request;
    // a page without a signature only claims the MAC; RADIUS reports the gateway's own
    const seen = !session.verified && mac !== null ? await claimDevice(tx, secrets, nas, { session, mac, now }) : {};
    if (seen === 'devices' || seen === 'times') return seen;
    if (!(await putOnline(tx, session, now, { acct_session_id, ip: ip ?? session.ip, ...seen }))) return 'unknown_user';
    const { minutes, up_kbps, down_kbps, devices, times_per_day } = session;
    const granted = await findSession(tx, nas, session.id);
    return {
      sessionId: session.id,
      limits: { minutes, up_kbps, down_kbps, devices, times_per_day },
      secondsLeft: secondsLeft(granted?.expires_at ?? null, now),
      maxBytes: session.max_bytes,
    };
  }

  async function move(tx: Tx, session: Found, request: Redeem, now: Date): Promise<Granted> {
    const { acctSessionId: acct_session_id, ip } = request;
    await changeSession(tx, session, ['online'], { credential: null, acct_session_id, ip: ip ?? session.ip });
    const { minutes, up_kbps, down_kbps, devices, times_per_day } = session;
    return {
      sessionId: session.id,
      limits: { minutes, up_kbps, down_kbps, devices, times_per_day },
      secondsLeft: secondsLeft(session.expires_at, now),
      maxBytes: allowance(session),
    };
  }

  /** Redeems a credential once, within 60 s; null: there is none of this name. */
  async function redeemTicket(
    tx: Tx,
    nas: Nas,
    request: Redeem,
    now: Date,
  ): Promise<Granted | RadiusGuestRefusal | null> {
    const session = await findTicket(tx, nas, request.username);
    if (!session) return null;
    // online with a credential: the guest moved to another access point
    const isMoving = session.state === 'online' && session.credential !== null;
    const isOpen = session.state === 'offered' || (isMoving && secondsLeft(session.expires_at, now) !== 0);
    if (!isOpen || session.offer_until <= now) return 'unknown_user';
    const mac = request.mac === null ? null : macOf(request.mac);
    // worthless on another device
    if (session.verified && mac !== null && session.mac !== null && mac !== session.mac) return 'unknown_user';
    const credential = await openCredential(tx, keys, session);
    if (!credential || !request.proves(credential)) return 'unknown_user';
    return isMoving ? move(tx, session, request, now) : grant(tx, nas, session, request, now);
  }

  return {
    async redeem(nas: Nas, request: Redeem): Promise<Granted | RadiusGuestRefusal> {
      const now = clock.now();
      const found = await inAccount(nas, (tx) => redeemTicket(tx, nas, request, now));
      if (found) return found;
      return redeemMember
        ? redeemMember(nas, request, now, (tx, session) => grant(tx, nas, session, request, now))
        : 'unknown_user';
    },

    /** Is idempotent: bytes are totals. */
    account: (nas: Nas, event: AccountingEvent): Promise<void> =>
      inAccount(nas, async (tx) => {
        const now = clock.now();
        if (event.kind === 'nas_reset') return endOnline(tx, nas, now, 'gateway_restarted');
        const session = (await findTicket(tx, nas, event.username)) ?? (await findAccounted(tx, nas, event));
        if (!session) return;
        const { counter, upBytes: up, downBytes: down } = event;
        const isElsewhere = session.acct_session_id !== event.acctSessionId;
        // an access point that the guest has left for another reports on until it misses the device
        const isLeft =
          isElsewhere && counter in session.counters && (event.kind === 'stop' || session.state === 'online');
        const bytes = addBytes(session, { counter, up, down, whenLower: 'late' });
        const seen = {
          ...bytes,
          acct_session_id: event.acctSessionId,
          last_seen: now,
          ...(event.ip === null ? {} : { ip: event.ip }),
          ...(bytes.up_bytes > session.up_bytes ? { active_at: now } : {}),
        };
        const ended = { state: 'ended', ended_at: now, end_reason: event.cause ?? 'gateway' } as const;
        const used = session.max_bytes > 0 && seen.up_bytes + seen.down_bytes >= session.max_bytes;
        const over = { state: 'ended', ended_at: now, end_reason: 'data_used' } as const;
        const change = event.kind === 'stop' ? { ...seen, ...ended } : { ...seen, ...(used ? over : {}) };
        if (isLeft) return void (await changeSession(tx, session, ['online', 'ended'], bytes));
        const isBack = isElsewhere && session.end_reason === 'lost_carrier';
        if (event.kind !== 'stop') await resumeSession(tx, session, now, isBack ? 'lost_carrier' : 'not_seen');
        await changeSession(tx, session, ['online'], change);
        // the console ended it first, or the report is late
        if (session.granted_at && session.state === 'ended') await changeSession(tx, session, ['ended'], bytes);
      }),
  };
}

export type GuestGate = ReturnType<typeof createGuestGate>;
