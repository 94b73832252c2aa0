import type { Frame, PageError, PageLocale, Receipt, SignIn, Way } from '@yunxun/portal';
import type { Tx } from '../../platform/database/index.ts';
import type { Arrival, PortalAdapter } from './adapters/adapter.ts';
import type { Person } from './methods/login/person.ts';
import type { Published } from './published.ts';
import type { Refused } from './refused.ts';
import type { SiteTable } from './tables.ts';
import type { SiteKey } from './visit-store.ts';

export interface GuestSite {
  key: string;
  site: SiteKey;
  row: SiteTable;
  adapter: PortalAdapter;
  secret: string;
  oldSecret: string | null;
  published: Published;
}

export type PageAnswer = { page: string } | { to: string };

/** In forms: the client as its gateway sent it. */
export interface PageState {
  arrival: Arrival;
  visit: string | null;
  at: number;
  terms?: string | null;
}

/** In addresses after the sign-in. */
export interface SessionRef {
  session: string;
  arrival: Arrival;
  /** That the guest chose; missing in addresses of the Captive Portal API. */
  locale?: PageLocale;
  receipt?: Receipt | undefined;
}

export interface GuestRequest {
  now: Date;
  ip: string;
  locale: PageLocale;
  origin: string;
  agent: string;
}

export type Form = Readonly<Record<string, string>>;

export interface Given {
  way: Way;
  form: Form;
  /** Of `Method.proveFirst`. */
  provenHash?: string | null;
  person?: Person;
  receipt?: Receipt;
}

export interface PageFrame {
  path(guest: GuestSite, name: string): string;
  frameOf(guest: GuestSite, request: GuestRequest, visit: string | null, other: string | null): Frame;
  signInAnswer(
    tx: Tx,
    guest: GuestSite,
    request: GuestRequest,
    state: PageState,
    given?: Partial<Pick<SignIn, 'error' | 'typed' | 'data'>>,
  ): Promise<PageAnswer>;
  failed(guest: GuestSite, request: GuestRequest, error: PageError, again?: string | null): PageAnswer;
  tooOld(guest: GuestSite, request: GuestRequest): PageAnswer;
  /** Returns refusals as answers, to keep their counts. */
  enter(tx: Tx, guest: GuestSite, request: GuestRequest, state: PageState, given: Given): Promise<PageAnswer | Refused>;
}
