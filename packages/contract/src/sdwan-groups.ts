import { Type } from 'typebox';
import { endpoint } from './endpoint.ts';
import { sdwanLimits } from './sdwan-shapes.ts';
import { Empty, Id, ListOf, ListQuery, Nullable, Words } from './shapes.ts';

const reads = { access: 'user', method: 'POST', permission: 'network.read', effect: 'read' } as const;
const writes = { access: 'user', method: 'POST', permission: 'network.write', effect: 'write' } as const;
const pushes = { access: 'user', method: 'POST', permission: 'network.write', effect: 'device' } as const;

const Name = Type.String({ rule: 'nameText', minLength: 1, maxLength: sdwanLimits.name });
const Band = Type.Integer({ minimum: 0, maximum: sdwanLimits.band });
/** A job for each deployed network that uses it. */
const Pushed = Type.Object({ job_ids: Type.Array(Id) });
const Made = Type.Object({ id: Id });

const group = {
  name: Name,
  /** Limits of each member, Mbit/s; 0: no limit. */
  widthband: Band,
  foreign_widthband: Band,
};

export const sdwanOrders = ['preferred', 'latency'] as const;
export type SdwanOrder = (typeof sdwanOrders)[number];

const Within = (minimum: number, maximum: number) => Type.Integer({ minimum, maximum });
const strategy = {
  name: Name,
  /** Milliseconds between two probes. */
  probe_ms: Within(200, 10_000),
  /** Consecutive lost probes until down, answered ones until up. */
  fails: Within(1, 20),
  recovers: Within(1, 60),
  /** Up before traffic returns. */
  hold_s: Within(0, 3600),
  /** `preferred`: main centre first; `latency`: the faster path. */
  order: Words(sdwanOrders),
};
const usual = { probe_ms: 500, fails: 3, recovers: 6, hold_s: 30, order: 'preferred' } as const;
export const standardStrategy = usual;

export const groupList = endpoint({
  ...reads,
  object: { network_id: 'sdwan_network' },
  path: '/api/v3/sdwan/group/list',
  summary: 'Groups of nodes with a common bandwidth limit.',
  body: ListQuery(['name', 'nodes', 'widthband', 'foreign_widthband'], { network_id: Type.Optional(Id) }),
  data: ListOf(
    Type.Object({
      id: Id,
      network_id: Id,
      network: Type.String(),
      ...group,
      node_keys: Type.Array(Id),
      /** It has nodes, so it cannot be deleted. */
      is_used: Type.Boolean(),
    }),
  ),
  example: () => ({ page: 1, limit: 10 }),
});

export const groupCreate = endpoint({
  ...pushes,
  object: { network_id: 'sdwan_network' },
  path: '/api/v3/sdwan/group/create',
  bodyBytes: 40 * 1024,
  summary: 'Makes a group of nodes of an SD-WAN network; its limits replace those of its nodes.',
  body: Type.Object({ network_id: Id, ...group, node_keys: Type.Array(Id, { maxItems: sdwanLimits.nodes.max }) }),
  data: Type.Object({ id: Id, job_ids: Type.Array(Id) }),
  example: (seed) => ({
    network_id: seed.sdwan.id,
    name: 'Small-shops',
    widthband: 5,
    foreign_widthband: 0,
    node_keys: [seed.sdwan.gwids[0]],
  }),
});

export const groupUpdate = endpoint({
  ...pushes,
  object: { id: 'sdwan_group' },
  path: '/api/v3/sdwan/group/update',
  bodyBytes: 40 * 1024,
  summary: 'Changes the given fields of a group.',
  body: Type.Object({
    id: Id,
    ...Type.Partial(Type.Object({ ...group, node_keys: Type.Array(Id, { maxItems: sdwanLimits.nodes.max }) }))
      .properties,
  }),
  data: Pushed,
  example: (seed) => ({
    id: seed.sdwan.groupId,
    name: 'Large-shops',
    widthband: 20,
    foreign_widthband: 0,
    node_keys: [],
  }),
});

export const groupDelete = endpoint({
  ...writes,
  object: { id: 'sdwan_group' },
  path: '/api/v3/sdwan/group/delete',
  summary: 'Deletes a group without nodes; 4109 while it has some.',
  body: Type.Object({ id: Id }),
  data: Empty,
  example: (seed) => ({ id: seed.sdwan.groupId }),
});

export const strategyList = endpoint({
  ...reads,
  object: {},
  path: '/api/v3/sdwan/link_strategy/list',
  summary: 'Link strategies: how gateways probe their paths, and when they change to another one.',
  body: ListQuery(['name', 'probe_ms', 'fails', 'recovers', 'hold_s'], {}),
  data: ListOf(
    Type.Object({
      id: Id,
      ...strategy,
      networks: Type.Array(Type.Object({ id: Id, name: Type.String() })),
      is_used: Type.Boolean(),
    }),
  ),
  example: () => ({ page: 1, limit: 10 }),
});

export const strategyCreate = endpoint({
  ...writes,
  object: {},
  path: '/api/v3/sdwan/link_strategy/create',
  summary: 'Makes a link strategy that networks can use.',
  body: Type.Object(strategy),
  data: Made,
  example: () => ({ name: 'Fast', ...usual, order: 'latency' as const }),
});

export const strategyUpdate = endpoint({
  ...pushes,
  object: { id: 'sdwan_strategy' },
  path: '/api/v3/sdwan/link_strategy/update',
  summary: 'Changes the given fields of a link strategy, on the gateways of all networks that use it.',
  body: Type.Object({ id: Id, ...Type.Partial(Type.Object(strategy)).properties }),
  data: Pushed,
  example: (seed) => ({ id: seed.sdwan.strategyId, name: 'Patient', ...usual, hold_s: 120 }),
});

export const strategyDelete = endpoint({
  ...writes,
  object: { id: 'sdwan_strategy' },
  path: '/api/v3/sdwan/link_strategy/delete',
  summary: 'Deletes a link strategy that no network uses; 4109 otherwise.',
  body: Type.Object({ id: Id }),
  data: Empty,
  example: (seed) => ({ id: seed.sdwan.strategyId }),
});

export const groupOf = endpoint({
  ...reads,
  object: { id: 'sdwan_group' },
  path: '/api/v3/sdwan/group/detail',
  summary: 'One group of nodes.',
  body: Type.Object({ id: Id }),
  data: Type.Object({
    id: Id,
    network_id: Id,
    ...group,
    node_keys: Type.Array(Id),
    /** Mbit/s; null without a package. */
    total: Type.Integer(),
    left: Nullable(Type.Integer()),
  }),
  example: (seed) => ({ id: seed.sdwan.groupId }),
});
