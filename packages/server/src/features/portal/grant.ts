import type { AccountKeys } from '../../platform/crypto/account-keys.ts';
import type { Tx } from '../../platform/database/index.ts';
import { startEntitlement } from '../billing/index.ts';
import { methodNamed } from './methods/index.ts';
import { earliest } from './opening.ts';
import { changeSession, type Session, type SessionChange } from './session-store.ts';
import { changeVisit } from './visit-store.ts';

/** Runs once; null: it did before. Time begins now; a voucher's with its first use. */
export async function putOnline(
  tx: Tx,
  session: Session,
  now: Date,
  extra: Pick<SessionChange, 'acct_session_id' | 'ip' | 'mac' | 'verified' | 'device_key'> = {},
  from: Session['state'] = 'offered',
): Promise<{ expiresAt: Date | null } | null> {
  const expires_at = await endOf(tx, session, now);
  const granted = { state: 'online', credential: null, granted_at: now, last_seen: now, expires_at, ...extra } as const;
  if (!(await changeSession(tx, session, [from], granted))) return null;
  const site = { accountId: session.account_id, gwid: session.gwid };
  await changeVisit(tx, site, session.visit_id, { online_at: now, failure: null });
  return { expiresAt: expires_at };
}

/** Computes the end if granted now; null: never. */
async function endOf(tx: Tx, session: Session, now: Date): Promise<Date | null> {
  const { account_id, entitlement_id } = session;
  if (entitlement_id) return earliest(await startEntitlement(tx, account_id, entitlement_id, now), session.expires_at);
  const began = (await methodNamed(session.method)?.began?.(tx, session, now)) ?? now;
  const ends = session.minutes > 0 ? [began.getTime() + session.minutes * 60_000] : [];
  if (session.expires_at) ends.push(session.expires_at.getTime());
  return ends.length > 0 ? new Date(Math.min(...ends)) : null;
}

/** Returns null for no limit. */
export function secondsLeft(expiresAt: Date | null, now: Date): number | null {
  return expiresAt === null ? null : Math.max(0, Math.ceil((expiresAt.getTime() - now.getTime()) / 1000));
}

/** Computes seconds if granted now; null: no limit. */
export function secondsAt({ minutes, expires_at: end }: Session, now: Date): number | null {
  const whole = minutes > 0 ? minutes * 60 : null;
  if (end === null) return whole;
  const left = Math.max(1, Math.ceil((end.getTime() - now.getTime()) / 1000));
  return whole === null ? left : Math.min(whole, left);
}

/** Computes minutes if granted now; 0: no limit. */
export function minutesAt(session: Session, now: Date): number {
  return Math.ceil((secondsAt(session, now) ?? 0) / 60);
}

const contextOf = (id: string) => `portal credential ${id}`;

export async function sealCredential(tx: Tx, keys: AccountKeys, { account_id, id }: Session, clear: string) {
  return (await keys.of(tx, account_id)).seal(clear, contextOf(id));
}

export async function openCredential(tx: Tx, keys: AccountKeys, { account_id, id, credential }: Session) {
  return credential && (await keys.of(tx, account_id)).open(credential, contextOf(id)).toString();
}
