import type { Static, TSchema } from 'typebox';
import type { Permission } from './permissions.ts';
import type { World } from './world.ts';

/** Who may call: anybody, or a signed-in person (the permission is asked after that). */
export type Access = 'public' | 'user';

/** What a call does: reads, writes rows, or starts work on devices (answers `data.job_id`). */
export type Effect = 'read' | 'write' | 'device';

/** What an id in the input names; the isolation test and the permission check follow it. */
export type ObjectKind =
  | 'network'
  | 'device'
  | 'station'
  | 'job'
  | 'backup'
  | 'firmware'
  | 'message'
  | 'session'
  | 'token'
  | 'passkey'
  | 'member'
  | 'invitation'
  | 'grant'
  | 'operation'
  | 'view'
  | 'group'
  | 'tool'
  | 'plan'
  | 'template'
  | 'password'
  | 'change'
  | 'account';

/** The one declaration of an endpoint. Route, validation, permission, rate limit, OpenAPI, typed client, isolation and audit tests are made from it. */
export interface EndpointSpec<
  Path extends string,
  Method extends 'GET' | 'POST',
  Who extends Access,
  Body extends TSchema,
  Data extends TSchema,
  Own extends boolean = boolean,
> {
  /** Fastify form: `/api/v3/network/update`, `/api/v3/sms_code_for_mobile/:mobile`. */
  path: Path;
  method: Method;
  access: Who;
  /** Null: whoever passes `access`. */
  permission: Permission | null;
  /** Input fields that hold ids (one, or a list), and what they name. Empty when the input names nothing. */
  object: Readonly<Record<string, ObjectKind>>;
  effect: Effect;
  /** The JSON body of a POST; the path parameters of a GET. */
  body: Body;
  data: Data;
  /** Set for sign-in calls, whose envelope carries `token` beside `data`. */
  token?: true;
  /** A write that leaves no operation-log row says why (the audit test lists them). */
  unaudited?: string;
  /**
   * The handler waits for a device, hashes a password, or works on what belongs to no account: it opens short
   * transactions of its own instead of holding one meanwhile.
   */
  ownTransaction?: Own;
  /** About the person: works in the person's own account, whatever account the header `account` names. */
  personal?: true;
  /** Asks that the session was signed in, or confirmed with the password or a second factor, in the last ten minutes (4015). */
  confirm?: true;
  /** Only for the person at a console: an API token is answered 4015, as where `confirm` is asked. */
  interactive?: true;
  /** Calls allowed per address and window beyond the general limit. */
  limit?: { max: number; windowSeconds: number };
  /** One sentence for the OpenAPI page. */
  summary: string;
  /** Valid input in the test world. */
  example: (world: World) => Static<Body>;
}

/** Any endpoint, whatever its schemas. */
export type AnyEndpoint = Omit<EndpointSpec<string, 'GET' | 'POST', Access, TSchema, TSchema>, 'example'> & {
  example: (world: World) => unknown;
};

/** Declares an endpoint; a forgotten field does not compile. */
export function endpoint<
  const Path extends string,
  const Method extends 'GET' | 'POST',
  const Who extends Access,
  Body extends TSchema,
  Data extends TSchema,
  const Own extends boolean = false,
>(spec: EndpointSpec<Path, Method, Who, Body, Data, Own>): EndpointSpec<Path, Method, Who, Body, Data, Own> {
  return spec;
}

/** Whether an API token may call an endpoint at all; what asks that the person is there answers it 4015. */
export function takesTokens({ access, confirm, interactive }: Pick<AnyEndpoint, 'access' | 'confirm' | 'interactive'>) {
  return access === 'user' && !confirm && !interactive;
}

/** Input type of an endpoint. */
export type InputOf<E extends { body: TSchema }> = Static<E['body']>;
/** Type of an endpoint's `data`. */
export type DataOf<E extends { data: TSchema }> = Static<E['data']>;
