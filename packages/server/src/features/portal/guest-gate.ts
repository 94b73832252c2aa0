import type { GuestLimits } from '@yunxun/contract';
import type { Clock } from '../../platform/clock.ts';
import type { AccountKeys } from '../../platform/crypto/account-keys.ts';
import type { Database, Tx } from '../../platform/database/index.ts';
import { macOf } from './adapters/adapter.ts';
import { openCredential, putOnline, secondsLeft } from './grant.ts';
import { changeSession, endOnline, findSession, findTicket, resumeSession } from './session-store.ts';

export interface Nas {
  accountId: string;
  gwid: string;
}

export interface Redeem {
  username: string;
  mac: string | null;
  ip: string | null;
  acctSessionId: string | null;
  /** Checks the NAS's password against the clear one. */
  proves(password: string): boolean;
}

export interface AccountingEvent {
  kind: 'start' | 'interim' | 'stop' | 'nas_reset';
  username: string;
  acctSessionId: string;
  mac: string | null;
  ip: string | null;
  seconds: number;
  /** Totals of the session. */
  upBytes: number;
  downBytes: number;
  cause: string | null;
}

export interface GuestGateDeps {
  database: Database;
  clock: Clock;
  keys: AccountKeys;
}

export function createGuestGate({ database, clock, keys }: GuestGateDeps) {
  const inAccount = <T>({ accountId }: Nas, work: (tx: Tx) => Promise<T>) =>
    database.withTenant({ accountId, userId: null, gwids: null }, work);

  return {
    /** Redeems a credential once, within 60 s; null refuses. */
    redeem: (
      nas: Nas,
      request: Redeem,
    ): Promise<{ sessionId: string; limits: GuestLimits; secondsLeft: number | null; maxBytes: number } | null> =>
      inAccount(nas, async (tx) => {
        const now = clock.now();
        const session = await findTicket(tx, nas, request.username);
        if (session?.state !== 'offered' || session.offer_until <= now) return null;
        const mac = request.mac === null ? null : macOf(request.mac);
        // worthless on another device
        if (session.verified && mac !== null && session.mac !== null && mac !== session.mac) return null;
        const credential = await openCredential(tx, keys, session);
        if (!credential || !request.proves(credential)) return null;
        const { acctSessionId: acct_session_id, ip } = request;
        // a page without a signature only claims the MAC; RADIUS reports the gateway's own
        const seen = !session.verified && mac !== null ? { mac, verified: true } : {};
        if (!(await putOnline(tx, session, now, { acct_session_id, ip: ip ?? session.ip, ...seen }))) return null;
        const { minutes, up_kbps, down_kbps, devices, times_per_day } = session;
        const granted = await findSession(tx, nas, session.id);
        return {
          sessionId: session.id,
          limits: { minutes, up_kbps, down_kbps, devices, times_per_day },
          secondsLeft: secondsLeft(granted?.expires_at ?? null, now),
          maxBytes: session.max_bytes,
        };
      }),

    /** Is idempotent: bytes are totals. */
    account: (nas: Nas, event: AccountingEvent): Promise<void> =>
      inAccount(nas, async (tx) => {
        const now = clock.now();
        if (event.kind === 'nas_reset') return endOnline(tx, nas, now, 'gateway_restarted');
        const session = await findTicket(tx, nas, event.username);
        if (!session) return;
        const seen = {
          acct_session_id: event.acctSessionId,
          // a late packet must not lower totals
          up_bytes: Math.max(event.upBytes, session.up_bytes),
          down_bytes: Math.max(event.downBytes, session.down_bytes),
          last_seen: now,
          ...(event.upBytes > session.up_bytes ? { active_at: now } : {}),
        };
        const ended = { state: 'ended', ended_at: now, end_reason: event.cause ?? 'gateway' } as const;
        const used = session.max_bytes > 0 && seen.up_bytes + seen.down_bytes >= session.max_bytes;
        const over = { state: 'ended', ended_at: now, end_reason: 'data_used' } as const;
        const change = event.kind === 'stop' ? { ...seen, ...ended } : { ...seen, ...(used ? over : {}) };
        if (event.kind !== 'stop') await resumeSession(tx, session, now);
        await changeSession(tx, session, ['online'], change);
        // the console ended it first
        if (event.kind === 'stop' && session.granted_at && session.state === 'ended')
          await changeSession(tx, session, ['ended'], { up_bytes: seen.up_bytes, down_bytes: seen.down_bytes });
      }),
  };
}

export type GuestGate = ReturnType<typeof createGuestGate>;
