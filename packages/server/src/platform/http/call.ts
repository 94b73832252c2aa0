import type { Access, Actor, AnyEndpoint, DataOf, InputOf, Locale } from '@yunxun/contract';
import type { TSchema } from 'typebox';
import type { Acting } from '../acting.ts';
import type { Tx } from '../database/index.ts';

/** What the caller's connection tells. */
export interface Caller {
  ip: string;
  userAgent: string;
  locale: Locale;
  /** The bearer token, when the request carries one. */
  token: string | null;
  /** How the request came: over TLS of our own, over TLS of a proxy on this machine, or in the open. */
  tls: 'console' | 'proxy' | 'none';
}

/** A signed-in caller: who acts, and in which session. */
export interface Identity {
  actor: Actor;
  /** The session, or the API token, that the bearer stands for. */
  sessionId: string;
  /** Until when the person at the keyboard counts as known for sure; null when that is over, and always for an API token. */
  confirmedUntil: Date | null;
  /** Whose view of the account is shown, while `actor.viewing`. */
  viewAs?: string;
}

interface BaseCall<E extends { body: TSchema }> {
  input: InputOf<E>;
  caller: Caller;
  /** Sets the `token` beside `data`; sign-in calls only. */
  setToken(token: string): void;
}

interface SignedInCall<E extends { body: TSchema }> extends BaseCall<E> {
  identity: Identity;
  acting: Acting;
}

/** What a handler of a signed-in endpoint gets: a transaction in the account acted in. */
export interface UserCall<E extends { body: TSchema }> extends SignedInCall<E> {
  tx: Tx;
}

/** Runs work in a transaction under the row security of the caller. */
export type InTenant = <T>(work: (tx: Tx) => Promise<T>) => Promise<T>;

/** What a handler gets whose endpoint declares `ownTransaction`; the objects that its input names were there a moment ago. */
export interface WaitingCall<E extends { body: TSchema }> extends SignedInCall<E> {
  inTenant: InTenant;
}

/** What a handler of a public endpoint gets; it opens its own transactions. */
export type PublicCall<E extends { body: TSchema }> = BaseCall<E>;

/** The handler that fits an endpoint's declaration. */
export type Handler<E extends { access: Access; body: TSchema; data: TSchema; ownTransaction?: boolean }> = (
  call: E['access'] extends 'user'
    ? E extends { ownTransaction?: true }
      ? WaitingCall<E>
      : UserCall<E>
    : PublicCall<E>,
) => Promise<DataOf<E>>;

/** A handler for each endpoint of a feature's contract; a missing one does not compile. */
export type Handlers<Group> = {
  [K in keyof Group as Group[K] extends { path: string; body: TSchema } ? K : never]: Group[K] extends {
    access: Access;
    body: TSchema;
    data: TSchema;
    ownTransaction?: boolean;
  }
    ? Handler<Group[K]>
    : never;
};

/** An endpoint with its handler, ready to be mounted. */
export interface Route {
  endpoint: AnyEndpoint;
  handle: (call: UserCall<AnyEndpoint> | WaitingCall<AnyEndpoint> | PublicCall<AnyEndpoint>) => Promise<unknown>;
}

/** Binds a feature's endpoints to their handlers. */
export function implement<Group extends object>(group: Group, handlers: Handlers<Group>): Route[] {
  const bound = handlers as object as Record<string, Route['handle']>;
  return Object.entries(group)
    .filter(([name]) => name in bound)
    .map(([name, endpoint]) => ({ endpoint: endpoint as AnyEndpoint, handle: bound[name]! }));
}
