import { backup, type DataOf, type InputOf, type Locale } from '@yunxun/contract';
import { messageByKey } from '@yunxun/contract/messages';
import type { Acting } from '../../platform/acting.ts';
import type { Clock } from '../../platform/clock.ts';
import { type Database, newId, type Tx } from '../../platform/database/index.ts';
import { Failure, Invalid } from '../../platform/failure.ts';
import type { InTenant } from '../../platform/http/call.ts';
import type { Configuration, NetworkSettings } from '../configuration/index.ts';
import { fleetDevices } from '../fleet/index.ts';
import { jobStates } from '../jobs/index.ts';
import { bandsNamed, onBands, usualBands } from './band-map.ts';
import { difference, merged, succeeded } from './content.ts';
import { insertRestore, listRestores } from './plan-store.ts';
import { onPorts, portsNamed, usualMap } from './port-map.ts';
import type { Backups } from './service.ts';

type Content = backup.BackupContent;
type Check = DataOf<typeof backup.restoreCheck>;
type Wanted = InputOf<typeof backup.restore>;

export interface RestoreDeps {
  database: Database;
  clock: Clock;
  settings: Configuration['settings'];
  backups: Backups;
  /** Replaces; the caller rolls back. */
  simulateReplacement(tx: Tx, acting: Acting, from: string, to: string): Promise<void>;
}

/** Never part of a backup. */
const neverRestored = ['firmware', 'certificates', 'on_device', 'names', 'records'] as const;

interface Plan {
  parts: Partial<Content>;
  after: Content;
  map: backup.PortMap;
  bandMap: backup.BandMap;
  notRestored: backup.NotRestored[];
  available: backup.BackupSection[];
}

export function createRestores({ database, clock, settings, backups, simulateReplacement }: RestoreDeps) {
  function planOf(held: Content, now: NetworkSettings, { sections, port_map, band_map }: Wanted, own: boolean): Plan {
    const notRestored: backup.NotRestored[] = neverRestored.map((what) => ({ what, params: {} }));
    const available = backup.backupSections.filter((section) =>
      section === 'devices' ? held.devices.length > 0 : (held[section] ?? null) !== null,
    );
    const wanted = sections.filter((section) => available.includes(section));
    for (const section of sections)
      if (!available.includes(section)) notRestored.push({ what: 'section_empty', params: { section } });
    const map = held.gateway ? (port_map ?? usualMap(portsNamed(held.gateway), now.ports)) : [];
    const bandMap = band_map ?? usualBands(bandsNamed(held), now.bands);
    const air = onBands(held, bandMap);
    for (const { section, ...dropped } of air.dropped) if (wanted.includes(section)) notRestored.push(dropped);
    const content: Content = {
      ...held,
      wireless: air.wireless,
      gateway: held.gateway && wanted.includes('gateway') ? gatewayOf(held.gateway) : null,
    };
    if (wanted.includes('devices')) content.devices = devicesOf();
    if (wanted.includes('templates')) content.templates = templatesOf();
    const parts = Object.fromEntries(wanted.map((section) => [section, content[section]])) as Partial<Content>;
    return { parts, after: merged(now.content, content, wanted), map, bandMap, notRestored, available };

    function gatewayOf(given: NonNullable<Content['gateway']>) {
      const { settings: moved, dropped } = onPorts(given, map);
      notRestored.push(...dropped);
      const max = backup.backupLimits.returnSeconds;
      if (moved.confirm_s <= max) return moved;
      notRestored.push({ what: 'confirm_shortened', params: { from: moved.confirm_s, to: max } });
      return { ...moved, confirm_s: max };
    }

    function templatesOf(): NonNullable<Content['templates']> {
      const there = new Map(now.devices.map((device) => [device.serial, device]));
      return (held.templates ?? []).filter(({ scope, serial, group_id, name }) => {
        const device = serial === null ? undefined : there.get(serial);
        if (scope !== 'group' || !device || device.groupId === group_id) return true;
        notRestored.push({ what: 'group_left', params: { name, device: device.name } });
        return false;
      });
    }

    function devicesOf(): Content['devices'] {
      const there = new Set(now.devices.map(({ serial }) => serial));
      const gone = held.devices.filter(({ serial }) => !there.has(serial));
      for (const { name, serial } of gone) notRestored.push({ what: 'device_gone', params: { name, serial } });
      const kept = air.devices.filter(({ serial }) => there.has(serial));
      const names = new Set(kept.map(({ serial }) => serial));
      // not in the backup: keep their settings
      const newer = now.content.devices.filter(({ serial }) => !names.has(serial));
      if (own) for (const { name } of newer) notRestored.push({ what: 'device_newer', params: { name } });
      return [...kept, ...newer].toSorted((a, b) => (a.serial < b.serial ? -1 : 1));
    }
  }

  async function prepare(tx: Tx, accountId: string, wanted: Wanted, hold = false) {
    const row = await backups.need(tx, accountId, wanted.id);
    const gwid = wanted.gwid ?? row.gwid;
    // with concurrent saves
    if (hold) await backups.hold(tx, accountId, [gwid]);
    const kept = await backups.contentOf(tx, row);
    const held = wanted.successor ? succeeded(kept, wanted.successor) : kept;
    const now = await settings.read(tx, accountId, gwid);
    const plan = planOf(held, now, wanted, gwid === row.gwid);
    for (const { name } of await settings.goneTemplates(tx, accountId, plan.parts.templates ?? []))
      plan.notRestored.push({ what: 'template_gone', params: { name } });
    for (const params of await settings.groupSettings(tx, accountId, now.devices))
      plan.notRestored.push({ what: 'group_settings', params });
    return { row, gwid, held, now, plan };
  }

  /** Simulates the replacement if both exist. */
  async function snapshotOf(inTenant: InTenant, acting: Acting, { successor }: Wanted): Promise<InTenant> {
    if (!successor) return inTenant;
    const { from, to } = successor;
    const there = await inTenant((tx) => fleetDevices.toPlace(tx, acting.accountId, [from, to]));
    if (!there.has(from) || !there.has(to)) return inTenant;
    // system role: the device may have no network
    return (work) =>
      database.withSystem(async (tx) => {
        await simulateReplacement(tx, acting, from, to);
        return work(tx);
      });
  }

  return {
    async check(inTenant: InTenant, acting: Acting, wanted: Wanted, locale: Locale): Promise<Check> {
      const { accountId } = acting;
      const tenantSnapshot = await snapshotOf(inTenant, acting, wanted);
      const before = await dryRun(tenantSnapshot, async (tx) => {
        const { gwid, now, plan } = await prepare(tx, accountId, wanted);
        return { gwid, now, plan, network: await backups.nameOf(tx, accountId, gwid) };
      });
      const { gwid, now, network, plan } = before;
      const problems: Check['problems'] = [];
      let preview: Check['preview'] = none;
      try {
        preview = await dryRun(tenantSnapshot, (tx) => settings.tryOut(tx, acting, gwid, plan.parts));
      } catch (error) {
        if (!(error instanceof Invalid)) throw error;
        for (const [field, list] of Object.entries(error.errors))
          for (const { key, params } of list) problems.push({ field, message: messageByKey(locale, key, params) });
      }
      const wrong = preview.devices.some(({ effect, serial }) => effect === 'wrong' && serial === now.gateway?.serial);
      return {
        gwid,
        network,
        problems,
        base: now.base,
        available: plan.available,
        port_map: plan.map,
        ok: problems.length === 0 && !wrong && Object.keys(plan.parts).length > 0,
        ports: now.ports,
        band_map: plan.bandMap,
        bands: now.bands,
        settings: difference(now.content, plan.after),
        preview,
        not_restored: plan.notRestored,
        returns_within_s: returnsWithin(plan, now),
      };
    },

    /** @throws Failure changedMeanwhile, unsupported; Invalid */
    async restore(tx: Tx, acting: Acting, wanted: Wanted): Promise<{ job_id: string | null; restore_id: string }> {
      const { accountId } = acting;
      const { row, gwid, now, plan } = await prepare(tx, accountId, wanted, true);
      if (wanted.base !== undefined && wanted.base !== now.base) throw new Failure('changedMeanwhile');
      const reason = { type: 'pre_change', cause: 'restored' } as const;
      const snapshot = (await backups.take(tx, acting, [gwid], reason, true)).get(gwid) ?? null;
      const { jobId } = await settings.restore(tx, acting, gwid, plan.parts);
      const id = newId();
      const sections = backup.backupSections.filter((section) => plan.parts[section] !== undefined);
      await insertRestore(tx, {
        account_id: accountId,
        id,
        gwid,
        sections,
        backup_id: row.id,
        backup_at: row.created_at,
        snapshot_id: snapshot,
        job_id: jobId,
        created_by: acting.actor?.name ?? acting.source,
        created_at: clock.now(),
      });
      await backups.logged(
        tx,
        acting,
        'backup.restore',
        { ...row, gwid },
        {
          after: { made: row.created_at.toISOString(), sections },
          ...(jobId && { jobId }),
          ...(snapshot &&
            sections.length > 0 &&
            comesBackWhole(now.content, plan.parts) && {
              inverse: { path: backup.restore.path, input: { id: snapshot, gwid, sections } },
            }),
        },
      );
      return { job_id: jobId, restore_id: id };
    },

    async list(tx: Tx, accountId: string, input: InputOf<typeof backup.restoreList>) {
      const limit = input.limit ?? 10;
      const page = { offset: ((input.page ?? 1) - 1) * limit, limit };
      const { rows, total, there } = await listRestores(tx, accountId, { gwid: input.gwid }, page);
      const standing = await readOutcomes(
        tx,
        accountId,
        rows.flatMap((row) => row.job_id ?? []),
      );
      const list = [];
      for (const row of rows)
        list.push({
          id: row.id,
          gwid: row.gwid,
          network: await backups.nameOf(tx, accountId, row.gwid),
          sections: row.sections,
          backup_id: there.has(row.backup_id) ? row.backup_id : null,
          backup_at: row.backup_at.toISOString(),
          snapshot_id: row.snapshot_id && there.has(row.snapshot_id) ? row.snapshot_id : null,
          job_id: row.job_id,
          status: row.job_id === null ? null : (standing.get(row.job_id) ?? null),
          created_by: row.created_by,
          created_at: row.created_at.toISOString(),
        });
      return { list, total };
    },
  };
}

export type Restores = ReturnType<typeof createRestores>;

/** Returns whether the snapshot can undo it: missing sections would stay. */
function comesBackWhole(before: Content, parts: Plan['parts']): boolean {
  const had = new Set(before.devices.map(({ serial }) => serial));
  return (Object.keys(parts) as backup.BackupSection[]).every((section) =>
    section === 'devices'
      ? (parts.devices ?? []).every(({ serial }) => had.has(serial))
      : (before[section] ?? null) !== null,
  );
}

const none: Check['preview'] = {
  devices: [],
  totals: { devices: 0, changed: 0, wrong: 0, offline: 0, terminals: 0 },
  drops: [],
};

/** Counts as rolled back if every changed device did, although skipped items make its job partial. */
async function readOutcomes(tx: Tx, accountId: string, jobIds: readonly string[]) {
  const standing = new Map(await jobStates.ofJobs(tx, accountId, jobIds));
  const partly = jobIds.filter((id) => standing.get(id) === 'partial');
  const { items } = await jobStates.progress(tx, accountId, partly);
  for (const id of partly) {
    const changed = items.filter(({ jobId, status }) => jobId === id && status !== 'skipped');
    if (changed.every(({ status }) => status === 'reverted')) standing.set(id, 'rolled_back');
  }
  return standing;
}

/** In seconds. */
function returnsWithin({ after, parts }: Plan, now: NetworkSettings): number | null {
  if (!now.gateway) return null;
  return (parts.gateway ?? after.gateway)?.confirm_s ?? null;
}

class DryRunRollback extends Error {
  readonly value: unknown;

  constructor(value: unknown) {
    super('taken back');
    this.value = value;
  }
}

async function dryRun<T>(inTenant: InTenant, work: (tx: Tx) => Promise<T>): Promise<T> {
  try {
    return await inTenant(async (tx): Promise<T> => {
      throw new DryRunRollback(await work(tx));
    });
  } catch (error) {
    if (error instanceof DryRunRollback) return error.value as T;
    throw error;
  }
}
