import { type Static, Type } from 'typebox';
import { endpoint } from './endpoint.ts';
import { Empty, Id, JobStarted, ListOf, ListQuery, Nullable, Serial, Time, Words } from './shapes.ts';

const reads = { access: 'user', method: 'POST', permission: 'network.read', effect: 'read' } as const;
const writes = { access: 'user', method: 'POST', permission: 'network.reboot', effect: 'write' } as const;
const actions = { access: 'user', method: 'POST', permission: 'network.reboot', effect: 'device' } as const;

/** `url`: devices fetch from an external address. */
export const imageSources = ['upload', 'url'] as const;
export type ImageSource = (typeof imageSources)[number];

export const firmwareLimits = {
  /** Bytes. */
  image: 256 * 1024 * 1024,
  part: 1024 * 1024,
  images: 50,
  models: 50,
  devices: 5000,
  /** Seconds between waves. */
  rest: { min: 0, max: 86_400 },
} as const;

const Serials = Type.Array(Serial, { minItems: 1, maxItems: firmwareLimits.devices, uniqueItems: true });
const Model = Type.String({ minLength: 1, maxLength: 128 });
const Version = Type.String({ rule: 'noSpecialCharacters', minLength: 1, maxLength: 100 });
const Sha256 = Type.String({ pattern: '^[0-9a-f]{64}$', hint: 'sha256' });
/** For restricted devices; passed through. */
const Signature = Type.String({ pattern: '^[A-Za-z0-9+/=]{1,2000}$', hint: 'base64' });

export const ImageRow = Type.Object({
  id: Id,
  /** Reported version, or a part of it. */
  version: Type.String(),
  models: Type.Array(Type.String()),
  source: Words(imageSources),
  /** Null without access to all networks. */
  uri: Nullable(Type.String()),
  name: Type.String(),
  size: Nullable(Type.Integer()),
  sha256: Type.String(),
  signed: Type.Boolean(),
  /** Upload complete and checksum correct. */
  ready: Type.Boolean(),
  /** Matching, and those on another version. */
  devices: Type.Integer(),
  other: Type.Integer(),
  created_by: Type.String(),
  created_at: Time,
});

export const imageList = endpoint({
  ...reads,
  object: { serials: 'device' },
  path: '/api/v3/firmware/image/list',
  bodyBytes: 96 * 1024,
  summary:
    'Images for upgrades, newest first; members limited to some networks see only those for devices there. With `serials`, those that are for one of these devices, and counted of these.',
  body: ListQuery(['created_at'], { serials: Type.Optional(Serials) }),
  data: ListOf(ImageRow),
  example: () => ({ page: 1, limit: 10 }),
});

export const models = endpoint({
  ...reads,
  object: {},
  path: '/api/v3/firmware/models',
  summary: 'Models of the devices, each with the versions that they run.',
  body: Type.Object({}),
  data: Type.Object({
    list: Type.Array(
      Type.Object({
        model: Type.String(),
        devices: Type.Integer(),
        versions: Type.Array(Type.Object({ version: Type.String(), devices: Type.Integer() })),
      }),
    ),
  }),
  example: () => ({}),
});

export const imageCreate = endpoint({
  ...writes,
  object: {},
  path: '/api/v3/firmware/image/create',
  bodyBytes: 24 * 1024,
  summary:
    'Adds an image: of an address, ready at once, or of a file, whose parts follow. The checksum of an address is what devices are not asked to check: it is kept for people.',
  body: Type.Object({
    version: Version,
    models: Type.Array(Model, { minItems: 1, maxItems: firmwareLimits.models, uniqueItems: true }),
    name: Type.String({ pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$', hint: 'fileName' }),
    /** Absent for an upload. */
    uri: Type.Optional(Type.String({ rule: 'url', maxLength: 500 })),
    size: Type.Optional(Type.Integer({ minimum: 1, maximum: firmwareLimits.image })),
    sha256: Sha256,
    signature: Type.Optional(Signature),
  }),
  data: Type.Object({ id: Id }),
  example: () => ({
    version: 'v5.2.0',
    models: ['Test AP'],
    name: 'test-ap-v5.2.0.bin',
    uri: 'http://images.example.org/test-ap-v5.2.0.bin',
    sha256: 'a'.repeat(64),
  }),
});

export const imagePart = endpoint({
  ...writes,
  object: { id: 'firmware' },
  path: '/api/v3/firmware/image/part',
  bodyBytes: 1400 * 1024,
  summary: 'A part of an image: a mebibyte each, the last may be shorter; the number of the first is 0.',
  unaudited: 'parts of one upload: its end is logged',
  body: Type.Object({
    id: Id,
    part: Type.Integer({ minimum: 0, maximum: firmwareLimits.image / firmwareLimits.part }),
    data: Type.String({
      pattern: '^[A-Za-z0-9+/]+={0,2}$',
      hint: 'base64',
      contentEncoding: 'base64',
      maxLength: Math.ceil(firmwareLimits.part / 3) * 4,
    }),
  }),
  data: Empty,
  example: (seed) => ({ id: seed.firmware.id, part: 0, data: 'Zmlyc3Q=' }),
});

export const imageFinish = endpoint({
  ...writes,
  object: { id: 'firmware' },
  path: '/api/v3/firmware/image/finish',
  summary: 'Ends an upload: 422 beside `sha256` if the checksum differs; the parts may be sent again.',
  body: Type.Object({ id: Id }),
  data: Empty,
  example: (seed) => ({ id: seed.firmware.id }),
});

export const imageDelete = endpoint({
  ...writes,
  object: { ids: 'firmware' },
  path: '/api/v3/firmware/image/delete',
  summary: 'Deletes images; 4109 with the jobs that still need one.',
  body: Type.Object({ ids: Type.Array(Id, { minItems: 1, maxItems: 50, uniqueItems: true }) }),
  data: Empty,
  example: (seed) => ({ ids: [seed.firmware.id] }),
});

const plan = {
  first: Type.Integer({ minimum: 0, maximum: 100 }),
  percent: Type.Integer({ minimum: 1, maximum: 100 }),
};
const PlanFields = Type.Object({
  ...plan,
  /** Seconds until the health check of a wave. */
  rest_s: Type.Integer({ minimum: firmwareLimits.rest.min, maximum: firmwareLimits.rest.max }),
  /** Failed or unhealthy, percent. */
  stop_above: Type.Integer({ minimum: 0, maximum: 100 }),
  /** Default: immediately. */
  start_at: Type.Optional(Time),
  /** Devices wait; the wave stays open. */
  windows: Type.Optional(Type.Boolean()),
});
export type WavePlanInput = Static<typeof PlanFields>;

/** `agent`: edge agents upgrade differently. */
export const leftOutReasons = ['model', 'current', 'agent'] as const;
export type LeftOutReason = (typeof leftOutReasons)[number];

const Planned = Type.Object({
  serial: Serial,
  name: Type.String(),
  gwid: Nullable(Id),
  network: Nullable(Type.String()),
  model: Nullable(Type.String()),
  from: Nullable(Type.String()),
  online: Type.Boolean(),
});

export const upgradePreview = endpoint({
  ...reads,
  permission: 'network.reboot',
  object: { image_id: 'firmware', serials: 'device' },
  path: '/api/v3/firmware/upgrade/preview',
  bodyBytes: 96 * 1024,
  summary:
    'The waves of an upgrade, and which of `serials` are left out. Without them: devices that match the image and do not run it, up to the limit of a plan.',
  body: Type.Object({ image_id: Id, serials: Type.Optional(Serials), ...plan }),
  data: Type.Object({
    devices: Type.Array(Type.Intersect([Planned, Type.Object({ wave: Type.Integer() })])),
    left_out: Type.Array(Type.Intersect([Planned, Type.Object({ why: Words(leftOutReasons) })])),
    beyond: Type.Integer(),
  }),
  example: (seed) => ({ image_id: seed.firmware.readyId, first: 1, percent: 20 }),
});

export const upgradeStart = endpoint({
  ...actions,
  object: { image_id: 'firmware', serials: 'device' },
  path: '/api/v3/firmware/upgrade/start',
  bodyBytes: 96 * 1024,
  summary:
    'Upgrades devices to an image, wave after wave; each has succeeded when it says so itself. Those that are offline wait. 4114 when the image is not ready.',
  body: Type.Object({
    image_id: Id,
    serials: Serials,
    ...PlanFields.properties,
    /** Backs up each network before its first upgrade. */
    backup: Type.Boolean(),
  }),
  data: JobStarted,
  example: (seed) => ({
    image_id: seed.firmware.readyId,
    serials: [seed.device.serial],
    first: 1,
    percent: 20,
    rest_s: 300,
    stop_above: 5,
    backup: true,
  }),
});

export const restartStart = endpoint({
  ...actions,
  object: { serials: 'device' },
  path: '/api/v3/firmware/restart/start',
  bodyBytes: 96 * 1024,
  summary: 'Restarts devices in waves; those that are offline when their wave runs are skipped.',
  body: Type.Object({ serials: Serials, ...PlanFields.properties }),
  data: JobStarted,
  example: (seed) => ({
    serials: [seed.device.serial],
    first: 1,
    percent: 50,
    rest_s: 60,
    stop_above: 10,
  }),
});

export const upgradeActions = ['upgrade', 'restart'] as const;
export type UpgradeAction = (typeof upgradeActions)[number];
export const upgradeTriggers = ['user', 'plan', 'device'] as const;
export type UpgradeTrigger = (typeof upgradeTriggers)[number];
export const upgradeResults = ['success', 'failed'] as const;

export const upgradeLog = endpoint({
  ...reads,
  permission: 'log.read',
  object: { gwid: 'network' },
  path: '/api/v3/log/upgrade/list',
  summary: 'Upgrades and restarts of devices, by their own word, newest first.',
  body: ListQuery(['time', 'seconds'], {
    gwid: Type.Optional(Id),
    serial: Type.Optional(Serial),
    action: Type.Optional(Words(upgradeActions)),
    trigger: Type.Optional(Words(upgradeTriggers)),
    result: Type.Optional(Words(upgradeResults)),
  }),
  data: ListOf(
    Type.Object({
      id: Id,
      time: Time,
      serial: Serial,
      name: Type.String(),
      gwid: Nullable(Id),
      network: Nullable(Type.String()),
      action: Words(upgradeActions),
      from_version: Nullable(Type.String()),
      /** If failed: wanted. */
      to_version: Nullable(Type.String()),
      trigger: Words(upgradeTriggers),
      operator: Nullable(Type.String()),
      result: Words(upgradeResults),
      /** Device wording or a catalogue key (`job.…`). */
      reason: Nullable(Type.String()),
      /** Since the command, or since last online. */
      seconds: Nullable(Type.Integer()),
      job_id: Nullable(Id),
    }),
  ),
  example: () => ({ page: 1, limit: 10 }),
});
