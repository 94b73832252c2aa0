import { type backup, layers } from '@yunxun/contract';
import { sql } from 'kysely';
import type { Tx } from '../../platform/database/index.ts';
import { readOwnAssignments, readScopeAssignments, writeScopeAssignments } from './layers/assignment-store.ts';
import { type Assignment, type AssignmentScope, assignToDevice } from './layers/template-store.ts';

export type TemplateAssignment = NonNullable<backup.BackupContent['templates']>[number];

interface Found {
  scope: AssignmentScope;
  serial: string | null;
  group: string | null;
  kind: TemplateAssignment['kind'];
  layerId: string;
  version: number;
}

/** Returns a stable order. */
export async function readTemplates(
  tx: Tx,
  accountId: string,
  networks: readonly { gwid: string; serials: readonly string[] }[],
): Promise<(gwid: string) => TemplateAssignment[]> {
  const found = new Map(networks.map(({ gwid }): [string, Found[]] => [gwid, []]));
  const all = networks.flatMap(({ serials }) => serials);
  const places = networks.map(({ gwid }) => ({ scope: 'network' as const, ref: gwid }));
  for (const kind of layers.templateKinds) {
    for (const { ref, layerId, version } of await readScopeAssignments(tx, accountId, kind, places))
      if (layerId !== null && version !== null)
        found.get(ref)?.push({ scope: 'network', serial: null, group: null, kind, layerId, version });
    const own = await readOwnAssignments(tx, accountId, kind, all);
    for (const { gwid, serials } of networks)
      for (const serial of serials.toSorted()) {
        const assignment = own.get(serial);
        if (!assignment) continue;
        const { layerId, version, scope, ref } = assignment;
        found.get(gwid)?.push({ scope, serial, group: scope === 'group' ? ref : null, kind, layerId, version });
      }
  }
  const names = await namesOf(tx, accountId, [...found.values()].flat());
  return (gwid) =>
    (found.get(gwid) ?? []).flatMap(({ scope, serial, group, kind, layerId, version }) => {
      const name = names.get(keyOf(layerId, version));
      return name === undefined ? [] : [{ scope, serial, group_id: group, kind, layer_id: layerId, version, name }];
    });
}

export async function findDeletedTemplates(
  tx: Tx,
  accountId: string,
  templates: readonly TemplateAssignment[],
): Promise<TemplateAssignment[]> {
  const there = await namesOf(
    tx,
    accountId,
    templates.map(({ layer_id, version }) => ({ layerId: layer_id, version })),
  );
  return templates.filter(({ layer_id, version }) => !there.has(keyOf(layer_id, version)));
}

/**
 * Restores the assignments of devices in the backup; others keep own ones and lose inherited ones. Deleted templates
 * are skipped.
 */
export async function writeTemplates(
  tx: Tx,
  accountId: string,
  gwid: string,
  serials: readonly string[],
  templates: readonly TemplateAssignment[],
): Promise<void> {
  const gone = new Set(await findDeletedTemplates(tx, accountId, templates));
  const held = templates.filter((assignment) => !gone.has(assignment));
  for (const kind of layers.templateKinds) {
    const own = held.filter((assignment) => assignment.kind === kind);
    const place = { scope: 'network' as const, ref: gwid };
    const scopeAssignments = own.find(({ serial }) => serial === null);
    const [now] = await readScopeAssignments(tx, accountId, kind, [place]);
    const [layerId, version] = scopeAssignments ? [scopeAssignments.layer_id, scopeAssignments.version] : [null, null];
    if (now?.layerId !== layerId || now.version !== version)
      await writeScopeAssignments(tx, accountId, kind, [{ ...place, layerId, version }]);
    const assignments = await readOwnAssignments(tx, accountId, kind, serials);
    for (const serial of serials) {
      const wanted = own.find((assignment) => assignment.serial === serial);
      const current = assignments.get(serial) ?? null;
      const assigned = wanted ? toAssignment(wanted, gwid) : current?.scope === 'network' ? null : current;
      if (JSON.stringify(assigned) !== JSON.stringify(current))
        await assignToDevice(tx, accountId, serial, kind, assigned);
    }
  }
}

export async function scopesWithTemplates(tx: Tx, accountId: string): Promise<{ gwids: string[]; serials: string[] }> {
  const { rows } = await sql<{ gwid: string | null; serial: string | null }>`
    select ref as gwid, null as serial from standing_layer where account_id = ${accountId} and scope = 'network'
    union select null, serial from device_layer where account_id = ${accountId}`.execute(tx);
  return {
    gwids: rows.flatMap(({ gwid }) => gwid ?? []),
    serials: rows.flatMap(({ serial }) => serial ?? []),
  };
}

function toAssignment({ layer_id: layerId, version, scope, group_id }: TemplateAssignment, gwid: string): Assignment {
  return { layerId, version, scope, ref: scope === 'network' ? gwid : group_id };
}

const keyOf = (layerId: string, version: number) => `${layerId} ${version}`;

async function namesOf(
  tx: Tx,
  accountId: string,
  wanted: readonly { layerId: string; version: number }[],
): Promise<Map<string, string>> {
  if (wanted.length === 0) return new Map();
  const each = [...new Map(wanted.map((one) => [keyOf(one.layerId, one.version), one])).values()];
  const ids = each.map(({ layerId }) => layerId);
  const versions = each.map(({ version }) => version);
  const { rows } = await sql<{ id: string; version: number; name: string }>`
    select l.id, v.version, l.name from config_layer l
    join config_layer_version v on v.account_id = l.account_id and v.layer_id = l.id
    where l.account_id = ${accountId}
      and (l.id, v.version) in (select * from unnest(${ids}::uuid[], ${versions}::int[]))`.execute(tx);
  return new Map(rows.map(({ id, version, name }) => [keyOf(id, version), name]));
}
