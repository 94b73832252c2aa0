import type { GuestLimits, RadiusGuestRefusal } from '@yunxun/contract';
import type { Clock } from '../../../platform/clock.ts';
import type { AccountKeys } from '../../../platform/crypto/account-keys.ts';
import type { Database, Tx } from '../../../platform/database/index.ts';
import type { GuestAccounting } from '../../radius/index.ts';
import { macOf } from '../adapters/adapter.ts';
import { claimDevice } from '../claim-device.ts';
import { openCredential, putOnline, secondsLeft } from '../grant.ts';
import type { PortalSecrets } from '../secrets.ts';
import { allowance } from '../session-bytes.ts';
import { changeSession, findSession, findTicket, type Session } from '../session-store.ts';
import type { SiteKey } from '../visit-store.ts';
import { createAccountingGate } from './accounting-gate.ts';
import type { MemberProofs } from './member-proofs.ts';
import type { KnownMember, MemberGate, Redeem } from './member-radius.ts';
import { voidPlace } from './proof-voids.ts';

export interface GuestGateDeps {
  database: Database;
  clock: Clock;
  keys: AccountKeys;
  secrets: PortalSecrets;
  /** Absent: one-time credentials only. */
  members?: MemberGate;
  proofs?: MemberProofs;
}

interface Granted {
  sessionId: string;
  limits: GuestLimits;
  secondsLeft: number | null;
  maxBytes: number;
}

interface Grant extends Omit<Granted, 'secondsLeft'> {
  expiresAt: Date | null;
  acctSessionId: string | null;
}

type Refused = RadiusGuestRefusal;

export function createGuestGate({ database, clock, keys, secrets, members, proofs }: GuestGateDeps) {
  const inAccount = <T>({ accountId }: SiteKey, work: (tx: Tx) => Promise<T>) =>
    database.withTenant({ accountId, userId: null, gwids: null }, work);

  async function grant(tx: Tx, nas: SiteKey, session: Session, request: Redeem, now: Date): Promise<Grant | Refused> {
    const mac = request.mac === null ? null : macOf(request.mac);
    const { acctSessionId, ip } = request;
    // a page without a signature only claims the MAC; RADIUS reports the gateway's own
    const seen = !session.verified && mac !== null ? await claimDevice(tx, secrets, nas, { session, mac, now }) : {};
    if (seen === 'devices' || seen === 'times') return seen;
    // an account's session waits for no page
    const from = session.state === 'waiting' ? 'waiting' : 'offered';
    const extra = { acct_session_id: acctSessionId, ip: ip ?? session.ip, ...seen };
    const online = await putOnline(tx, session, now, extra, from);
    return online ? grantOf(session, { ...online, acctSessionId }) : 'unknown_user';
  }

  async function place(
    tx: Tx,
    session: Session,
    { acctSessionId, ip }: Redeem,
    more: { credential?: null } = {},
  ): Promise<boolean> {
    voidPlace(tx, session, acctSessionId);
    return changeSession(tx, session, ['online'], { acct_session_id: acctSessionId, ip: ip ?? session.ip, ...more });
  }

  async function move(tx: Tx, session: Session, request: Redeem): Promise<Grant> {
    const { acctSessionId } = request;
    await place(tx, session, request, { credential: null });
    return { ...grantOf(session, { expiresAt: session.expires_at, acctSessionId }), maxBytes: allowance(session) };
  }

  /** Redeems a credential once, within 60 s; null: there is none of this name. */
  async function redeemTicket(tx: Tx, nas: SiteKey, request: Redeem, now: Date): Promise<Grant | Refused | null> {
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
    return isMoving ? move(tx, session, request) : grant(tx, nas, session, request, now);
  }

  /** Costs no statement while the device keeps its Acct-Session-Id, and may use any amount of data. */
  async function recall(nas: SiteKey, request: Redeem): Promise<Grant | null> {
    const proven = (await proofs?.recall(nas, request)) ?? null;
    if (!proofs || !proven) return null;
    const { acctSessionId } = request;
    if (acctSessionId !== null && acctSessionId === proven.acctSessionId && proven.maxBytes === 0) return proven;
    const session = await inAccount(nas, async (tx) => {
      const found = await findSession(tx, nas, proven.sessionId);
      // at another access point, or perhaps: its reports have to find the session
      return found && (await place(tx, found, request)) ? found : null;
    });
    if (!session) {
      proofs.drop(nas, request);
      return null;
    }
    proven.acctSessionId = acctSessionId;
    return { ...proven, maxBytes: allowance(session) };
  }

  async function redeemMember(
    gate: MemberGate,
    nas: SiteKey,
    request: Redeem,
    { member, began, now }: { member: KnownMember; began: number; now: Date },
  ): Promise<Grant | Refused> {
    const wrong = await gate.check(member, request, now);
    if (wrong) return wrong;
    const granted = await inAccount(nas, async (tx) => {
      const session = await gate.admit(tx, nas, request, member, now);
      if (typeof session === 'string') return session;
      return session.state === 'online' ? move(tx, session, request) : grant(tx, nas, session, request, now);
    });
    if (typeof granted !== 'string') proofs?.keep(began, nas, request, member, granted);
    return granted;
  }

  async function redeem(nas: SiteKey, request: Redeem, now: Date): Promise<Grant | Refused> {
    const recalled = await recall(nas, request);
    if (recalled) return recalled;
    const began = proofs?.begin() ?? 0;
    const found = await inAccount(nas, async (tx) => {
      const granted = await redeemTicket(tx, nas, request, now);
      return granted ?? (members ? members.find(tx, nas, request) : 'unknown_user');
    });
    if (typeof found === 'string' || 'sessionId' in found) return found;
    return redeemMember(members!, nas, request, { member: found, began, now });
  }

  const accountAll = createAccountingGate({ database, clock });

  return {
    async redeem(nas: SiteKey, request: Redeem): Promise<Granted | Refused> {
      const now = clock.now();
      const found = await redeem(nas, request, now);
      if (typeof found === 'string') return found;
      const { sessionId, limits, maxBytes, expiresAt } = found;
      return { sessionId, limits, maxBytes, secondsLeft: secondsLeft(expiresAt, now) };
    },

    accountAll,

    async account(place: SiteKey, event: GuestAccounting): Promise<void> {
      const [failed] = await accountAll([{ place, event }]);
      if (failed) throw failed;
    },
  };
}

export type GuestGate = ReturnType<typeof createGuestGate>;

function grantOf(session: Session, online: Pick<Grant, 'expiresAt' | 'acctSessionId'>): Grant {
  const { id, minutes, up_kbps, down_kbps, devices, times_per_day, max_bytes: maxBytes } = session;
  return { sessionId: id, limits: { minutes, up_kbps, down_kbps, devices, times_per_day }, maxBytes, ...online };
}
