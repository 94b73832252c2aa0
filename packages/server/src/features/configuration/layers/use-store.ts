import { isDeepStrictEqual } from 'node:util';
import type { layers as contract } from '@yunxun/contract';
import { sql } from 'kysely';
import type { Tx } from '../../../platform/database/index.ts';
import { configurationTables, type LayerStepTable } from '../tables.ts';
import type { Pin, PinScope, Pins, Placed } from './store.ts';
import { pinDevice, readPins } from './store.ts';

/** Who has a template. */
export interface LayerUse {
  /** Devices that are to run it, by version. */
  versions: ReadonlyMap<number, number>;
  devices: number;
  /** Those of them that run what is wanted of them. */
  inSync: number;
  /** Networks and groups whose new devices get it. */
  networks: number;
  groups: number;
}

/** Who has templates of an account. */
export async function usesOf(tx: Tx, accountId: string, ids: readonly string[]): Promise<(id: string) => LayerUse> {
  const { rows } = await sql<{ id: string; version: number; devices: number; in_sync: number }>`
    select l.layer_id as id, l.version, count(*)::int as devices,
      (count(*) filter (where s.state = 'in_sync'))::int as in_sync
    from device_layer l left join config_state s on s.account_id = l.account_id and s.serial = l.serial
    where l.account_id = ${accountId} and l.layer_id = any(${[...ids]}::uuid[]) group by 1, 2`.execute(tx);
  const standing = await sql<{ id: string; scope: string; places: number }>`
    select layer_id as id, scope, count(*)::int as places from standing_layer
    where account_id = ${accountId} and layer_id = any(${[...ids]}::uuid[]) group by 1, 2`.execute(tx);
  return (id) => {
    const own = rows.filter((row) => row.id === id);
    const places = (scope: string) => standing.rows.find((row) => row.id === id && row.scope === scope)?.places ?? 0;
    return {
      versions: new Map(own.map(({ version, devices }) => [version, devices])),
      devices: own.reduce((sum, { devices }) => sum + devices, 0),
      inSync: own.reduce((sum, { in_sync }) => sum + in_sync, 0),
      networks: places('network'),
      groups: places('group'),
    };
  };
}

/** What stands for a network or a group: what devices get that come to it later. */
export interface Standing {
  scope: Exclude<PinScope, 'device'>;
  ref: string;
  /** Null: nothing stands there. */
  layerId: string | null;
  version: number | null;
}

/** What stands for networks and groups. */
export async function readStanding(
  tx: Tx,
  accountId: string,
  kind: contract.TemplateKind,
  places: readonly Pick<Standing, 'scope' | 'ref'>[],
): Promise<Standing[]> {
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

/** Says what stands for networks and groups from now on. */
export async function writeStanding(
  tx: Tx,
  accountId: string,
  kind: contract.TemplateKind,
  places: readonly Standing[],
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

/** What a device got by its network or group stands there from now on. */
export async function standHere(tx: Tx, accountId: string, kind: contract.TemplateKind, pin: Pin): Promise<void> {
  const { scope, ref, layerId, version } = pin;
  if (scope !== 'device' && ref !== null) await writeStanding(tx, accountId, kind, [{ scope, ref, layerId, version }]);
}

/**
 * Writes down, as its own, what a device is to run by where it is now; what it got where it is no longer goes. Its state is
 * held. Rows that say so already are not touched: turns that give templates hold them, and then wait for the state.
 */
export async function keepPins(tx: Tx, accountId: string, device: Placed): Promise<void> {
  const { serial } = device;
  const pins: Pins = (await readPins(tx, accountId, [device]))(device);
  for (const kind of ['ac', 'wireless'] as const) {
    const [own, pin] = [(await ownPins(tx, accountId, kind, [serial])).get(serial) ?? null, pins[kind] ?? null];
    if (!isDeepStrictEqual(own, pin)) await pinDevice(tx, accountId, serial, kind, pin);
  }
}

/**
 * Writes down, as devices' own, which template of a kind they have by their network or group; who has one keeps that.
 * @returns what each has
 */
export async function ownStanding(
  tx: Tx,
  accountId: string,
  kind: contract.TemplateKind,
  devices: readonly Placed[],
): Promise<(device: Placed) => Pins> {
  const pinsOf = await readPins(tx, accountId, devices);
  const pins = devices.flatMap((device) => {
    const pin = pinsOf(device)[kind];
    return pin
      ? [{ serial: device.serial, layer_id: pin.layerId, version: pin.version, scope: pin.scope, ref: pin.ref }]
      : [];
  });
  if (pins.length === 0) return pinsOf;
  // a push may have given one of them another meanwhile
  await sql`
    insert into device_layer (account_id, serial, kind, layer_id, version, scope, ref)
    select ${accountId}::uuid, serial, ${kind}::text, layer_id, version, scope, ref
    from json_to_recordset(${JSON.stringify(pins)}::json) as p (serial text, layer_id uuid, version int, scope text, ref uuid)
    order by serial
    on conflict do nothing`.execute(tx);
  return pinsOf;
}

/** What an item of a job made of a device's template. */
export interface LayerStep {
  jobId: string;
  serial: string;
  kind: contract.TemplateKind;
  before: Pin | null;
  after: Pin | null;
}

/**
 * Gives devices their versions of a template as items of a job; a second time it changes nothing that was written down.
 * Whoever calls has locked them (`lockPins`): a lock in this statement passes over the rows that the statement itself has
 * changed by then, and what they were would be lost.
 */
export async function takeSteps(
  tx: Tx,
  accountId: string,
  jobId: string,
  kind: contract.TemplateKind,
  steps: readonly { serial: string; after: Pin | null }[],
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

/**
 * Takes back what items of a job gave devices that never got it: they have what they had before, unless they were given
 * something else meanwhile.
 */
export async function undoSteps(tx: Tx, accountId: string, jobId: string, serials: readonly string[]): Promise<void> {
  if (serials.length === 0) return;
  const steps = await stepsOf(tx, accountId, [jobId], serials);
  for (const kind of ['ac', 'wireless'] as const) {
    const own = steps.filter((step) => step.kind === kind);
    const pins = await ownPins(
      tx,
      accountId,
      kind,
      own.map(({ serial }) => serial),
    );
    for (const { serial, before, after } of own)
      if (samePin(pins.get(serial) ?? null, after)) await pinDevice(tx, accountId, serial, kind, before);
  }
  await configurationTables(tx)
    .deleteFrom('layer_step')
    .where('account_id', '=', accountId)
    .where('job_id', '=', jobId)
    .where('serial', 'in', [...serials])
    .execute();
}

/** Whether two pins are of the same version of the same template. */
export function samePin(one: Pin | null, other: Pin | null): boolean {
  return (one?.layerId ?? null) === (other?.layerId ?? null) && (one?.version ?? null) === (other?.version ?? null);
}

/** What the items of jobs made of devices' templates, in the order of the jobs' ids (of time). */
export async function stepsOf(
  tx: Tx,
  accountId: string,
  jobIds: readonly string[],
  serials?: readonly string[],
): Promise<LayerStep[]> {
  if (jobIds.length === 0) return [];
  const query = configurationTables(tx)
    .selectFrom('layer_step')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('job_id', 'in', [...jobIds]);
  const rows = await (serials ? query.where('serial', 'in', serials) : query).orderBy('job_id').execute();
  return rows.map(stepOf);
}

/** The devices of which jobs made anything. */
export async function steppedDevices(tx: Tx, accountId: string, jobIds: readonly string[]): Promise<Set<string>> {
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

/** What a job and those that are newer made of devices' templates. */
export async function stepsSince(
  tx: Tx,
  accountId: string,
  jobId: string,
  serials: readonly string[],
): Promise<LayerStep[]> {
  const rows = await configurationTables(tx)
    .selectFrom('layer_step')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('job_id', '>=', jobId)
    .where('serial', 'in', [...serials])
    .execute();
  return rows.map(stepOf);
}

function stepOf({ job_id: jobId, serial, kind, before, after }: LayerStepTable): LayerStep {
  return {
    ...{ jobId, serial, kind: kind as contract.TemplateKind },
    ...{ before: before as Pin | null, after: after as Pin | null },
  };
}

/** Holds off whoever ends a job's turns (`endTurns`) until the transaction ends; turns do not hold each other off. */
export async function takeTurn(tx: Tx, jobId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock_shared(hashtextextended(${`turns ${jobId}`}, 0))`.execute(tx);
}

/** Waits for the turns of a job that have begun; no other begins until the transaction ends. */
export async function endTurns(tx: Tx, jobId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`turns ${jobId}`}, 0))`.execute(tx);
}

/** Holds what devices are to run by themselves until the transaction ends. */
export async function lockPins(tx: Tx, accountId: string, serials: readonly string[]): Promise<void> {
  await sql`
    select from device_layer where account_id = ${accountId} and serial = any(${[...serials]}::text[])
    order by serial, kind for update`.execute(tx);
}

/** What is to be run by devices themselves, as written down; those without are missing. */
export async function ownPins(
  tx: Tx,
  accountId: string,
  kind: contract.TemplateKind,
  serials: readonly string[],
): Promise<Map<string, Pin>> {
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
      { layerId: row.layer_id, version: row.version, scope: row.scope as PinScope, ref: row.ref },
    ]),
  );
}

/** Where a template is: the networks and groups that it stands for, and the devices that have it themselves. */
export async function placesWith(
  tx: Tx,
  accountId: string,
  id: string,
): Promise<{ gwids: string[]; group_ids: string[]; serials: string[] }> {
  const db = configurationTables(tx);
  const standing = await db
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
  const refs = (scope: string) => standing.filter((row) => row.scope === scope).map(({ ref }) => ref);
  return { gwids: refs('network'), group_ids: refs('group'), serials: own.map(({ serial }) => serial) };
}

/** Takes away what stands for a network or a group that is gone. */
export async function forgetStanding(tx: Tx, accountId: string, ref: string): Promise<number> {
  const gone = await configurationTables(tx)
    .deleteFrom('standing_layer')
    .where('account_id', '=', accountId)
    .where('ref', '=', ref)
    .executeTakeFirst();
  return Number(gone.numDeletedRows);
}
