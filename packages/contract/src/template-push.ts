import { type Static, Type } from 'typebox';
import { Change, Drops, Finding, findingCodes, findingSeverities } from './configuration-shapes.ts';
import { endpoint } from './endpoint.ts';
import { deviceStatuses } from './enums.ts';
import { templateKinds } from './layer-shapes.ts';
import { Id, ListOf, ListQuery, Nullable, Serial, Time, Words } from './shapes.ts';

const reads = { access: 'user', method: 'POST', permission: 'config.read', effect: 'read' } as const;
const pushes = { access: 'user', method: 'POST', permission: 'config.write', effect: 'device' } as const;

/** The most specific wins. */
const targets = {
  gwids: Type.Optional(Type.Array(Id, { maxItems: 1000, uniqueItems: true })),
  group_ids: Type.Optional(Type.Array(Id, { maxItems: 200, uniqueItems: true })),
  tags: Type.Optional(Type.Array(Type.String({ maxLength: 32 }), { maxItems: 50, uniqueItems: true })),
  models: Type.Optional(Type.Array(Type.String({ maxLength: 128 }), { maxItems: 50, uniqueItems: true })),
  serials: Type.Optional(Type.Array(Serial, { maxItems: 5000, uniqueItems: true })),
};
const aimed = { id: 'template', gwids: 'network', group_ids: 'group', serials: 'device' } as const;
/** Absent: newest; null: removal, everywhere without targets. */
const Version = Type.Optional(Nullable(Type.Integer({ minimum: 1 })));

export const templateModels = endpoint({
  ...reads,
  object: {},
  path: '/api/v3/wireless_template/models',
  summary:
    'Models of the access points of the account, with how many there are of each; with `kind` ac of the switches too, which an AC template can reach by model.',
  body: Type.Object({ kind: Type.Optional(Words(templateKinds)) }),
  data: Type.Object({ list: Type.Array(Type.Object({ model: Type.String(), devices: Type.Integer() })) }),
  example: () => ({}),
});

export const impactEffects = ['changed', 'unchanged', 'wrong', 'unknown'] as const;

export const templatePreview = endpoint({
  ...reads,
  permission: 'config.write',
  object: aimed,
  path: '/api/v3/wireless_template/preview',
  bodyBytes: 160 * 1024,
  summary:
    'What bringing a template to its targets, or taking it off them, would do: devices, SSIDs, terminals that drop, and what a model does not support. Writes nothing.',
  body: Type.Object({ id: Id, version: Version, ...targets }),
  data: Type.Object({
    version: Type.Integer(),
    totals: Type.Object({
      devices: Type.Integer(),
      changed: Type.Integer(),
      unchanged: Type.Integer(),
      wrong: Type.Integer(),
      unknown: Type.Integer(),
      offline: Type.Integer(),
      networks: Type.Integer(),
      /** Disconnecting clients, by the last reports. */
      terminals: Type.Integer(),
      /** SSID removed, renamed, or other password or security. */
      lost: Type.Integer(),
      /** First pushes: replace foreign configurations. */
      first: Type.Integer(),
      channels: Type.Integer(),
    }),
    drops: Drops,
    /** Added, removed or renamed, on how many devices. */
    ssids: Type.Array(
      Type.Object({
        change: Words(['added', 'removed', 'renamed']),
        name: Type.String(),
        before: Nullable(Type.String()),
        devices: Type.Integer(),
      }),
    ),
    unsupported: Type.Array(
      Type.Object({
        model: Type.String(),
        severity: Words(findingSeverities),
        code: Words(findingCodes),
        field: Type.String(),
        params: Finding.properties.params,
        devices: Type.Integer(),
      }),
    ),
    devices: Type.Array(
      Type.Object({
        serial: Serial,
        name: Type.String(),
        gwid: Nullable(Id),
        model: Type.String(),
        status: Words(deviceStatuses),
        effect: Words(impactEffects),
        changes: Type.Integer(),
        terminals: Nullable(Type.Integer()),
      }),
    ),
  }),
  example: (seed) => ({ id: seed.template.id, gwids: [seed.network.gwid] }),
});

export const templatePreviewDevice = endpoint({
  ...reads,
  permission: 'config.write',
  object: { ...aimed, serial: 'device' },
  path: '/api/v3/wireless_template/preview_device',
  bodyBytes: 160 * 1024,
  summary: 'What bringing a template to a device would change on it, value by value.',
  body: Type.Object({ id: Id, version: Version, serial: Serial, ...targets }),
  data: Type.Object({ changes: Type.Array(Change), more: Type.Integer(), findings: Type.Array(Finding) }),
  example: (seed) => ({ id: seed.template.id, serial: seed.device.serial }),
});

/** Canaries, then shares, each with pause and health check. */
export const pushLimits = {
  canary: { min: 0, max: 20 },
  share: { min: 1, max: 100 },
  rest: { min: 0, max: 86_400 },
  stop: { min: 0, max: 100 },
} as const;
const bounded = ({ min, max }: { min: number; max: number }) => Type.Integer({ minimum: min, maximum: max });
export const PushPlan = Type.Object({
  /** Online first. Later waves need a proven change; other devices replace offline or unchanged canaries. */
  canary: bounded(pushLimits.canary),
  /** Percent of all devices per wave. */
  share: bounded(pushLimits.share),
  /** Seconds until the health check of a wave. */
  rest: bounded(pushLimits.rest),
  /** Failure threshold, percent of failed or unhealthy devices. */
  stop_above: bounded(pushLimits.stop),
  /** Devices wait for their maintenance window, which keeps the wave open. */
  windows: Type.Optional(Type.Boolean()),
});
export type PushPlan = Static<typeof PushPlan>;

export const templatePreviewWaves = endpoint({
  ...reads,
  permission: 'config.write',
  object: aimed,
  path: '/api/v3/wireless_template/preview_waves',
  bodyBytes: 160 * 1024,
  summary:
    'Present number of devices in each wave of a push. When it runs, other devices replace canaries that need no change or are offline.',
  body: Type.Object({ id: Id, version: Version, ...targets, plan: Type.Pick(PushPlan, ['canary', 'share']) }),
  data: Type.Object({ waves: Type.Array(Type.Integer()) }),
  example: (seed) => ({ id: seed.template.id, gwids: [seed.network.gwid], plan: { canary: 1, share: 50 } }),
});

export const templateApply = endpoint({
  ...pushes,
  object: aimed,
  path: '/api/v3/wireless_template/apply',
  bodyBytes: 160 * 1024,
  summary:
    'Pushes a version of a template to its targets, by a plan and from a time on; devices that join these networks and groups later get it too. 4102 without devices. Version null takes the template off; 4109 if it is unused.',
  body: Type.Object({ id: Id, version: Version, ...targets, plan: PushPlan, start_at: Type.Optional(Nullable(Time)) }),
  /** No job: no devices affected. */
  data: Type.Object({ change_id: Id, job_id: Nullable(Id), devices: Type.Integer() }),
  example: (seed) => ({
    id: seed.template.id,
    gwids: [seed.network.gwid],
    plan: { canary: 1, share: 50, rest: 60, stop_above: 5 },
  }),
});

export const roundCauses = ['push', 'retry', 'resume', 'reverse'] as const;

const Sums = Type.Object({
  total: Type.Integer(),
  queued: Type.Integer(),
  waiting_offline: Type.Integer(),
  running: Type.Integer(),
  applied: Type.Integer(),
  rejected: Type.Integer(),
  failed: Type.Integer(),
  reverted: Type.Integer(),
  cancelled: Type.Integer(),
  skipped: Type.Integer(),
  /** Rolled-back devices. */
  taken_back: Type.Integer(),
});

/** Over all rounds; sums add up to `total`. */
export const ChangeRow = Type.Object({
  id: Id,
  template_id: Id,
  name: Type.String(),
  /** For a removal: newest at that time. */
  version: Type.Integer(),
  takes_off: Type.Boolean(),
  created_at: Time,
  created_by: Type.String(),
  start_at: Nullable(Time),
  plan: PushPlan,
  /** True while work remains. */
  open: Type.Boolean(),
  /** Nothing remains to be rolled back. */
  reversed: Type.Boolean(),
  sums: Sums,
});

export const changeList = endpoint({
  ...reads,
  object: { id: 'template' },
  path: '/api/v3/wireless_template/change/list',
  summary: 'Pushes of templates, newest first; with `id` those of one.',
  body: ListQuery(['created_at'], { id: Type.Optional(Id) }),
  data: ListOf(ChangeRow),
  example: (seed) => ({ id: seed.template.id, page: 1, limit: 10 }),
});

const change = { change_id: 'change' } as const;

export const changeDetail = endpoint({
  ...reads,
  object: change,
  path: '/api/v3/wireless_template/change/detail',
  summary: 'A push with its rounds, and the state of each device.',
  body: Type.Object({ change_id: Id }),
  data: Type.Intersect([
    ChangeRow,
    Type.Object({
      rounds: Type.Array(
        Type.Object({
          round: Type.Integer(),
          cause: Words(roundCauses),
          job_id: Nullable(Id),
          created_at: Time,
          created_by: Type.String(),
          devices: Type.Integer(),
          /** Failed and total devices, and unhealthy ones. */
          stopped: Nullable(
            Type.Object({
              wave: Type.Integer(),
              decided: Type.Integer(),
              bad: Type.Integer(),
              unwell: Type.Array(Type.Object({ name: Type.String(), reason: Type.String() })),
            }),
          ),
        }),
      ),
      /** With devices that can be rolled back. */
      networks: Type.Array(Type.Object({ gwid: Id, name: Type.String(), devices: Type.Integer() })),
      devices: Type.Array(
        Type.Object({
          serial: Serial,
          name: Type.String(),
          gwid: Nullable(Id),
          model: Nullable(Type.String()),
          wave: Type.Integer(),
          status: Type.String(),
          reason: Nullable(Type.String()),
          cause: Words(roundCauses),
        }),
      ),
    }),
  ]),
  example: (seed) => ({ change_id: seed.change.id }),
});

const Round = Type.Object({ job_id: Nullable(Id), devices: Type.Integer() });

export const changeRetry = endpoint({
  ...pushes,
  object: change,
  path: '/api/v3/wireless_template/change/retry',
  summary: 'Retries the failed devices of a push, also while it runs; 4109 without any.',
  body: Type.Object({ change_id: Id }),
  data: Round,
  example: (seed) => ({ change_id: seed.change.id }),
});

export const changeStop = endpoint({
  ...pushes,
  effect: 'write',
  object: change,
  path: '/api/v3/wireless_template/change/stop',
  summary: 'Stops all rounds of a push; work in progress is finished.',
  body: Type.Object({ change_id: Id }),
  data: Type.Object({ cancelled: Type.Integer(), going_on: Type.Integer() }),
  example: (seed) => ({ change_id: seed.change.id }),
});

export const changeResume = endpoint({
  ...pushes,
  object: change,
  path: '/api/v3/wireless_template/change/resume',
  bodyBytes: 20 * 1024,
  summary:
    'Resumes with the devices that a stopped or cancelled push did not start, except those of `without`. These keep their template; if they have none, devices that join the network or group later do not get this one either.',
  body: Type.Object({
    change_id: Id,
    /** Models to exclude from now on. */
    without: Type.Optional(Type.Array(Type.String({ maxLength: 128 }), { maxItems: 50 })),
  }),
  data: Round,
  example: (seed) => ({ change_id: seed.stoppedChange.id }),
});

export const templateRollback = endpoint({
  ...pushes,
  object: { change_id: 'change', gwids: 'network' },
  path: '/api/v3/wireless_template/rollback',
  bodyBytes: 40 * 1024,
  summary:
    'Takes a push back: what each device, network and group had before is in force again; with `gwids` on those networks only. No job where no device is.',
  body: Type.Object({ change_id: Id, gwids: Type.Optional(Type.Array(Id, { maxItems: 1000, uniqueItems: true })) }),
  data: Round,
  example: (seed) => ({ change_id: seed.change.id }),
});
