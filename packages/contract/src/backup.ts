import { Type } from 'typebox';
import {
  BackupDiff,
  BackupPlan,
  BackupRouter,
  BackupRow,
  BandMap,
  backupLimits,
  backupSections,
  backupTypes,
  NotRestored,
  PortMap,
} from './backup-shapes.ts';
import { PreviewAnswer } from './configuration.ts';
import { bands } from './configuration-shapes.ts';
import { endpoint } from './endpoint.ts';
import { jobStatuses } from './jobs.ts';
import { Empty, Id, ListOf, ListQuery, Nullable, Serial, Time, Words } from './shapes.ts';

export * from './backup-shapes.ts';

const reads = { access: 'user', method: 'POST', permission: 'config.read', effect: 'read' } as const;
const writes = { access: 'user', method: 'POST', permission: 'config.write', effect: 'write' } as const;

const Gwids = Type.Array(Id, { minItems: 1, maxItems: 200, uniqueItems: true });
const Note = Type.String({ maxLength: backupLimits.noteLength });
const FilePassword = Type.String({
  raw: true,
  minLength: backupLimits.filePassword.min,
  maxLength: backupLimits.filePassword.max,
});

export const routerList = endpoint({
  ...reads,
  object: {},
  path: '/api/v3/cloud_backup/router/list',
  summary: 'Networks with their last backup, stored backups, and schedule.',
  body: ListQuery(['remark', 'status', 'bind_time', 'count', 'size'], {}),
  data: ListOf(BackupRouter),
  example: () => ({ page: 1, limit: 10 }),
});

export const list = endpoint({
  ...reads,
  object: { gwid: 'network' },
  path: '/api/v3/cloud_backup/list',
  summary: 'Backups, newest first.',
  body: ListQuery(['created_at', 'size'], {
    gwid: Type.Optional(Id),
    type: Type.Optional(Words(backupTypes)),
    pinned: Type.Optional(Type.Boolean()),
  }),
  data: ListOf(BackupRow),
  example: (seed) => ({ gwid: seed.network.gwid, page: 1, limit: 10 }),
});

export const detail = endpoint({
  ...reads,
  object: { id: 'backup' },
  path: '/api/v3/cloud_backup/detail',
  summary: 'One backup with what it holds; secrets are masked.',
  body: Type.Object({ id: Id }),
  data: Type.Intersect([BackupRow, Type.Object({ content: Type.Unknown() })]),
  example: (seed) => ({ id: seed.backup.id }),
});

export const create = endpoint({
  ...writes,
  object: { gwids: 'network' },
  path: '/api/v3/cloud_backup/create',
  summary: 'Backs networks up now; those of which nothing was ever set are left out and counted.',
  body: Type.Object({ gwids: Gwids, note: Type.Optional(Note) }),
  data: Type.Object({ made: Type.Array(Type.Object({ gwid: Id, id: Id })), empty: Type.Integer() }),
  example: (seed) => ({ gwids: [seed.network.gwid], note: 'Before the move' }),
});

export const pin = endpoint({
  ...writes,
  object: { id: 'backup' },
  path: '/api/v3/cloud_backup/pin',
  summary: 'Keeps a backup for as long as it is pinned; 4106 when too many of its network are.',
  body: Type.Object({ id: Id, pinned: Type.Boolean() }),
  data: Empty,
  example: (seed) => ({ id: seed.backup.id, pinned: true }),
});

export const note = endpoint({
  ...writes,
  object: { id: 'backup' },
  path: '/api/v3/cloud_backup/note',
  summary: 'Writes a note to a backup.',
  body: Type.Object({ id: Id, note: Note }),
  data: Empty,
  example: (seed) => ({ id: seed.backup.id, note: 'Known to work' }),
});

export const remove = endpoint({
  ...writes,
  object: { ids: 'backup' },
  path: '/api/v3/cloud_backup/delete',
  summary: 'Deletes backups; 4109 with their ids when some are pinned.',
  body: Type.Object({ ids: Type.Array(Id, { minItems: 1, maxItems: 200, uniqueItems: true }) }),
  data: Empty,
  example: (seed) => ({ ids: [seed.backup.id] }),
});

export const download = endpoint({
  ...writes,
  object: { id: 'backup' },
  path: '/api/v3/cloud_backup/download',
  summary: 'A backup as a file, keys included, encrypted with a password that only the caller knows.',
  ownTransaction: true,
  // keys inside: requires a recent sign-in
  confirm: true,
  limit: { max: 20, windowSeconds: 60 },
  body: Type.Object({ id: Id, password: FilePassword }),
  data: Type.Object({ name: Type.String(), file: Type.String() }),
  example: (seed) => ({ id: seed.backup.id, password: 'only-i-know' }),
});

export const upload = endpoint({
  ...writes,
  object: { gwid: 'network' },
  path: '/api/v3/cloud_backup/upload',
  bodyBytes: 1536 * 1024,
  summary: 'Takes a file that a console gave out as a backup of a network; nothing is restored by that.',
  ownTransaction: true,
  limit: { max: 20, windowSeconds: 60 },
  body: Type.Object({
    gwid: Id,
    file: Type.String({ minLength: 1, maxLength: backupLimits.fileLength, contentEncoding: 'base64' }),
    password: FilePassword,
    note: Type.Optional(Note),
  }),
  data: Type.Object({ id: Id }),
  example: (seed) => ({ gwid: seed.network.gwid, ...seed.backup.file }),
});

export const diff = endpoint({
  ...reads,
  object: { id: 'backup', with: 'backup' },
  path: '/api/v3/cloud_backup/diff',
  summary: 'Differences of a backup to another one, or to the present settings.',
  body: Type.Object({ id: Id, with: Type.Optional(Id) }),
  data: BackupDiff,
  example: (seed) => ({ id: seed.backup.id }),
});

const Target = {
  id: Id,
  gwid: Type.Optional(Id),
  sections: Type.Array(Words(backupSections), { minItems: 1, maxItems: backupSections.length, uniqueItems: true }),
  port_map: Type.Optional(PortMap),
  band_map: Type.Optional(BandMap),
  /** `to` replaces `from` with its settings. */
  successor: Type.Optional(Type.Object({ from: Serial, to: Serial })),
};

export const restoreCheck = endpoint({
  ...reads,
  permission: 'config.write',
  object: { id: 'backup', gwid: 'network' },
  path: '/api/v3/cloud_backup/restore_check',
  summary: 'What a restore would change, on each device too, and what it will not bring back; changes nothing.',
  ownTransaction: true,
  body: Type.Object(Target),
  data: Type.Object({
    gwid: Id,
    network: Type.String(),
    /** False: see `problems`. */
    ok: Type.Boolean(),
    problems: Type.Array(Type.Object({ field: Type.String(), message: Type.String() })),
    /** Of present settings; the restore must name it. */
    base: Type.String(),
    available: Type.Array(Words(backupSections)),
    port_map: PortMap,
    ports: Type.Array(Type.String()),
    band_map: BandMap,
    /** Empty until reported. */
    bands: Type.Array(Words(bands)),
    settings: BackupDiff,
    preview: PreviewAnswer,
    not_restored: Type.Array(NotRestored),
    /** Until an unreachable gateway reverts; null: no gateway changes. */
    returns_within_s: Nullable(Type.Integer()),
  }),
  example: (seed) => ({ id: seed.backup.id, sections: ['wireless' as const] }),
});

export const restore = endpoint({
  ...writes,
  effect: 'device',
  object: { id: 'backup', gwid: 'network' },
  path: '/api/v3/cloud_backup/restore',
  summary:
    'Restores settings of a backup and pushes them, after a backup of the present settings; no job without devices. 4104 if the present settings are no longer `base`.',
  body: Type.Object({ ...Target, base: Type.Optional(Type.String({ maxLength: 64 })) }),
  data: Type.Object({ job_id: Nullable(Id), restore_id: Id }),
  example: (seed) => ({ id: seed.backup.id, sections: ['wireless' as const] }),
});

export const restoreList = endpoint({
  ...reads,
  object: { gwid: 'network' },
  path: '/api/v3/cloud_backup/restore/list',
  summary: 'Restores, newest first, with how they went and the backup that takes each back.',
  body: ListQuery(['created_at'], { gwid: Type.Optional(Id) }),
  data: ListOf(
    Type.Object({
      id: Id,
      gwid: Id,
      network: Type.String(),
      sections: Type.Array(Words(backupSections)),
      /** Null if deleted. */
      backup_id: Nullable(Id),
      backup_at: Time,
      /** Of the previous settings; null if deleted. */
      snapshot_id: Nullable(Id),
      job_id: Nullable(Id),
      status: Nullable(Words(jobStatuses)),
      created_by: Type.String(),
      created_at: Time,
    }),
  ),
  example: (seed) => ({ gwid: seed.network.gwid, page: 1, limit: 10 }),
});

export const planSave = endpoint({
  ...writes,
  object: { gwids: 'network' },
  path: '/api/v3/cloud_backup/plan/save',
  summary:
    'Says when networks are backed up by themselves; without a plan that is every night at three. A field that is left out stays.',
  body: Type.Object({ gwids: Gwids, plan: Type.Partial(BackupPlan) }),
  data: Empty,
  example: (seed) => ({
    gwids: [seed.network.gwid],
    plan: { cycle: 'weekly' as const, hour: 4, weekday: 7 },
  }),
});
