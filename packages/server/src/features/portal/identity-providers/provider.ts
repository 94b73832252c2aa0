import type { LoginMethodKind, PortalMethod } from '@yunxun/contract';
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

const isLogin = (method: PortalMethod): method is LoginMethod => method.kind === 'oidc';

export const loginOf = (methods: readonly PortalMethod[], kind: string): LoginMethod | undefined =>
  methods.filter(isLogin).find((method) => method.kind === kind);

/** Returns the addresses that guests open before they are online. */
export function loginPages(method: PortalMethod): string[] {
  return isLogin(method) ? [method.issuer] : [];
}

const maxName = 64;

export function shownName({ name, email, subject }: Person): string {
  const clean = name.replace(/\p{Cc}/gu, '').trim();
  return (clean || email || subject).slice(0, maxName);
}
