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
import { deviceKeyOf } from './sign-in.ts';
import { sourceOf } from './source.ts';
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

/** Secrets that a guess may hit. Codes of another length than a batch has hit none of it. */
function subjectOf({ way = '', step, ...form }: Form): string | null {
  if (way === 'password' || way === 'dynamic_password') return 'password';
  if (way === 'voucher') return `voucher ${Math.min(longest, typedCode(form.voucher ?? '').length)}`;
  if (way === 'recharge_card') return 'card';
  if (way === 'purchase' && step !== 'resume' && couponCode(form.coupon ?? '') !== '') return 'coupon';
  return way === 'sms' && step !== 'send' ? 'sms' : null;
}

/** Limits of an account's guesses, typed in whatever way. */
export async function accountGuess(
  tx: Tx,
  secrets: PortalSecrets,
  site: SiteKey,
  { name, device }: { name: string; device: Buffer | null },
): Promise<Guess> {
  const member = await findMemberByName(tx, site, name);
  const identity = secrets.hash(site.accountId, 'member', member?.id ?? '');
  const proved = device ? await provedBy(tx, site, device, { method: 'account', identity }) : nothing;
  return { subject: `account ${member?.id ?? name.slice(0, 64).trim().toLowerCase()}`, proved };
}

const nothing: Guess['proved'] = { network: false, subject: false };

/** Finds what a form asks for, and whose limits that spends. */
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
  const subject = subjectOf(form);
  if (subject === null) return { ...asked, guess: null };
  const method = form.way ?? '';
  const proved = device ? await provedBy(tx, site, device, { method, identity: null }) : nothing;
  // each code has its own limit of attempts
  return { ...asked, guess: { subject, proved: { ...proved, subject: proved.subject || subject === 'sms' } } };
}
