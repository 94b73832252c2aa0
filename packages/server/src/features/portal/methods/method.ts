import type { LoginMethodKind, PortalMethod, PortalMethodKind } from '@yunxun/contract';
import type { MethodData, PortalError } from '@yunxun/portal';
import type { AccountKeys } from '../../../platform/crypto/account-keys.ts';
import type { Tx } from '../../../platform/database/index.ts';
import type { InTenant } from '../../../platform/http/call.ts';
import type { Outbox } from '../../../platform/outbox/index.ts';
import type { Goods } from '../../billing/index.ts';
import type { SmsSender } from '../../sms/index.ts';
import type { Guess, GuestAct } from '../guest-limits.ts';
import type { Form, GuestRequest, GuestSite, PageAnswer, PageFrame, PageState } from '../page-frame.ts';
import type { PayPass } from '../payments/pay-pass.ts';
import type { Refused } from '../refused.ts';
import type { PortalSecrets } from '../secrets.ts';
import type { Session } from '../session-store.ts';
import type { SiteKey } from '../visit-store.ts';
import type { Person } from './login/person.ts';
import type { IdentityProvider, LoginMethod, ProviderOptions } from './login/provider.ts';
import type { Guessing, Proof } from './proof.ts';

export interface ProofDeps {
  secrets: PortalSecrets;
  keys: AccountKeys;
  goods: Pick<Goods, 'redeemCard' | 'purchases'>;
}

export interface MethodDeps extends ProofDeps {
  sms: SmsSender;
  outbox: Pick<Outbox, 'queue' | 'flush' | 'toFile'>;
  origin(): string;
}

export interface Attempt {
  site: SiteKey;
  form: Form;
  now: Date;
  deviceKey: Buffer;
  /** Of `Method.proveFirst`. */
  provenHash: string | null;
  person?: Person | undefined;
}

export interface Submitted {
  answer: PageAnswer;
  refused: Refused | null;
  pass?: PayPass | null;
}

export type Step = (
  tx: Tx,
  guest: GuestSite,
  form: Form,
  request: GuestRequest,
  state: PageState,
) => Promise<Submitted>;

export type ShowPage = (tx: Tx, guest: GuestSite, fields: Form, request: GuestRequest) => Promise<PageAnswer>;

export interface MethodPages {
  /** Takes a step before the sign-in, which needs no terms accepted; null: none. */
  before?: (...asked: Parameters<Step>) => Promise<Submitted> | null;
  submit?: Step;
  /** By the last part of their address; `posts` take a form. */
  pages?: Readonly<Record<string, ShowPage>>;
  posts?: Readonly<Record<string, ShowPage>>;
}

/** All but the proof is optional. */
export interface AnyMethod<M extends PortalMethod = PortalMethod> {
  /** @throws Refused */
  prove(deps: ProofDeps, tx: Tx, attempt: Attempt, method: M): Promise<Proof>;
  /** Runs before the transaction, for proofs that wait. */
  proveFirst?(inTenant: InTenant, site: SiteKey, form: Form): Promise<string | null>;
  /** A known device signs in again, or extends its session, without a proof. */
  renews?: true;
  wrong?: readonly PortalError[];
  /** Null: guesses nothing. */
  guess?(guessing: Guessing, form: Form): Promise<Guess | null>;
  /** Returns the queue; undefined: that of sign-ins. */
  act?(form: Form): GuestAct | null | undefined;
  /** Returns the hashes of identities that a whole text may name. */
  hashesOf?(secrets: PortalSecrets, accountId: string, text: string): Buffer[];
  typed?(form: Form): string;
  /** Returns when the session's minutes began; default: now. */
  began?(tx: Tx, session: Session, now: Date): Promise<Date>;
  sends?: 'sms' | 'email';
  /** Returns addresses that guests open before the sign-in. */
  opens?(method: M): string[];
  pages?(deps: MethodDeps, frame: PageFrame): MethodPages;
  data?(
    deps: MethodDeps,
    tx: Tx,
    shown: { guest: GuestSite; state: PageState; request: GuestRequest },
  ): Promise<MethodData[M['kind']]>;
  createProvider?(options: ProviderOptions): IdentityProvider<LoginMethod>;
}

type Required<K extends PortalMethodKind> =
  | (undefined extends MethodData[K] ? never : 'data')
  | (K extends LoginMethodKind ? 'createProvider' | 'opens' : never);

export type MethodOf<K extends PortalMethodKind> = Extract<PortalMethod, { kind: K }>;

/** Requires what the method's form or identity provider needs. */
export type Method<K extends PortalMethodKind> = AnyMethod<MethodOf<K>> & {
  [N in Required<K>]-?: NonNullable<AnyMethod<MethodOf<K>>[N]>;
};
