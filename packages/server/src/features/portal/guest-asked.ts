import { portalShapes } from '@yunxun/contract';
import { typedCode } from '../../platform/crypto/codes.ts';
import type { Tx } from '../../platform/database/index.ts';
import { couponCode } from '../billing/goods/index.ts';
import type { Arrival } from './adapters/adapter.ts';
import type { Asked, Guess, GuestAct } from './guest-limits.ts';
import type { GuestSite } from './guest-site.ts';
import { findMemberByName } from './member-store.ts';
import type { PortalSecrets } from './secrets.ts';
import { provedBy } from './session-store.ts';
import { deviceKeyOf, sourceOf } from './source.ts';
import type { SiteKey } from './visit-store.ts';

type Form = Readonly<Record<string, string>>;

function actOf(form: Form, { verified }: Arrival): GuestAct | null {
  const { way = '', step } = form;
  if (portalShapes.isLoginMethod(way)) return 'logins';
  if (way === 'sms' && step === 'send') return 'codes';
  if (way === 'sponsor') return 'requests';
  if (way === 'purchase') return step === 'resume' ? null : 'purchases';
  return verified ? null : 'signIns';
}

const longest = 20;

const guessing: ReadonlySet<string> = new Set(['password', 'dynamic_password', 'voucher', 'recharge_card', 'sms']);

function isGuess({ way = '', step, coupon = '' }: Form): boolean {
  if (way === 'purchase') return step !== 'resume' && couponCode(coupon) !== '';
  return guessing.has(way) && !(way === 'sms' && step === 'send');
}

/** Codes of another length hit nothing of a batch. */
function subjectOf({ way, voucher = '' }: Form): Guess['subject'] {
  if (way === 'recharge_card') return { kind: 'prepaid', name: 'cards' };
  return way === 'voucher' ? { kind: 'prepaid', name: String(Math.min(longest, typedCode(voucher).length)) } : null;
}

export async function accountGuess(
  tx: Tx,
  secrets: PortalSecrets,
  site: SiteKey,
  { name, device }: { name: string; device: Buffer | null },
): Promise<Guess> {
  const member = await findMemberByName(tx, site, name);
  const identity = secrets.hash(site.accountId, 'member', member?.id ?? '');
  const isProved = device !== null && (await provedBy(tx, site, device, { method: 'account', identity }));
  return { subject: { kind: 'account', name: member?.id ?? name.slice(0, 64).trim().toLowerCase() }, isProved };
}

export async function askedOf(
  tx: Tx,
  secrets: PortalSecrets,
  { site }: GuestSite,
  { form, arrival, ip }: { form: Form; arrival: Arrival; ip: string },
): Promise<Asked> {
  const source = sourceOf(secrets, site, arrival, ip);
  const asked = { site, source, act: actOf(form, arrival) };
  const device = arrival.verified ? deviceKeyOf(secrets, site, arrival) : null;
  if (form.way === 'account')
    return { ...asked, guess: await accountGuess(tx, secrets, site, { name: form.name ?? '', device }) };
  if (!isGuess(form)) return { ...asked, guess: null };
  const method = form.way ?? '';
  const isProved = device !== null && (await provedBy(tx, site, device, { method, identity: null }));
  return { ...asked, guess: { subject: subjectOf(form), isProved } };
}
