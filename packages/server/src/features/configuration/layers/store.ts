import type { layers as contract } from '@yunxun/contract';
import { sql } from 'kysely';
import { LRUCache } from 'lru-cache';
import type { AccountKeys } from '../../../platform/crypto/account-keys.ts';
import type { Tx } from '../../../platform/database/index.ts';
import type { Ssid } from '../compile/index.ts';
import { configurationTables } from '../tables.ts';
import type { LayerContent } from './layered.ts';

/** How a device came to a template: by hand, or with a group or network it is in. */
export type PinScope = 'device' | 'group' | 'network';

/** The version of a template that a device is to run. */
export interface Pin {
  layerId: string;
  version: number;
  scope: PinScope;
  /** The group or network; null by hand. */
  ref: string | null;
}

export type Pins = Partial<Record<contract.TemplateKind, Pin>>;

/** Where a device is. */
export interface Placed {
  serial: string;
  gwid: string | null;
  groupId: string | null;
}

/** A version of a layer, keys included. */
export interface LayerVersion {
  id: string;
  kind: contract.TemplateKind | 'group';
  name: string;
  version: number;
  content: LayerContent;
}

interface PinRow {
  serial: string | null;
  kind: contract.TemplateKind;
  layer_id: string;
  version: number;
  scope: PinScope;
  ref: string | null;
}

/** A template that is left out: where it stands at these places (`standingName`), and wherever devices have it themselves. */
export interface Without {
  layerId: string;
  places: ReadonlySet<string>;
}

/** What a network or a group is called among others. */
export const standingName = ({ scope, ref }: { scope: string; ref: string | null }) => `${scope} ${ref}`;

function isWithout(row: PinRow, { layerId, places }: Without): boolean {
  return row.layer_id === layerId && (row.serial !== null || places.has(standingName(row)));
}

/**
 * Which versions of templates devices are to run: what was given to a device itself, as long as it is where it got that,
 * else what stands for its group, else for its network.
 */
export async function readPins(
  tx: Tx,
  accountId: string,
  devices: readonly Placed[],
  without?: Without | null,
): Promise<(device: Placed) => Pins> {
  const serials = devices.map(({ serial }) => serial);
  const refs = [...new Set(devices.flatMap(({ gwid, groupId }) => [gwid, groupId].filter((id) => id !== null)))];
  const { rows } = await sql<PinRow>`
    select serial, kind, layer_id, version, scope, ref from device_layer
      where account_id = ${accountId} and serial = any(${serials}::text[])
    union all
    select null, kind, layer_id, version, scope, ref from standing_layer
      where account_id = ${accountId} and ref = any(${refs}::uuid[])`.execute(tx);
  const own = new Map<string, PinRow[]>();
  const standing = new Map<string, PinRow>();
  for (const row of rows) {
    if (without && isWithout(row, without)) continue;
    if (row.serial === null) standing.set(`${row.scope} ${row.ref} ${row.kind}`, row);
    else own.set(row.serial, [...(own.get(row.serial) ?? []), row]);
  }
  return (device) => {
    const places = { device: null, group: device.groupId, network: device.gwid };
    const pins: Pins = {};
    for (const kind of ['ac', 'wireless'] as const) {
      const row =
        own.get(device.serial)?.find((one) => one.kind === kind && one.ref === places[one.scope]) ??
        standing.get(`group ${device.groupId} ${kind}`) ??
        standing.get(`network ${device.gwid} ${kind}`);
      if (row) pins[kind] = { layerId: row.layer_id, version: row.version, scope: row.scope, ref: row.ref };
    }
    return pins;
  };
}

/** What a version is called among others. */
export const versionKey = (id: string, version: number) => `${id} ${version}`;

/**
 * Versions of templates that were read last: they never change, and a push reads the same one for each of its devices. The
 * name may be an older one. Only ids that the transaction itself has found in its account lead here.
 */
const remembered = new LRUCache<string, LayerVersion>({ max: 1000 });
const rememberedAs = (accountId: string, id: string, version: number) => `${accountId} ${versionKey(id, version)}`;

const sealContext = (id: string, version: number) => `layer keys ${id} ${version}`;

/** Versions of layers, and the newest of the given groups' settings, by `versionKey`; the latter by the group's id too. */
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
    const secrets = JSON.parse(sealer.open(sealed, sealContext(id, version)).toString('utf8')) as Record<
      string,
      string
    >;
    const ssids = content.ssids.map((ssid): Ssid => ({ ...ssid, key: secrets[ssid.id] ?? null }));
    const layer: LayerVersion = { id, kind, name, version, content: { ...content, ssids } };
    found.set(versionKey(id, version), layer);
    if (kind === 'group') found.set(id, layer);
    else remembered.set(rememberedAs(accountId, id, version), layer);
  }
  return found;
}

/** A layer without what it says. */
export interface LayerFacts {
  id: string;
  kind: LayerVersion['kind'];
  name: string;
  version: number;
  createdAt: Date;
  updatedAt: Date;
  updatedBy: string;
}

/** A layer; `lock`: until the transaction ends. */
export async function findLayer(tx: Tx, accountId: string, id: string, lock = false): Promise<LayerFacts | undefined> {
  const query = configurationTables(tx)
    .selectFrom('config_layer')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('id', '=', id);
  const row = await (lock ? query.forUpdate() : query).executeTakeFirst();
  return row && factsOf(row);
}

/** Layers of a kind, by name. */
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

/** Which of the ids are templates that the transaction may see. */
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

/** Keeps a layer's next version; the first one makes the layer. The caller holds the layer, or has just made its id. */
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
  const secrets = Object.fromEntries(content.ssids.flatMap(({ id: ssid, key }) => (key === null ? [] : [[ssid, key]])));
  const bare = { ...content, ssids: content.ssids.map((ssid): Ssid => ({ ...ssid, key: null })) };
  await db
    .insertInto('config_layer_version')
    .values({
      ...{ account_id: accountId, layer_id: id, version, created_at: at, created_by: by },
      content: JSON.stringify(bare),
      sealed_keys: sealer.seal(JSON.stringify(secrets), sealContext(id, version)),
    })
    .execute();
  return version;
}

/** Takes a layer away with all its versions. What runs it must have been asked before. */
export async function deleteLayer(tx: Tx, accountId: string, id: string): Promise<void> {
  await configurationTables(tx)
    .deleteFrom('config_layer')
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .execute();
}

/** A layer's versions, newest first, without what they say. */
export function versionsOfLayer(tx: Tx, accountId: string, id: string) {
  return configurationTables(tx)
    .selectFrom('config_layer_version')
    .select(['version', 'created_at', 'created_by'])
    .where('account_id', '=', accountId)
    .where('layer_id', '=', id)
    .orderBy('version', 'desc')
    .execute();
}

/** Says which version of a template a device is to run; null: none of its own. @returns what it was before */
export async function pinDevice(
  tx: Tx,
  accountId: string,
  serial: string,
  kind: contract.TemplateKind,
  pin: Pin | null,
): Promise<Pin | null> {
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
    ? { layerId: row.layer_id, version: row.version, scope: row.scope as PinScope, ref: row.ref }
    : null;
  if (pin === null) {
    await db
      .deleteFrom('device_layer')
      .where('account_id', '=', accountId)
      .where('serial', '=', serial)
      .where('kind', '=', kind)
      .execute();
    return before;
  }
  const values = { layer_id: pin.layerId, version: pin.version, scope: pin.scope, ref: pin.ref };
  await db
    .insertInto('device_layer')
    .values({ ...own, ...values })
    .onConflict((conflict) => conflict.columns(['account_id', 'serial', 'kind']).doUpdateSet(values))
    .execute();
  return before;
}
