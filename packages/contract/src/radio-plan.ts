import { Type } from 'typebox';
import { powerLevels } from './configuration-shapes.ts';
import { endpoint } from './endpoint.ts';
import { Empty, Id, JobStarted, ListOf, ListQuery, Nullable, Serial, Time, Words } from './shapes.ts';

/** Plans of a network: proposed, applied, kept or reverted. */

export const planBands = ['2G', '5G'] as const;
export const planStates = ['proposed', 'applied', 'reverted', 'discarded'] as const;

const reads = { access: 'user', method: 'POST', permission: 'config.read', effect: 'read' } as const;
const writes = { access: 'user', method: 'POST', permission: 'config.write', effect: 'write' } as const;

const Channel = Nullable(Type.Integer());

export const PlanItem = Type.Object({
  serial: Serial,
  remark: Type.String(),
  band: Words(planBands),
  from_channel: Channel,
  to_channel: Type.Integer(),
  from_power: Words(powerLevels),
  to_power: Words(powerLevels),
  /** Reduced interference, percent. */
  gain: Type.Integer(),
});

const plan = {
  id: Id,
  gwid: Id,
  state: Words(planStates),
  bands: Type.Array(Words(planBands)),
  dfs: Type.Boolean(),
  /** Analysed radios; access points scanned within seven days. */
  radios: Type.Integer(),
  scanned: Type.Integer(),
  aps: Type.Integer(),
  changes: Type.Integer(),
  created_at: Time,
  operator: Type.String(),
  applied_at: Nullable(Time),
  job_id: Nullable(Id),
};

export const planStart = endpoint({
  ...writes,
  object: { gwid: 'network' },
  path: '/api/v3/ap/plan/start',
  summary:
    'Proposes channels and powers for the access points of a network, from what their radios reported and their latest scans heard. Nothing is changed. 4106 beyond 300 access points.',
  body: Type.Object({
    gwid: Id,
    bands: Type.Array(Words(planBands), { minItems: 1, maxItems: 2, uniqueItems: true }),
    dfs: Type.Optional(Type.Boolean()),
  }),
  data: Type.Object({ id: Id, changes: Type.Integer() }),
  example: (seed) => ({ gwid: seed.network.gwid, bands: ['2G' as const, '5G' as const] }),
});

export const planScan = endpoint({
  access: 'user',
  method: 'POST',
  permission: 'network.write',
  effect: 'device',
  object: { gwid: 'network' },
  limit: { max: 10, windowSeconds: 60 },
  path: '/api/v3/ap/plan/scan',
  summary: 'Has every access point of a network that is online scan the air; 4102 when none is.',
  body: Type.Object({ gwid: Id }),
  data: JobStarted,
  example: (seed) => ({ gwid: seed.toolDevice.gwid }),
});

export const planResult = endpoint({
  ...reads,
  object: { id: 'plan' },
  path: '/api/v3/ap/plan/result',
  summary: 'A plan with its changes, those that gain most first.',
  body: Type.Object({ id: Id }),
  data: Type.Intersect([Type.Object(plan), Type.Object({ items: Type.Array(PlanItem) })]),
  example: (seed) => ({ id: seed.plan.id }),
});

export const planApply = endpoint({
  access: 'user',
  method: 'POST',
  permission: 'config.write',
  effect: 'device',
  object: { id: 'plan', serials: 'device' },
  path: '/api/v3/ap/plan/apply',
  summary:
    "Makes a plan's changes (of some access points, or of all) the devices' own settings and pushes them, as a job; with `back`, puts back what they had before. 4104 when it is not in the state for it.",
  body: Type.Object({
    id: Id,
    serials: Type.Optional(Type.Array(Serial, { minItems: 1, maxItems: 300, uniqueItems: true })),
    back: Type.Optional(Type.Boolean()),
  }),
  data: JobStarted,
  example: (seed) => ({ id: seed.plan.id }),
});

export const planDiscard = endpoint({
  ...writes,
  object: { id: 'plan' },
  path: '/api/v3/ap/plan/discard',
  summary: 'Puts a proposed plan aside.',
  body: Type.Object({ id: Id }),
  data: Empty,
  example: (seed) => ({ id: seed.plan.id }),
});

export const planHistory = endpoint({
  ...reads,
  object: { gwid: 'network' },
  path: '/api/v3/ap/plan/history',
  summary: 'Plans of a network, the newest first.',
  body: ListQuery([], { gwid: Id }),
  data: ListOf(Type.Object(plan)),
  example: (seed) => ({ gwid: seed.network.gwid }),
});
