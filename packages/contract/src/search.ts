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
  /** Of a client its remark, host name or MAC address; of a job its type; of an alarm its text. */
  title: Type.String(),
  /**
   * Model of a device, address of a client, login of a person, target of a job, or group or member
   * of an SD-WAN network.
   */
  detail: Nullable(Type.String()),
  /** Of a device, template or peripheral device; role of a person, level of an alarm. */
  type: Nullable(Type.String()),
  /** Its network, or the only one with the SSID. */
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
  /** Kinds with the most exact results first; `total` is the length. */
  data: ListOf(Hit),
  example: () => ({ keyword: 'lobby' }),
});
