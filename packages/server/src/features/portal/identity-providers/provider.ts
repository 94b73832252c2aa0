import { type LoginMethodKind, type PortalMethod, portalShapes } from '@yunxun/contract';
import type { PageLocale } from '@yunxun/portal';

export type LoginMethod = Extract<PortalMethod, { kind: LoginMethodKind }>;

export interface Person {
  issuer: string;
  /** Constant at the issuer. */
  subject: string;
  name: string;
  email: string | null;
}

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

export type IdentityProviders = { [M in LoginMethod as M['kind']]: IdentityProvider<M> };

export interface ProviderOptions {
  /** Of tests; otherwise the service's own. */
  endpoint: string | undefined;
  privateAddresses: boolean;
}

const isLogin = (method: PortalMethod): method is LoginMethod => portalShapes.isLoginMethod(method.kind);

export const loginOf = (methods: readonly PortalMethod[], kind: string): LoginMethod | undefined =>
  methods.filter(isLogin).find((method) => method.kind === kind);

/** Names the application: its answers and subjects count for no other. */
export function appOf(method: LoginMethod): string {
  return JSON.stringify([method.kind, method.kind === 'oidc' ? method.issuer : '', method.client_id]);
}

/** Names the application with the rules of its guests. */
export function admissionOf(method: LoginMethod): string {
  return JSON.stringify([appOf(method), 'allowed' in method ? method.allowed.toSorted() : []]);
}

/** Returns the addresses that guests open before they are online. */
export function loginPages(method: PortalMethod): string[] {
  if (method.kind === 'oidc') return [method.issuer];
  return isLogin(method) ? pages[method.kind].map((host) => `https://${host}`) : [];
}

/**
 * The first host of each is the documented address of the page. The others are hosts from which these pages load: the
 * documentation does not name them, and they have not been tested.
 */
const pages = {
  wechat: ['open.weixin.qq.com', 'lp.open.weixin.qq.com', 'res.wx.qq.com'],
  wecom: ['login.work.weixin.qq.com', 'wwcdn.weixin.qq.com'],
  dingtalk: ['login.dingtalk.com', 'g.alicdn.com'],
} as const;

type Claims = Readonly<Record<string, unknown>>;

/** Returns an empty text without one: an unverified address may be anyone's. */
export function verifiedEmail({ email, email_verified: verified }: Claims): string {
  return verified === true && typeof email === 'string' ? email.toLowerCase() : '';
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

const maxName = 64;

export function shownName({ name, email, subject }: Person): string {
  const texts = [name, email ?? '', subject].map((text) => text.replace(/\p{Cc}/gu, '').trim());
  return (texts.find(Boolean) ?? '').slice(0, maxName);
}
