import type { Access, Actor, AnyEndpoint, DataOf, InputOf, Locale } from '@yunxun/contract';
import type { TSchema } from 'typebox';
import type { Acting } from '../acting.ts';
import type { Tx } from '../database/index.ts';

export interface Caller {
  ip: string;
  userAgent: string;
  locale: Locale;
  token: string | null;
  /** Console TLS, TLS of a trusted proxy, or plain HTTP. */
  tls: 'console' | 'proxy' | 'none';
}

export interface Identity {
  actor: Actor;
  sessionId: string;
  /** Null: over, or an API token. */
  confirmedUntil: Date | null;
  /** While `actor.viewing`. */
  viewAs?: string;
}

interface BaseCall<E extends { body: TSchema }> {
  input: InputOf<E>;
  caller: Caller;
  /** Serves sign-in only. */
  setToken(token: string): void;
}

interface SignedInCall<E extends { body: TSchema }> extends BaseCall<E> {
  identity: Identity;
  acting: Acting;
}

export interface UserCall<E extends { body: TSchema }> extends SignedInCall<E> {
  tx: Tx;
}

export type InTenant = <T>(work: (tx: Tx) => Promise<T>) => Promise<T>;

/** With `ownTransaction`: checked objects may be gone. */
export interface WaitingCall<E extends { body: TSchema }> extends SignedInCall<E> {
  inTenant: InTenant;
}

export type PublicCall<E extends { body: TSchema }> = BaseCall<E>;

export type Handler<E extends { access: Access; body: TSchema; data: TSchema; ownTransaction?: boolean }> = (
  call: E['access'] extends 'user'
    ? E extends { ownTransaction?: true }
      ? WaitingCall<E>
      : UserCall<E>
    : PublicCall<E>,
) => Promise<DataOf<E>>;

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

export interface Route {
  endpoint: AnyEndpoint;
  handle: (call: UserCall<AnyEndpoint> | WaitingCall<AnyEndpoint> | PublicCall<AnyEndpoint>) => Promise<unknown>;
}

export function implement<Group extends object>(group: Group, handlers: Handlers<Group>): Route[] {
  const bound = handlers as object as Record<string, Route['handle']>;
  return Object.entries(group)
    .filter(([name]) => name in bound)
    .map(([name, endpoint]) => ({ endpoint: endpoint as AnyEndpoint, handle: bound[name]! }));
}
