import { Type } from 'typebox';
import { throughputLimits } from './device/edge-throughput.ts';
import { endpoint } from './endpoint.ts';
import {
  SdwanError,
  SdwanLan,
  SdwanLink,
  SdwanMatrix,
  SdwanNetworkRow,
  SdwanNode,
  SdwanNodeInput,
  SdwanRoute,
  SdwanSuggestion,
  SdwanType,
  sdwanCandidateReasons,
  sdwanLimits,
  sdwanModes,
  sdwanStatuses,
} from './sdwan-shapes.ts';
import type { Seed } from './seed.ts';
import { Id, ListOf, ListQuery, Nullable, Time, Version, Words } from './shapes.ts';

const reads = { access: 'user', method: 'POST', permission: 'network.read', effect: 'read' } as const;
const writes = { access: 'user', method: 'POST', permission: 'network.write', effect: 'write' } as const;
const pushes = { access: 'user', method: 'POST', permission: 'network.write', effect: 'device' } as const;

const plan = {
  name: Type.String({ rule: 'nameText', minLength: 1, maxLength: sdwanLimits.name }),
  type: SdwanType,
  mode: Words(sdwanModes),
  /** Null: the standard one. */
  strategy_id: Nullable(Id),
};
const Nodes = Type.Array(SdwanNodeInput, { maxItems: sdwanLimits.nodes.max });
/** Null: no gateway changes, or never deployed. */
const Pushed = Type.Object({ job_id: Nullable(Id) });

const node = (key: string, prefix: string) => ({
  key,
  role: '' as const,
  pid: '',
  position: 1,
  widthband: 10,
  foreign_widthband: 0,
  host: null,
  group_id: null,
  lans: [{ prefix }],
});
/** A gateway reaches a prefix through one network only. */
const peers = (seed: Seed, block = 21) => [
  node(seed.sdwan.gwids[0], `10.${block}.1.0/24`),
  node(seed.sdwan.gwids[1], `10.${block}.2.0/24`),
];
const usual = { type: 1, mode: 'transit', strategy_id: null } as const;

export const status = endpoint({
  ...reads,
  object: {},
  path: '/api/v3/sdwan/status',
  summary: 'Whether SD-WAN is open to the account: its package or trial, how much of it is used, and until when.',
  body: Type.Object({}),
  data: Type.Object({
    opened: Type.Boolean(),
    trial: Type.Boolean(),
    trial_used: Type.Boolean(),
    package_id: Nullable(Type.String()),
    node_limit: Type.Integer(),
    node_used: Type.Integer(),
    /** Mbit/s. */
    widthband: Type.Integer(),
    widthband_used: Type.Integer(),
    foreign_widthband: Type.Integer(),
    foreign_widthband_used: Type.Integer(),
    expire_at: Nullable(Time),
    /** End of the grace after `expire_at`. */
    closes_at: Nullable(Time),
    networks: Type.Integer(),
  }),
  example: () => ({}),
});

export const networkList = endpoint({
  ...reads,
  object: {},
  path: '/api/v3/sdwan/network/list',
  summary: 'SD-WAN networks with their state by the reports of their gateways.',
  body: ListQuery(['name', 'created_at', 'online', 'tunnels_up', 'widthband', 'route_count'], {
    status: Type.Optional(Words(sdwanStatuses)),
  }),
  data: ListOf(SdwanNetworkRow),
  example: () => ({ page: 1, limit: 10 }),
});

export const networkDetail = endpoint({
  ...reads,
  object: { id: 'sdwan_network' },
  path: '/api/v3/sdwan/network/detail',
  summary: 'One SD-WAN network: nodes, links with their quality, routes, and planned reachability.',
  body: Type.Object({ id: Id }),
  data: Type.Object({
    network: SdwanNetworkRow,
    nodes: Type.Array(SdwanNode),
    links: Type.Array(SdwanLink),
    routes: Type.Array(SdwanRoute),
    matrix: SdwanMatrix,
    /** Wrong since it was deployed. */
    errors: Type.Array(SdwanError),
    /** Public address or key changed; corrected automatically. */
    stale: Type.Array(Id),
    job_id: Nullable(Id),
  }),
  example: (seed) => ({ id: seed.sdwan.id }),
});

export const networkCreate = endpoint({
  ...writes,
  object: { strategy_id: 'sdwan_strategy' },
  path: '/api/v3/sdwan/network/create',
  bodyBytes: 1024 * 1024,
  summary:
    'Saves a plan of an SD-WAN network. Nothing reaches a gateway before it is deployed. 4103 with the gateways whose agents are too old.',
  body: Type.Object({ ...plan, nodes: Nodes }),
  data: Type.Object({ id: Id }),
  example: (seed) => ({ name: 'Shops', ...usual, nodes: peers(seed, 22) }),
});

export const networkUpdate = endpoint({
  ...pushes,
  object: { id: 'sdwan_network', strategy_id: 'sdwan_strategy' },
  path: '/api/v3/sdwan/network/update',
  bodyBytes: 1024 * 1024,
  summary:
    'Replaces the plan of an SD-WAN network. A deployed one is pushed to the gateways that change. 4104 if it has changed since `version`.',
  body: Type.Object({ id: Id, version: Version, ...plan, nodes: Nodes }),
  data: Pushed,
  example: (seed) => ({ id: seed.sdwan.id, version: 1, name: 'Branches-2', ...usual, nodes: peers(seed) }),
});

export const networkDelete = endpoint({
  ...pushes,
  object: { id: 'sdwan_network' },
  path: '/api/v3/sdwan/network/delete',
  summary: 'Deletes an SD-WAN network and takes its tunnels down.',
  body: Type.Object({ id: Id }),
  data: Pushed,
  example: (seed) => ({ id: seed.sdwan.id }),
});

export const networkDeploy = endpoint({
  ...pushes,
  object: { id: 'sdwan_network' },
  path: '/api/v3/sdwan/network/deploy',
  summary: 'Pushes the plan to all gateways of an SD-WAN network, centres first.',
  body: Type.Object({ id: Id }),
  data: Pushed,
  example: (seed) => ({ id: seed.sdwan.id }),
});

export const candidateList = endpoint({
  ...reads,
  object: {},
  path: '/api/v3/sdwan/candidate/list',
  summary: 'Networks whose gateway could join an SD-WAN network, and why the others cannot.',
  body: ListQuery([], { able: Type.Optional(Type.Boolean()) }),
  data: ListOf(
    Type.Object({
      key: Id,
      name: Type.String(),
      serial: Nullable(Type.String()),
      model: Nullable(Type.String()),
      version: Nullable(Type.String()),
      online: Type.Boolean(),
      /** Null: it can join. */
      reason: Nullable(Words(sdwanCandidateReasons)),
      /** Null: behind NAT, or unknown. */
      public_ip: Nullable(Type.String()),
      lans: Type.Array(SdwanLan),
      is_used: Type.Boolean(),
      networks: Type.Array(Type.String()),
    }),
  ),
  example: () => ({ page: 1, limit: 10 }),
});

export const check = endpoint({
  ...reads,
  object: { id: 'sdwan_network' },
  path: '/api/v3/sdwan/check',
  bodyBytes: 1024 * 1024,
  summary:
    'Checks a plan without saving it: errors beside their nodes, free prefixes for overlapping LANs, reachability, and which gateways of the network `id` would change.',
  body: Type.Object({
    id: Type.Optional(Id),
    type: SdwanType,
    mode: Words(sdwanModes),
    strategy_id: Type.Optional(Nullable(Id)),
    nodes: Nodes,
  }),
  data: Type.Object({
    errors: Type.Array(SdwanError),
    suggestions: Type.Array(SdwanSuggestion),
    /** Null while there are errors. */
    matrix: Nullable(SdwanMatrix),
    links: Type.Array(SdwanLink),
    routes: Type.Array(SdwanRoute),
    /** Compared with the gateways' last documents. */
    changes: Type.Array(
      Type.Object({
        key: Id,
        change: Words(['added', 'removed', 'changed', 'unchanged'] as const),
        tunnels_added: Type.Integer(),
        tunnels_removed: Type.Integer(),
        routes_added: Type.Integer(),
        routes_removed: Type.Integer(),
      }),
    ),
  }),
  example: (seed) => ({ id: seed.sdwan.id, type: 1 as const, mode: 'transit' as const, nodes: peers(seed) }),
});

export const memberAdd = endpoint({
  ...pushes,
  object: { id: 'sdwan_network' },
  path: '/api/v3/sdwan/member/add',
  bodyBytes: 1024 * 1024,
  summary: 'Adds nodes to an SD-WAN network. A deployed one is pushed to the gateways that change.',
  body: Type.Object({ id: Id, nodes: Type.Array(SdwanNodeInput, { minItems: 1, maxItems: sdwanLimits.nodes.max }) }),
  data: Pushed,
  example: (seed) => ({ id: seed.sdwan.id, nodes: [node(seed.sdwan.gwids[2], '10.21.3.0/24')] }),
});

export const memberRemove = endpoint({
  ...pushes,
  object: { id: 'sdwan_network', keys: 'network' },
  path: '/api/v3/sdwan/member/remove',
  bodyBytes: 40 * 1024,
  summary: 'Removes nodes: their neighbours refuse them first, then the tunnels on the removed gateways end.',
  body: Type.Object({ id: Id, keys: Type.Array(Id, { minItems: 1, maxItems: sdwanLimits.nodes.max }) }),
  data: Pushed,
  example: (seed) => ({ id: seed.sdwan.id, keys: [seed.sdwan.gwids[2]] }),
});

export const pathChangeList = endpoint({
  ...reads,
  object: { id: 'sdwan_network', key: 'network' },
  path: '/api/v3/sdwan/path_change/list',
  summary: 'Path changes that the gateways of an SD-WAN network reported in the last 30 days, the newest first.',
  body: ListQuery([], { id: Id, key: Type.Optional(Id) }),
  data: ListOf(
    Type.Object({
      at: Time,
      key: Id,
      /** Before and since; null: not in the present plan. */
      from: Nullable(Id),
      to: Nullable(Id),
      /** At most 20. */
      prefixes: Type.Array(Type.String()),
    }),
  ),
  example: (seed) => ({ id: seed.sdwan.id }),
});

/** `skipped`: an earlier step failed. */
const Verdict = Words(['ok', 'failed', 'unknown', 'skipped'] as const);

export const pathTest = endpoint({
  ...pushes,
  object: { id: 'sdwan_network', from: 'network' },
  limit: { max: 30, windowSeconds: 60 },
  path: '/api/v3/sdwan/path_test',
  summary:
    'Sends probes from the LAN address of a gateway to an address, or a TCP port, behind another one. 4102 when it is offline, 4114 when its agent cannot.',
  body: Type.Object({
    id: Id,
    from: Id,
    target: Type.String({ rule: 'ip', maxLength: 15 }),
    /** TCP; default: ping. */
    port: Type.Optional(Type.Integer({ minimum: 1, maximum: 65_535 })),
  }),
  data: Type.Object({ run_id: Id, job_id: Id }),
  example: (seed) => ({ id: seed.sdwan.id, from: seed.sdwan.gwids[0], target: '10.21.2.1' }),
});

export const throughputTest = endpoint({
  ...pushes,
  object: { id: 'sdwan_network', from: 'network', to: 'network' },
  limit: { max: 10, windowSeconds: 60 },
  path: '/api/v3/sdwan/throughput',
  summary:
    'Measures the throughput between two gateways over their tunnel, both ways, as a use of a tool. 4102 when one is offline, 4114 with `reason` when there is no tunnel between them, or one lacks iperf3.',
  body: Type.Object({
    id: Id,
    from: Id,
    to: Id,
    /** Each way; default 5. */
    seconds: Type.Optional(
      Type.Integer({ minimum: throughputLimits.seconds.min, maximum: throughputLimits.seconds.max }),
    ),
    udp: Type.Optional(Type.Boolean()),
    /** Cap; needed for UDP. */
    mbps: Type.Optional(Type.Integer({ minimum: throughputLimits.mbps.min, maximum: throughputLimits.mbps.max })),
  }),
  data: Type.Object({ run_id: Id, job_id: Id }),
  example: (seed) => ({ id: seed.sdwan.id, from: seed.sdwan.gwids[0], to: seed.sdwan.gwids[1] }),
});

export const pathTestResult = endpoint({
  ...reads,
  object: { id: 'sdwan_network', from: 'network', run_id: 'tool' },
  path: '/api/v3/sdwan/path_test/result',
  summary:
    'What a path test found: tunnel, route, firewall and host one by one, and the node at which the path ends. Tunnels are probed during the test; the gateway of the target examines the host on its LAN.',
  body: Type.Object({ id: Id, from: Id, target: Type.String({ rule: 'ip', maxLength: 15 }), run_id: Id }),
  data: Type.Object({
    done: Type.Boolean(),
    tunnel: Verdict,
    route: Verdict,
    firewall: Verdict,
    /** `failed`: no such host at its site. */
    host: Verdict,
    /** By plan, both ends included. */
    path: Type.Array(Id),
    /** Null: none, or unknown. */
    failed_at: Nullable(Id),
    rtt_ms: Nullable(Type.Number()),
    loss_pct: Nullable(Type.Number()),
    /** Catalogue key or device wording. */
    reason: Nullable(Type.String()),
  }),
  example: (seed) => ({
    id: seed.sdwan.id,
    from: seed.sdwan.gwids[0],
    target: '10.21.2.1',
    run_id: seed.tool.id,
  }),
});
