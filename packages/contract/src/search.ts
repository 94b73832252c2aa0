import { Type } from 'typebox';
import { endpoint } from './endpoint.ts';
import { deviceStatuses } from './enums.ts';
import { jobStatuses } from './jobs.ts';
import { Id, ListOf, Nullable, Time, Words } from './shapes.ts';

/** In the order of groups of equal exactness. */
export const searchKinds = [
  'network',
  'device',
  'client',
  'guest',
  'ssid',
  'template',
  'sdwan',
  'person',
  'job',
  'peripheral',
  'alarm',
  'log',
] as const;
export type SearchKind = (typeof searchKinds)[number];

/** A whole field, the start of one, or inside one. */
export const searchMatches = ['exact', 'start', 'part'] as const;

/** Null: its kind has no such field. */
const Hit = Type.Object({
  kind: Words(searchKinds),
  /** `gwid`, serial, MAC address, SSID, or an id. */
  id: Type.String(),
  /** Remark, host name or MAC; type of a job; text of an alarm; object of a log entry. */
  title: Type.String(),
  /** Model, address, login, target of a job, group or member of an SD-WAN network, or who made the log entry. */
  detail: Nullable(Type.String()),
  /** Of devices and templates; way to sign in of guests; role, level, or action. */
  type: Nullable(Type.String()),
  /** Or the only one with the SSID. */
  gwid: Nullable(Id),
  network: Nullable(Type.String()),
  status: Nullable(Words([...deviceStatuses, ...jobStatuses])),
  match: Words(searchMatches),
  /** Of a log entry. */
  at: Type.Optional(Time),
});

export const query = endpoint({
  access: 'user',
  method: 'POST',
  permission: 'network.read',
  effect: 'read',
  object: {},
  path: '/api/v3/search/query',
  bodyBytes: 40 * 1024,
  summary:
    'Finds networks, devices, clients, guests of the portal, peripheral devices, SSIDs, templates, SD-WAN networks, members, jobs, alarms and the latest 1,000 entries of the operation log by a word: a name or a part of it, its pinyin or pinyin initials, a MAC address in any notation or a part of it, an IP address or network. Only what the caller may read is found.',
  body: Type.Object({
    keyword: Type.String({ minLength: 1, maxLength: 64 }),
    /** Default: all. */
    kinds: Type.Optional(Type.Array(Words(searchKinds), { maxItems: searchKinds.length })),
    /** Of each kind; default 5. */
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 20 })),
    /** Their localized text matches the keyword. */
    log_actions: Type.Optional(Type.Array(Type.String({ maxLength: 64 }), { maxItems: 200 })),
  }),
  /** Most exact kinds first; `total`: length. */
  data: ListOf(Hit),
  example: () => ({ keyword: 'lobby' }),
});
