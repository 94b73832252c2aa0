import { Type } from 'typebox';
import { endpoint } from './endpoint.ts';
import { Tags } from './fleet-shapes.ts';
import {
  Download,
  exportFormats,
  FreeText,
  Id,
  Keyword,
  ListOf,
  ListQuery,
  Nullable,
  Serial,
  Time,
  Words,
} from './shapes.ts';

/** The first three are managed or announce themselves by LLDP. */
export const assetClasses = [
  'gateway',
  'switch',
  'ap',
  'camera',
  'printer',
  'server',
  'computer',
  'phone',
  'smart_device',
  'other',
  'unknown',
] as const;
export type AssetClass = (typeof assetClasses)[number];

/** `guess`: from vendor, name or fingerprint. */
export const classSources = ['managed', 'operator', 'guess'] as const;

/** Assets per call; days of "new". */
export const assetLimits = { batch: 200, newDays: 7 } as const;

const Mac = Serial;
const Note = Type.Union([Type.Literal(''), FreeText(100)]);

export const AssetRow = Type.Object({
  id: Mac,
  gwid: Id,
  class: Words(assetClasses),
  class_by: Nullable(Words(classSources)),
  /** OUI; null if unlisted or randomized. */
  vendor: Nullable(Type.String()),
  name: Nullable(Type.String()),
  ip: Nullable(Type.String()),
  random_mac: Type.Boolean(),
  /** In this network; null if unknown. */
  first_seen: Nullable(Time),
  last_seen: Nullable(Time),
  /** Null if known by LLDP only. */
  online: Nullable(Type.Boolean()),
  via: Nullable(
    Type.Object({
      type: Words(['port', 'air'] as const),
      serial: Nullable(Serial),
      name: Nullable(Type.String()),
      port: Nullable(Type.String()),
      ssid: Nullable(Type.String()),
    }),
  ),
  /** Class and name are edited at the device. */
  managed: Type.Boolean(),
  tags: Type.Array(Type.String()),
  note: Type.String(),
  is_new: Type.Boolean(),
});

const filters = {
  gwid: Id,
  class: Type.Optional(Words(assetClasses)),
  tag: Type.Optional(Type.String({ maxLength: 32 })),
  fresh: Type.Optional(Words(['true'])),
  /** Random MACs; excluded by default. */
  random: Type.Optional(Words(['include', 'only'])),
  days: Type.Optional(Words(['7', '30', '90', '400'])),
} as const;

const sorts = ['last_seen', 'name', 'class', 'id'] as const;
const reads = { access: 'user', method: 'POST', permission: 'network.read', object: { gwid: 'network' } } as const;

export const list = endpoint({
  ...reads,
  effect: 'read',
  path: '/api/v3/asset/list',
  summary:
    'Everything that was seen in a network: devices, what only LLDP knows, terminals. `keyword` looks in name, address, MAC, maker, tag and note.',
  body: ListQuery(sorts, filters),
  data: Type.Intersect([ListOf(AssetRow), Type.Object({ as_of: Time })]),
  example: (seed) => ({ gwid: seed.network.gwid, page: 1, limit: 10 }),
});

export const summary = endpoint({
  ...reads,
  effect: 'read',
  path: '/api/v3/asset/summary',
  summary: 'How many of each class were seen in a network within so many days, and how many are new.',
  body: Type.Object({ gwid: Id, days: filters.days }),
  data: Type.Object({
    total: Type.Integer(),
    fresh: Type.Integer(),
    /** Not in the other numbers. */
    random: Type.Integer(),
    classes: Type.Array(Type.Object({ class: Words(assetClasses), count: Type.Integer() })),
    tags: Type.Array(Type.String()),
  }),
  example: (seed) => ({ gwid: seed.network.gwid }),
});

export const update = endpoint({
  ...reads,
  permission: 'network.write',
  effect: 'write',
  path: '/api/v3/asset/update',
  key: ['ids'],
  summary:
    'Sets class, name and notes of assets. Null removes a class or name; `known` removes the badge of new ones. Name and class of a managed device do not change.',
  body: Type.Object({
    gwid: Id,
    ids: Type.Array(Mac, { minItems: 1, maxItems: assetLimits.batch, uniqueItems: true }),
    class: Type.Optional(Nullable(Words(assetClasses))),
    name: Type.Optional(Nullable(FreeText(64))),
    tags: Type.Optional(Tags),
    note: Type.Optional(Note),
    known: Type.Optional(Type.Boolean()),
  }),
  data: Type.Object({ changed: Type.Integer() }),
  example: (seed) => ({ gwid: seed.network.gwid, ids: [seed.station.mac], note: 'bought-2026-03', known: true }),
});

const { gwid, ...rest } = filters;
export const exportList = endpoint({
  ...reads,
  effect: 'write',
  path: '/api/v3/asset/export',
  limit: { max: 20, windowSeconds: 60 },
  summary: 'Assets as a file, filtered and ordered as the list is. The address works once, for 60 s.',
  body: Type.Object({
    gwid,
    ...rest,
    keyword: Keyword,
    sort: Type.Optional(Words(sorts)),
    order: Type.Optional(Words(['asc', 'desc'])),
    format: Words(exportFormats),
  }),
  data: Download,
  example: (seed) => ({ gwid: seed.network.gwid, format: 'csv' as const }),
});
