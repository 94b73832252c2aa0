import type { Static, TSchema } from 'typebox';
import type { Permission } from './permissions.ts';
import type { Seed } from './seed.ts';

export type Access = 'public' | 'user';

/** `device` answers `data.job_id`. */
export type Effect = 'read' | 'write' | 'device';

/** Used by the isolation test and the permission check. */
export type ObjectKind =
  | 'network'
  | 'device'
  | 'station'
  | 'job'
  | 'backup'
  | 'firmware'
  | 'message'
  | 'alarm'
  | 'alarm_browser'
  | 'alarm_rule'
  | 'subscription'
  | 'report'
  | 'session'
  | 'token'
  | 'passkey'
  | 'member'
  | 'role'
  | 'invitation'
  | 'grant'
  | 'operation'
  | 'view'
  | 'group'
  | 'maintenance'
  | 'tool'
  | 'plan'
  | 'template'
  | 'password'
  | 'portal_template'
  | 'change'
  | 'binding_code'
  | 'portal_session'
  | 'portal_visit'
  | 'portal_member'
  | 'voucher_batch'
  | 'radius_nas'
  | 'peripheral'
  | 'remote_session'
  | 'remote_link'
  | 'shield_allow'
  | 'shield_list'
  | 'package'
  | 'card_batch'
  | 'account_coupon'
  | 'coupon'
  | 'card'
  | 'serial_transfer'
  | 'withdrawal'
  | 'money_decision'
  | 'payment_exception'
  | 'deferred_item'
  | 'clearing_payout'
  | 'clearing_arrival'
  | 'invoice'
  | 'invoice_title'
  | 'invoice_request'
  | 'fapiao'
  | 'sdwan_network'
  | 'sdwan_group'
  | 'sdwan_strategy'
  | 'account';

/** Bytes of a body that an endpoint accepts unless it declares more. */
export const usualBodyBytes = 16 * 1024;

/** Of endpoints of the installation's administrator, which may name another `object`. */
export const inInstallation = {
  access: 'user',
  method: 'POST',
  permission: 'install.admin',
  personal: true,
  // belongs to no account
  ownTransaction: true,
  object: {},
} as const;

/** Source of route, validation, permission, limits, OpenAPI, client and tests. */
export interface EndpointSpec<
  Path extends string,
  Method extends 'GET' | 'POST',
  Caller extends Access,
  Body extends TSchema,
  Data extends TSchema,
  Own extends boolean = boolean,
> {
  /** Fastify form: `/api/v3/sms_code_for_mobile/:mobile`. */
  path: Path;
  method: Method;
  access: Caller;
  /** Null: `access` suffices. */
  permission: Permission | null;
  /** Input fields that hold ids. */
  object: Readonly<Record<string, ObjectKind>>;
  /** Other input fields that name what is written. */
  key?: readonly string[];
  effect: Effect;
  body: Body;
  data: Data;
  token?: true;
  /** Why it needs no log row. */
  unaudited?: string;
  /** Short transactions: waits for a device, hashes, or has no account. */
  ownTransaction?: Own;
  /** Ignores the header `account`. */
  personal?: true;
  /** Sign-in or confirmation of ten minutes (4015). */
  confirm?: true;
  /** Refuses API tokens with 4015. */
  interactive?: true;
  limit?: { max: number; windowSeconds: number };
  /** Maximum size of the body; default: `usualBodyBytes`. */
  bodyBytes?: number;
  summary: string;
  /** Valid input in the test fixture. */
  example: (seed: Seed) => Static<Body>;
}

export type AnyEndpoint = Omit<EndpointSpec<string, 'GET' | 'POST', Access, TSchema, TSchema>, 'example'> & {
  example: (seed: Seed) => unknown;
};

/** Requires every field at compile time. */
export function endpoint<
  const Path extends string,
  const Method extends 'GET' | 'POST',
  const Caller extends Access,
  Body extends TSchema,
  Data extends TSchema,
  const Own extends boolean = false,
>(spec: EndpointSpec<Path, Method, Caller, Body, Data, Own>): EndpointSpec<Path, Method, Caller, Body, Data, Own> {
  return spec;
}

/** Returns false for calls that answer tokens with 4015. */
export function takesTokens({ access, confirm, interactive }: Pick<AnyEndpoint, 'access' | 'confirm' | 'interactive'>) {
  return access === 'user' && !confirm && !interactive;
}

export type InputOf<E extends { body: TSchema }> = Static<E['body']>;
export type DataOf<E extends { data: TSchema }> = Static<E['data']>;
