import type { layers as contract } from '@yunxun/contract';
import { sql } from 'kysely';
import { LRUCache } from 'lru-cache';
import type { AccountKeys } from '../../../platform/crypto/account-keys.ts';
import type { Tx } from '../../../platform/database/index.ts';
import { type SsidSecrets, secretsOf, withSecrets } from '../ssid-secrets.ts';
import { configurationTables } from '../tables.ts';
import { type LayerContent, noGeneral } from './merge-layers.ts';

export type AssignmentScope = 'device' | 'group' | 'network';

export interface Assignment {
  layerId: string;
  version: number;
  scope: AssignmentScope;
  /** Null: assigned by hand. */
  ref: string | null;
}

export type Assignments = Partial<Record<contract.TemplateKind, Assignment>>;

export interface PlacedDevice {
  serial: string;
  gwid: string | null;
  groupId: string | null;
}

export interface LayerVersion {
  id: string;
  kind: contract.TemplateKind | 'group';
  name: string;
  version: number;
  content: LayerContent;
}

interface AssignmentRow {
  serial: string | null;
  kind: contract.TemplateKind;
  layer_id: string;
  version: number;
  scope: AssignmentScope;
  ref: string | null;
}

/** Ignored in these scopes (`scopeKey`) and in all device assignments. */
export interface ScopeExclusion {
  layerId: string;
  places: ReadonlySet<string>;
}

export const scopeKey = ({ scope, ref }: { scope: string; ref: string | null }) => `${scope} ${ref}`;

function isWithout(row: AssignmentRow, { layerId, places }: ScopeExclusion): boolean {
  return row.layer_id === layerId && (row.serial !== null || places.has(scopeKey(row)));
}

/** Returns the device's own assignment if its scope still matches, else its group's, else its network's. */
export async function readAssignments(
  tx: Tx,
  accountId: string,
  devices: readonly PlacedDevice[],
  without?: ScopeExclusion | null,
): Promise<(device: PlacedDevice) => Assignments> {
  const serials = devices.map(({ serial }) => serial);
  const refs = [...new Set(devices.flatMap(({ gwid, groupId }) => [gwid, groupId].filter((id) => id !== null)))];
  const { rows } = await sql<AssignmentRow>`
    select serial, kind, layer_id, version, scope, ref from device_layer
      where account_id = ${accountId} and serial = any(${serials}::text[])
    union all
    select null, kind, layer_id, version, scope, ref from standing_layer
      where account_id = ${accountId} and ref = any(${refs}::uuid[])`.execute(tx);
  const own = new Map<string, AssignmentRow[]>();
  const scopeAssignments = new Map<string, AssignmentRow>();
  for (const row of rows) {
    if (without && isWithout(row, without)) continue;
    if (row.serial === null) scopeAssignments.set(`${row.scope} ${row.ref} ${row.kind}`, row);
    else own.set(row.serial, [...(own.get(row.serial) ?? []), row]);
  }
  return (device) => {
    const places = { device: null, group: device.groupId, network: device.gwid };
    const assignments: Assignments = {};
    for (const kind of ['ac', 'wireless'] as const) {
      const row =
        own.get(device.serial)?.find((one) => one.kind === kind && one.ref === places[one.scope]) ??
        scopeAssignments.get(`group ${device.groupId} ${kind}`) ??
        scopeAssignments.get(`network ${device.gwid} ${kind}`);
      if (row) assignments[kind] = { layerId: row.layer_id, version: row.version, scope: row.scope, ref: row.ref };
    }
    return assignments;
  };
}

export const versionKey = (id: string, version: number) => `${id} ${version}`;

/** Versions are immutable; names may be outdated. Keys come from the transaction's own account. */
const remembered = new LRUCache<string, LayerVersion>({ max: 1000 });
const rememberedAs = (accountId: string, id: string, version: number) => `${accountId} ${versionKey(id, version)}`;

const sealContext = (id: string, version: number) => `layer keys ${id} ${version}`;

/** Keys versions by `versionKey`, group settings also by group id. */
export async function readLayers(
  tx: Tx,
  keys: AccountKeys,
  accountId: string,
  wanted: { versions: readonly { id: string; version: number }[]; groups?: readonly string[] },
): Promise<Map<string, LayerVersion>> {
  const groups = [...(wanted.groups ?? [])];
  const found = new Map<string, LayerVersion>();
  const missing = wanted.versions.filter(({ id, version }) => {
    const kept = remembered.get(rememberedAs(accountId, id, version));
    if (kept) found.set(versionKey(id, version), kept);
    return kept === undefined;
  });
  if (missing.length === 0 && groups.length === 0) return found;
  const ids = missing.map(({ id }) => id);
  const numbers = missing.map(({ version }) => version);
  const { rows } = await sql<{
    id: string;
    kind: LayerVersion['kind'];
    name: string;
    version: number;
    content: LayerContent;
    sealed_keys: Buffer;
  }>`
    select l.id, l.kind, l.name, v.version, v.content, v.sealed_keys
    from config_layer l join config_layer_version v on v.account_id = l.account_id and v.layer_id = l.id
    where l.account_id = ${accountId} and (
      (l.id, v.version) in (select * from unnest(${ids}::uuid[], ${numbers}::int[]))
      or l.id = any(${groups}::uuid[]) and l.kind = 'group' and v.version = l.version)`.execute(tx);
  const sealer = await keys.of(tx, accountId);
  for (const { id, kind, name, version, content, sealed_keys: sealed } of rows) {
    const text = sealer.open(sealed, sealContext(id, version)).toString('utf8');
    const ssids = withSecrets(content.ssids, JSON.parse(text) as SsidSecrets);
    const layer: LayerVersion = {
      id,
      kind,
      name,
      version,
      content: { ...content, ssids, general: { ...noGeneral, ...content.general } },
    };
    found.set(versionKey(id, version), layer);
    if (kind === 'group') found.set(id, layer);
    else remembered.set(rememberedAs(accountId, id, version), layer);
  }
  return found;
}

export interface LayerFacts {
  id: string;
  kind: LayerVersion['kind'];
  name: string;
  version: number;
  createdAt: Date;
  updatedAt: Date;
  updatedBy: string;
}

/** `lock`: until the end of the transaction. */
export async function findLayer(tx: Tx, accountId: string, id: string, lock = false): Promise<LayerFacts | undefined> {
  const query = configurationTables(tx)
    .selectFrom('config_layer')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('id', '=', id);
  const row = await (lock ? query.forUpdate() : query).executeTakeFirst();
  return row && factsOf(row);
}

export async function layersOfKind(tx: Tx, accountId: string, kind: LayerVersion['kind']): Promise<LayerFacts[]> {
  const rows = await configurationTables(tx)
    .selectFrom('config_layer')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('kind', '=', kind)
    .orderBy('name')
    .execute();
  return rows.map(factsOf);
}

export async function knownLayers(tx: Tx, ids: readonly string[]): Promise<Set<string>> {
  const rows = await configurationTables(tx)
    .selectFrom('config_layer')
    .select('id')
    .where('id', 'in', [...ids])
    .where('kind', '<>', 'group')
    .execute();
  return new Set(rows.map(({ id }) => id));
}

function factsOf(row: {
  id: string;
  kind: string;
  name: string;
  version: number;
  created_at: Date;
  updated_at: Date;
  updated_by: string;
}): LayerFacts {
  const { id, kind, name, version } = row;
  const [createdAt, updatedAt, updatedBy] = [row.created_at, row.updated_at, row.updated_by];
  return { id, kind: kind as LayerFacts['kind'], name, version, createdAt, updatedAt, updatedBy };
}

/** Requires that the caller locked an existing layer. */
export async function writeLayer(
  tx: Tx,
  keys: AccountKeys,
  layer: Omit<LayerVersion, 'version'> & { accountId: string; over: number; at: Date; by: string },
): Promise<number> {
  const { accountId, id, kind, name, content, over, at, by } = layer;
  const version = over + 1;
  const db = configurationTables(tx);
  const facts = { name, version, updated_at: at, updated_by: by };
  if (over === 0) {
    await db
      .insertInto('config_layer')
      .values({ account_id: accountId, id, kind, created_at: at, ...facts })
      .execute();
  } else {
    await db.updateTable('config_layer').set(facts).where('account_id', '=', accountId).where('id', '=', id).execute();
  }
  const sealer = await keys.of(tx, accountId);
  const bare = { ...content, ssids: withSecrets(content.ssids, {}) };
  await db
    .insertInto('config_layer_version')
    .values({
      account_id: accountId,
      layer_id: id,
      version,
      created_at: at,
      created_by: by,
      content: JSON.stringify(bare),
      sealed_keys: sealer.seal(JSON.stringify(secretsOf(content.ssids)), sealContext(id, version)),
    })
    .execute();
  return version;
}

/** Requires that the caller found it unused. */
export async function deleteLayer(tx: Tx, accountId: string, id: string): Promise<void> {
  await configurationTables(tx)
    .deleteFrom('config_layer')
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .execute();
}

export function versionsOfLayer(tx: Tx, accountId: string, id: string) {
  return configurationTables(tx)
    .selectFrom('config_layer_version')
    .select(['version', 'created_at', 'created_by'])
    .where('account_id', '=', accountId)
    .where('layer_id', '=', id)
    .orderBy('version', 'desc')
    .execute();
}

/** Removes it if null. @returns the previous one */
export async function assignToDevice(
  tx: Tx,
  accountId: string,
  serial: string,
  kind: contract.TemplateKind,
  assignment: Assignment | null,
): Promise<Assignment | null> {
  const own = { account_id: accountId, serial, kind };
  const db = configurationTables(tx);
  const row = await db
    .selectFrom('device_layer')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('serial', '=', serial)
    .where('kind', '=', kind)
    .forUpdate()
    .executeTakeFirst();
  const before = row
    ? { layerId: row.layer_id, version: row.version, scope: row.scope as AssignmentScope, ref: row.ref }
    : null;
  if (assignment === null) {
    await db
      .deleteFrom('device_layer')
      .where('account_id', '=', accountId)
      .where('serial', '=', serial)
      .where('kind', '=', kind)
      .execute();
    return before;
  }
  const values = {
    layer_id: assignment.layerId,
    version: assignment.version,
    scope: assignment.scope,
    ref: assignment.ref,
  };
  await db
    .insertInto('device_layer')
    .values({ ...own, ...values })
    .onConflict((conflict) => conflict.columns(['account_id', 'serial', 'kind']).doUpdateSet(values))
    .execute();
  return before;
}
