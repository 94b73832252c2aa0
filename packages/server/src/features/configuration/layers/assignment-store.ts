import { isDeepStrictEqual } from 'node:util';
import type { layers as contract } from '@yunxun/contract';
import { sql } from 'kysely';
import type { Tx } from '../../../platform/database/index.ts';
import { configurationTables, type LayerStepTable } from '../tables.ts';
import type { Assignment, AssignmentScope, Assignments, PlacedDevice } from './template-store.ts';
import { assignToDevice, readAssignments } from './template-store.ts';

export interface TemplateUse {
  versions: ReadonlyMap<number, number>;
  devices: number;
  inSync: number;
  networks: number;
  groups: number;
}

export async function countTemplateUses(
  tx: Tx,
  accountId: string,
  ids: readonly string[],
): Promise<(id: string) => TemplateUse> {
  const { rows } = await sql<{ id: string; version: number; devices: number; in_sync: number }>`
    select l.layer_id as id, l.version, count(*)::int as devices,
      (count(*) filter (where s.state = 'in_sync'))::int as in_sync
    from device_layer l left join config_state s on s.account_id = l.account_id and s.serial = l.serial
    where l.account_id = ${accountId} and l.layer_id = any(${[...ids]}::uuid[]) group by 1, 2`.execute(tx);
  const scopeAssignments = await sql<{ id: string; scope: string; places: number }>`
    select layer_id as id, scope, count(*)::int as places from standing_layer
    where account_id = ${accountId} and layer_id = any(${[...ids]}::uuid[]) group by 1, 2`.execute(tx);
  return (id) => {
    const own = rows.filter((row) => row.id === id);
    const places = (scope: string) =>
      scopeAssignments.rows.find((row) => row.id === id && row.scope === scope)?.places ?? 0;
    return {
      versions: new Map(own.map(({ version, devices }) => [version, devices])),
      devices: own.reduce((sum, { devices }) => sum + devices, 0),
      inSync: own.reduce((sum, { in_sync }) => sum + in_sync, 0),
      networks: places('network'),
      groups: places('group'),
    };
  };
}

/** Inherited by devices that join. */
export interface ScopeAssignment {
  scope: Exclude<AssignmentScope, 'device'>;
  ref: string;
  layerId: string | null;
  version: number | null;
}

export async function readScopeAssignments(
  tx: Tx,
  accountId: string,
  kind: contract.TemplateKind,
  places: readonly Pick<ScopeAssignment, 'scope' | 'ref'>[],
): Promise<ScopeAssignment[]> {
  if (places.length === 0) return [];
  const rows = await configurationTables(tx)
    .selectFrom('standing_layer')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('kind', '=', kind)
    .where('ref', 'in', [...new Set(places.map(({ ref }) => ref))])
    .execute();
  return places.map(({ scope, ref }) => {
    const row = rows.find((one) => one.scope === scope && one.ref === ref);
    return { scope, ref, layerId: row?.layer_id ?? null, version: row?.version ?? null };
  });
}

export async function writeScopeAssignments(
  tx: Tx,
  accountId: string,
  kind: contract.TemplateKind,
  places: readonly ScopeAssignment[],
): Promise<void> {
  const none = places.filter(({ layerId, version }) => layerId === null || version === null);
  const some = places.filter((place) => !none.includes(place));
  const keys = (list: typeof places) =>
    sql`${list.map(({ scope }) => scope)}::text[], ${list.map(({ ref }) => ref)}::uuid[]`;
  if (none.length > 0)
    await sql`
      delete from standing_layer where account_id = ${accountId} and kind = ${kind}
        and (scope, ref) in (select * from unnest(${keys(none)}))`.execute(tx);
  if (some.length > 0)
    await sql`
      insert into standing_layer (account_id, kind, scope, ref, layer_id, version)
      select ${accountId}, ${kind}, * from unnest(${keys(some)}, ${some.map(({ layerId }) => layerId)}::uuid[],
        ${some.map(({ version }) => version)}::int[])
      on conflict (account_id, scope, ref, kind) do update set layer_id = excluded.layer_id, version = excluded.version`.execute(
      tx,
    );
}

export async function assignToScope(
  tx: Tx,
  accountId: string,
  kind: contract.TemplateKind,
  assignment: Assignment,
): Promise<void> {
  const { scope, ref, layerId, version } = assignment;
  if (scope !== 'device' && ref !== null)
    await writeScopeAssignments(tx, accountId, kind, [{ scope, ref, layerId, version }]);
}

/**
 * Leaves equal rows untouched: rollout steps lock rows before states, so writes could deadlock. The caller holds the
 * state.
 */
export async function keepInheritedAssignments(tx: Tx, accountId: string, device: PlacedDevice): Promise<void> {
  const { serial } = device;
  const assignments: Assignments = (await readAssignments(tx, accountId, [device]))(device);
  for (const kind of ['ac', 'wireless'] as const) {
    const [own, assignment] = [
      (await readOwnAssignments(tx, accountId, kind, [serial])).get(serial) ?? null,
      assignments[kind] ?? null,
    ];
    if (!isDeepStrictEqual(own, assignment)) await assignToDevice(tx, accountId, serial, kind, assignment);
  }
}

/**
 * Stores inherited assignments as own.
 * @returns the effective ones
 */
export async function readOwnScopeAssignments(
  tx: Tx,
  accountId: string,
  kind: contract.TemplateKind,
  devices: readonly PlacedDevice[],
): Promise<(device: PlacedDevice) => Assignments> {
  const assignmentsOf = await readAssignments(tx, accountId, devices);
  const assignments = devices.flatMap((device) => {
    const assignment = assignmentsOf(device)[kind];
    return assignment
      ? [
          {
            serial: device.serial,
            layer_id: assignment.layerId,
            version: assignment.version,
            scope: assignment.scope,
            ref: assignment.ref,
          },
        ]
      : [];
  });
  if (assignments.length === 0) return assignmentsOf;
  // a concurrent push may have assigned another
  await sql`
    insert into device_layer (account_id, serial, kind, layer_id, version, scope, ref)
    select ${accountId}::uuid, serial, ${kind}::text, layer_id, version, scope, ref
    from json_to_recordset(${JSON.stringify(assignments)}::json) as p (serial text, layer_id uuid, version int, scope text, ref uuid)
    order by serial
    on conflict do nothing`.execute(tx);
  return assignmentsOf;
}

/** Template before and after a job item. */
export interface AssignmentLogEntry {
  jobId: string;
  serial: string;
  kind: contract.TemplateKind;
  before: Assignment | null;
  after: Assignment | null;
}

/**
 * Assigns templates for job items; repeats keep the first entries. Needs `lockAssignments`: a lock inside this
 * statement would skip rows that it changes, and lose their old values.
 */
export async function appendAssignmentLog(
  tx: Tx,
  accountId: string,
  jobId: string,
  kind: contract.TemplateKind,
  steps: readonly { serial: string; after: Assignment | null }[],
): Promise<void> {
  if (steps.length === 0) return;
  const given = sql`
    given as (
      select g.serial, g.after, (g.after ->> 'layerId')::uuid as layer_id, (g.after ->> 'version')::int as version,
        g.after ->> 'scope' as scope, (g.after ->> 'ref')::uuid as ref
      from json_to_recordset(${JSON.stringify(steps)}::json) as g (serial text, after jsonb)
    ), before as (
      select l.serial, jsonb_build_object('layerId', l.layer_id, 'version', l.version, 'scope', l.scope, 'ref', l.ref) as pin
      from device_layer l where l.account_id = ${accountId} and l.kind = ${kind} and l.serial in (select serial from given)
    ), step as (
      insert into layer_step (account_id, job_id, serial, kind, before, after)
      select ${accountId}::uuid, ${jobId}::uuid, g.serial, ${kind}::text, b.pin, g.after from given g left join before b using (serial)
      on conflict (account_id, job_id, serial) do nothing
    )`;
  await sql`
    with ${given}, gone as (
      delete from device_layer l using given g
      where l.account_id = ${accountId} and l.kind = ${kind} and l.serial = g.serial and g.layer_id is null
    )
    insert into device_layer (account_id, serial, kind, layer_id, version, scope, ref)
    select ${accountId}::uuid, serial, ${kind}::text, layer_id, version, scope, ref from given where layer_id is not null
    on conflict (account_id, serial, kind) do update
      set layer_id = excluded.layer_id, version = excluded.version, scope = excluded.scope, ref = excluded.ref`.execute(
    tx,
  );
}

/** Covers devices that never got the template; skips later changes. */
export async function revertAssignments(
  tx: Tx,
  accountId: string,
  jobId: string,
  serials: readonly string[],
): Promise<void> {
  if (serials.length === 0) return;
  const steps = await readAssignmentLog(tx, accountId, [jobId], serials);
  for (const kind of ['ac', 'wireless'] as const) {
    const own = steps.filter((step) => step.kind === kind);
    const assignments = await readOwnAssignments(
      tx,
      accountId,
      kind,
      own.map(({ serial }) => serial),
    );
    for (const { serial, before, after } of own)
      if (isSameAssignment(assignments.get(serial) ?? null, after))
        await assignToDevice(tx, accountId, serial, kind, before);
  }
  await configurationTables(tx)
    .deleteFrom('layer_step')
    .where('account_id', '=', accountId)
    .where('job_id', '=', jobId)
    .where('serial', 'in', [...serials])
    .execute();
}

export function isSameAssignment(one: Assignment | null, other: Assignment | null): boolean {
  return (one?.layerId ?? null) === (other?.layerId ?? null) && (one?.version ?? null) === (other?.version ?? null);
}

/** Orders by job id, that is, by time. */
export async function readAssignmentLog(
  tx: Tx,
  accountId: string,
  jobIds: readonly string[],
  serials?: readonly string[],
): Promise<AssignmentLogEntry[]> {
  if (jobIds.length === 0) return [];
  const query = configurationTables(tx)
    .selectFrom('layer_step')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('job_id', 'in', [...jobIds]);
  const rows = await (serials ? query.where('serial', 'in', serials) : query).orderBy('job_id').execute();
  return rows.map(stepOf);
}

export async function devicesInAssignmentLog(
  tx: Tx,
  accountId: string,
  jobIds: readonly string[],
): Promise<Set<string>> {
  if (jobIds.length === 0) return new Set();
  const rows = await configurationTables(tx)
    .selectFrom('layer_step')
    .select('serial')
    .distinct()
    .where('account_id', '=', accountId)
    .where('job_id', 'in', [...jobIds])
    .execute();
  return new Set(rows.map(({ serial }) => serial));
}

/** Includes the job and later ones. */
export async function readAssignmentLogSince(
  tx: Tx,
  accountId: string,
  jobId: string,
  serials: readonly string[],
): Promise<AssignmentLogEntry[]> {
  const rows = await configurationTables(tx)
    .selectFrom('layer_step')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('job_id', '>=', jobId)
    .where('serial', 'in', [...serials])
    .execute();
  return rows.map(stepOf);
}

function stepOf({ job_id: jobId, serial, kind, before, after }: LayerStepTable): AssignmentLogEntry {
  return {
    jobId,
    serial,
    kind: kind as contract.TemplateKind,
    before: before as Assignment | null,
    after: after as Assignment | null,
  };
}

/** Takes a shared lock; `endRolloutSteps` waits for it. */
export async function beginRolloutStep(tx: Tx, jobId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock_shared(hashtextextended(${`turns ${jobId}`}, 0))`.execute(tx);
}

/** Takes an exclusive lock: waits for running steps, blocks new ones until the transaction ends. */
export async function endRolloutSteps(tx: Tx, jobId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`turns ${jobId}`}, 0))`.execute(tx);
}

export async function lockAssignments(tx: Tx, accountId: string, serials: readonly string[]): Promise<void> {
  await sql`
    select from device_layer where account_id = ${accountId} and serial = any(${[...serials]}::text[])
    order by serial, kind for update`.execute(tx);
}

export async function readOwnAssignments(
  tx: Tx,
  accountId: string,
  kind: contract.TemplateKind,
  serials: readonly string[],
): Promise<Map<string, Assignment>> {
  if (serials.length === 0) return new Map();
  const rows = await configurationTables(tx)
    .selectFrom('device_layer')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('kind', '=', kind)
    .where('serial', 'in', [...serials])
    .execute();
  return new Map(
    rows.map((row) => [
      row.serial,
      { layerId: row.layer_id, version: row.version, scope: row.scope as AssignmentScope, ref: row.ref },
    ]),
  );
}

export async function scopesWithTemplate(
  tx: Tx,
  accountId: string,
  id: string,
): Promise<{ gwids: string[]; group_ids: string[]; serials: string[] }> {
  const db = configurationTables(tx);
  const scopeAssignments = await db
    .selectFrom('standing_layer')
    .select(['scope', 'ref'])
    .where('account_id', '=', accountId)
    .where('layer_id', '=', id)
    .execute();
  const own = await db
    .selectFrom('device_layer')
    .select('serial')
    .where('account_id', '=', accountId)
    .where('layer_id', '=', id)
    .execute();
  const refs = (scope: string) => scopeAssignments.filter((row) => row.scope === scope).map(({ ref }) => ref);
  return { gwids: refs('network'), group_ids: refs('group'), serials: own.map(({ serial }) => serial) };
}

export async function deleteScopeAssignments(tx: Tx, accountId: string, ref: string): Promise<number> {
  const gone = await configurationTables(tx)
    .deleteFrom('standing_layer')
    .where('account_id', '=', accountId)
    .where('ref', '=', ref)
    .executeTakeFirst();
  return Number(gone.numDeletedRows);
}
