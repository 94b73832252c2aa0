import { Type } from 'typebox';
import { endpoint } from './endpoint.ts';
import { deviceStatuses } from './enums.ts';
import { jobStatuses } from './jobs.ts';
import { Id, ListOf, Nullable, Words } from './shapes.ts';

/** In the order of groups of equal exactness. */
export const searchKinds = [
  'network',
  'device',
  'client',
  'ssid',
  'template',
  'sdwan',
  'person',
  'job',
  'peripheral',
  'alarm',
] as const;
export type SearchKind = (typeof searchKinds)[number];

/** A whole field, the start of one, or inside one. */
export const searchMatches = ['exact', 'start', 'part'] as const;

/** Null: its kind has no such field. */
const Hit = Type.Object({
  kind: Words(searchKinds),
  /** `gwid`, serial, MAC address, SSID, or an id. */
  id: Type.String(),
  /** Remark, host name or MAC; type of a job; text of an alarm. */
  title: Type.String(),
  /** Model, address, login, target of a job, or group or member of an SD-WAN network. */
  detail: Nullable(Type.String()),
  /** Of devices and templates; role, or level. */
  type: Nullable(Type.String()),
  /** Or the only one with the SSID. */
  gwid: Nullable(Id),
  network: Nullable(Type.String()),
  status: Nullable(Words([...deviceStatuses, ...jobStatuses])),
  match: Words(searchMatches),
});

export const query = endpoint({
  access: 'user',
  method: 'POST',
  permission: 'network.read',
  effect: 'read',
  object: {},
  path: '/api/v3/search/query',
  summary:
    'Finds networks, devices, clients, peripheral devices, SSIDs, templates, SD-WAN networks, members, jobs and alarms by a word: a name or a part of it, pinyin initials, a MAC address in any notation or a part of it, an IP address or network. Only what the caller may read is found.',
  body: Type.Object({
    keyword: Type.String({ minLength: 1, maxLength: 64 }),
    /** Default: all. */
    kinds: Type.Optional(Type.Array(Words(searchKinds), { maxItems: searchKinds.length })),
    /** Of each kind; default 5. */
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 20 })),
  }),
  /** Most exact kinds first; `total`: length. */
  data: ListOf(Hit),
  example: () => ({ keyword: 'lobby' }),
});
