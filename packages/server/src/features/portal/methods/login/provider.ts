import { type LoginMethodKind, type PortalMethod, portalShapes } from '@yunxun/contract';
import type { PageLocale } from '@yunxun/portal';
import type { Clock } from '../../../../platform/clock.ts';
import { mobileOf, type Person } from './person.ts';

export type LoginMethod = Extract<PortalMethod, { kind: LoginMethodKind }>;

/** Bound to the guest's visit. */
export interface Login {
  redirectUri: string;
  state: string;
  nonce: string;
  verifier: string;
  locale: PageLocale;
}

export interface IdentityProvider<M extends LoginMethod> {
  /** @throws Refused */
  signInUrl(method: M, login: Login): Promise<string>;
  /** Redeems the code of the answer's address. @throws Refused */
  person(method: M, login: Login, answer: URLSearchParams, now: Date): Promise<Person>;
}

export interface ProviderOptions {
  clock: Clock;
  /** Of tests; otherwise the service's own. */
  endpoint: string | undefined;
  privateAddresses: boolean;
}

const isLogin = (method: PortalMethod): method is LoginMethod => portalShapes.isLoginMethod(method.kind);

export const loginOf = (methods: readonly PortalMethod[], kind: string): LoginMethod | undefined =>
  methods.filter(isLogin).find((method) => method.kind === kind);

/** Names the application: its answers and subjects count for no other. */
export function appOf(method: LoginMethod): string {
  return JSON.stringify([method.kind, 'issuer' in method ? method.issuer : '', method.client_id]);
}

/** Names the application with the rules of its guests. */
export function admissionOf(method: LoginMethod): string {
  return JSON.stringify([appOf(method), 'allowed' in method ? method.allowed.toSorted() : []]);
}

type Claims = Readonly<Record<string, unknown>>;

/** Returns an empty text without one: an unverified address may be anyone's. */
export function verifiedEmail({ email, email_verified: verified }: Claims): string {
  return verified === true && typeof email === 'string' ? email.toLowerCase() : '';
}

export function verifiedPhone({ phone_number: phone, phone_number_verified: verified }: Claims): string | null {
  return verified === true ? mobileOf(phone) : null;
}

export function isAllowed(allowed: readonly string[], claims: Claims): boolean {
  const email = verifiedEmail(claims);
  return (
    allowed.length === 0 || allowed.some((rule) => (rule.startsWith('@') ? email.endsWith(rule) : holds(claims, rule)))
  );
}

function holds(claims: Claims, rule: string): boolean {
  const at = rule.indexOf('=');
  const value = claims[rule.slice(0, at)];
  const values = Array.isArray(value) ? value : [value];
  return values.some(
    (one) => ['string', 'number', 'boolean'].includes(typeof one) && String(one) === rule.slice(at + 1),
  );
}
