import { type Static, Type } from 'typebox';
import { Change, Finding, findingCodes, findingSeverities } from './configuration-shapes.ts';
import { endpoint } from './endpoint.ts';
import { deviceStatuses } from './enums.ts';
import { Id, ListOf, ListQuery, Nullable, Serial, Time, Words } from './shapes.ts';

const reads = { access: 'user', method: 'POST', permission: 'config.read', effect: 'read' } as const;
const pushes = { access: 'user', method: 'POST', permission: 'config.write', effect: 'device' } as const;

/** Who gets a template; a device that several of them name has it by the most particular. */
const targets = {
  gwids: Type.Optional(Type.Array(Id, { maxItems: 1000, uniqueItems: true })),
  group_ids: Type.Optional(Type.Array(Id, { maxItems: 200, uniqueItems: true })),
  tags: Type.Optional(Type.Array(Type.String({ maxLength: 32 }), { maxItems: 50, uniqueItems: true })),
  models: Type.Optional(Type.Array(Type.String({ maxLength: 128 }), { maxItems: 50, uniqueItems: true })),
  serials: Type.Optional(Type.Array(Serial, { maxItems: 5000, uniqueItems: true })),
};
const aimed = { id: 'template', gwids: 'network', group_ids: 'group', serials: 'device' } as const;
/** Missing: the newest; null: the template is taken off those of the targets that have it, and everywhere without targets. */
const Version = Type.Optional(Nullable(Type.Integer({ minimum: 1 })));

export const templateModels = endpoint({
  ...reads,
  object: {},
  path: '/api/v3/wireless_template/models',
  summary: 'Models of the access points of the account, with how many there are of each.',
  body: Type.Object({}),
  data: Type.Object({ list: Type.Array(Type.Object({ model: Type.String(), devices: Type.Integer() })) }),
  example: () => ({}),
});

/** Effects of a push on one device: see `PreviewAnswer` of the configuration. */
export const impactEffects = ['changed', 'unchanged', 'wrong', 'unknown'] as const;

export const templatePreview = endpoint({
  ...reads,
  permission: 'config.write',
  object: aimed,
  path: '/api/v3/wireless_template/preview',
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
      /** Terminals that would drop, by the last reports. */
      terminals: Type.Integer(),
      /** Of these, those that do not come back by themselves: their SSID goes, or gets another name, password or security. */
      lost: Type.Integer(),
      /** Devices that run no configuration of this console: what they run is replaced whole. */
      first: Type.Integer(),
      /** Devices whose channel or width changes. */
      channels: Type.Integer(),
    }),
    /** Names of SSIDs that come, go, or are called otherwise, and on how many devices. */
    ssids: Type.Array(
      Type.Object({
        change: Words(['added', 'removed', 'renamed']),
        name: Type.String(),
        /** What it was called. */
        before: Nullable(Type.String()),
        devices: Type.Integer(),
      }),
    ),
    /** What devices cannot hold as it is asked for, by model. */
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
        /** Values that change. */
        changes: Type.Integer(),
        terminals: Nullable(Type.Integer()),
      }),
    ),
  }),
  example: (world) => ({ id: world.template.id, gwids: [world.network.gwid] }),
});

export const templatePreviewDevice = endpoint({
  ...reads,
  permission: 'config.write',
  object: { ...aimed, serial: 'device' },
  path: '/api/v3/wireless_template/preview_device',
  summary: 'What bringing a template to a device would change on it, value by value.',
  body: Type.Object({ id: Id, version: Version, serial: Serial, ...targets }),
  data: Type.Object({ changes: Type.Array(Change), more: Type.Integer(), findings: Type.Array(Finding) }),
  example: (world) => ({ id: world.template.id, serial: world.device.serial }),
});

/** How a push goes: the first devices, then shares of the rest, each with a rest and a look at how they are. */
export const pushLimits = {
  canary: { min: 0, max: 20 },
  share: { min: 1, max: 100 },
  rest: { min: 0, max: 86_400 },
  stop: { min: 0, max: 100 },
} as const;
const bounded = ({ min, max }: { min: number; max: number }) => Type.Integer({ minimum: min, maximum: max });
export const PushPlan = Type.Object({
  /**
   * Devices of the first wave; offline ones come last. Nothing more is begun before one has proved the change: those that
   * need nothing, or are away when their turn comes, are followed by others.
   */
  canary: bounded(pushLimits.canary),
  /** Percent of all devices in each further wave. */
  share: bounded(pushLimits.share),
  /** Seconds between the end of a wave and the look at how its devices are. */
  rest: bounded(pushLimits.rest),
  /** Percent of devices that end badly or are unwell, above which nothing more is begun. */
  stop_above: bounded(pushLimits.stop),
  /**
   * A device waits until its network's maintenance window is open, where the network has one; its wave is not over
   * before.
   */
  windows: Type.Optional(Type.Boolean()),
});
export type PushPlan = Static<typeof PushPlan>;

export const templatePreviewWaves = endpoint({
  ...reads,
  permission: 'config.write',
  object: aimed,
  path: '/api/v3/wireless_template/preview_waves',
  summary:
    'How many devices each wave of a push would have, as they are now. Who had nothing to do or was away in the first is replaced by others when it goes.',
  body: Type.Object({ id: Id, version: Version, ...targets, plan: Type.Pick(PushPlan, ['canary', 'share']) }),
  data: Type.Object({ waves: Type.Array(Type.Integer()) }),
  example: (world) => ({ id: world.template.id, gwids: [world.network.gwid], plan: { canary: 1, share: 50 } }),
});

export const templateApply = endpoint({
  ...pushes,
  object: aimed,
  path: '/api/v3/wireless_template/apply',
  summary:
    'Brings a version of a template to its targets, by a plan and from a time on; devices that come to these networks and groups later get it too. 4102 when no device is there. Version null takes the template off; 4109 when nobody has it.',
  body: Type.Object({ id: Id, version: Version, ...targets, plan: PushPlan, start_at: Type.Optional(Nullable(Time)) }),
  /** No job: it is taken off networks and groups in which nobody is. */
  data: Type.Object({ change_id: Id, job_id: Nullable(Id), devices: Type.Integer() }),
  example: (world) => ({
    id: world.template.id,
    gwids: [world.network.gwid],
    plan: { canary: 1, share: 50, rest: 60, stop_above: 5 },
  }),
});

/** Why a round of a push was made. */
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
  /** Devices that have again what they had before. */
  taken_back: Type.Integer(),
});

/** A push of a template, over all its rounds; the sums add up to `total`. */
export const ChangeRow = Type.Object({
  id: Id,
  template_id: Id,
  name: Type.String(),
  /** Where it was taken off, the newest one then. */
  version: Type.Integer(),
  /** The template was taken off. */
  takes_off: Type.Boolean(),
  created_at: Time,
  created_by: Type.String(),
  start_at: Nullable(Time),
  plan: PushPlan,
  /** Whether anything is still to be done. */
  open: Type.Boolean(),
  /** Nothing of it is left to be taken back. */
  reversed: Type.Boolean(),
  /** Where each device stands by the last round that it was in. */
  sums: Sums,
});

export const changeList = endpoint({
  ...reads,
  object: { id: 'template' },
  path: '/api/v3/wireless_template/change/list',
  summary: 'Pushes of templates, newest first; with `id` those of one.',
  body: ListQuery(['created_at'], { id: Type.Optional(Id) }),
  data: ListOf(ChangeRow),
  example: (world) => ({ id: world.template.id, page: 1, limit: 10 }),
});

const change = { change_id: 'change' } as const;

export const changeDetail = endpoint({
  ...reads,
  object: change,
  path: '/api/v3/wireless_template/change/detail',
  summary: 'A push with its rounds, and where each device stands.',
  body: Type.Object({ change_id: Id }),
  data: Type.Intersect([
    ChangeRow,
    Type.Object({
      rounds: Type.Array(
        Type.Object({
          round: Type.Integer(),
          cause: Words(roundCauses),
          /** Null: nobody was there. */
          job_id: Nullable(Id),
          created_at: Time,
          created_by: Type.String(),
          devices: Type.Integer(),
          /** Why what was left was not begun: of so many devices so many ended badly, and these are unwell. */
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
      /** The networks that it reached, with how many devices each has that may be taken back. */
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
  example: (world) => ({ change_id: world.change.id }),
});

const Round = Type.Object({ job_id: Nullable(Id), devices: Type.Integer() });

export const changeRetry = endpoint({
  ...pushes,
  object: change,
  path: '/api/v3/wireless_template/change/retry',
  summary: 'Tries again on the devices where a push ended badly, also while it goes on; 4109 when there is none.',
  body: Type.Object({ change_id: Id }),
  data: Round,
  example: (world) => ({ change_id: world.change.id }),
});

export const changeStop = endpoint({
  ...pushes,
  effect: 'write',
  object: change,
  path: '/api/v3/wireless_template/change/stop',
  summary: 'Begins nothing more of a push, in whichever of its rounds; what is under way is finished.',
  body: Type.Object({ change_id: Id }),
  data: Type.Object({ cancelled: Type.Integer(), going_on: Type.Integer() }),
  example: (world) => ({ change_id: world.change.id }),
});

export const changeResume = endpoint({
  ...pushes,
  object: change,
  path: '/api/v3/wireless_template/change/resume',
  summary:
    'Goes on with the devices that a stopped or cancelled push did not begin, but those of `without`. They keep what they have; where that is no template at all, this one is not what comes to the network or group later gets.',
  body: Type.Object({
    change_id: Id,
    /** Models left out from now on. */
    without: Type.Optional(Type.Array(Type.String({ maxLength: 128 }), { maxItems: 50 })),
  }),
  data: Round,
  example: (world) => ({ change_id: world.stoppedChange.id }),
});

export const templateRollback = endpoint({
  ...pushes,
  object: { change_id: 'change', gwids: 'network' },
  path: '/api/v3/wireless_template/rollback',
  summary:
    'Takes a push back: what each device, network and group had before is in force again; with `gwids` on those networks only. No job where no device is.',
  body: Type.Object({ change_id: Id, gwids: Type.Optional(Type.Array(Id, { maxItems: 1000, uniqueItems: true })) }),
  data: Round,
  example: (world) => ({ change_id: world.change.id }),
});
