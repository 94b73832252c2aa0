import type { Tx } from '../../platform/database/index.ts';
import { dayStartOf } from './day-start.ts';
import { methodNamed } from './methods/index.ts';
import { closingOf } from './opening.ts';
import type { GuestSite } from './page-frame.ts';
import { Refused } from './refused.ts';
import { countSignIns, type Session } from './session-store.ts';

/** Returns the template's minutes if the session can be extended by then; null: not yet, or never. */
export function extensionOf({ published, adapter }: GuestSite, session: Session, now: Date): number | null {
  const { state, method: kind, expires_at: end } = session;
  const method = published.content.methods.find((one) => one.kind === kind);
  if (!adapter.takesOrders || !method || !methodNamed(kind)?.renews || state !== 'online' || end === null) return null;
  // earlier extensions would add little and use up a sign-in of the day
  const left = end.getTime() - now.getTime();
  return method.minutes > 0 && left > 0 && left <= method.minutes * 30_000 ? method.minutes : null;
}

/**
 * Returns the new end.
 * @throws Refused if the guest has no sign-in left today, or the template is closed
 */
export async function extend(tx: Tx, guest: GuestSite, session: Session, now: Date): Promise<Date> {
  const minutes = extensionOf(guest, session, now);
  const method = guest.published.content.methods.find(({ kind }) => kind === session.method);
  if (minutes === null || !method) throw new Refused('state_old');
  if (method.times_per_day > 0) {
    const { identity_hash: identity, device_key: deviceKey, method: kind } = session;
    const dayStart = await dayStartOf(tx, guest.site.accountId, now);
    const times = await countSignIns(tx, guest.site, { identity, deviceKey, method: kind }, dayStart, now);
    if (times >= method.times_per_day) throw new Refused('times', { limit: method.times_per_day });
  }
  const closes = await closingOf(tx, guest.site.accountId, guest.published.content, now);
  const end = now.getTime() + minutes * 60_000;
  return closes && closes.getTime() < end ? closes : new Date(end);
}
