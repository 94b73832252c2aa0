import { backup, type DataOf, type InputOf } from '@yunxun/contract';
import { sql } from 'kysely';
import { type Acting, bySystem } from '../../platform/acting.ts';
import type { Clock } from '../../platform/clock.ts';
import type { AccountKeys } from '../../platform/crypto/account-keys.ts';
import { type Database, newId, type Tx } from '../../platform/database/index.ts';
import { Failure } from '../../platform/failure.ts';
import type { Log } from '../../platform/log.ts';
import type { Configuration } from '../configuration/index.ts';
import { fleetNetworks } from '../fleet/index.ts';
import { accounts } from '../identity/index.ts';
import { record } from '../logs/index.ts';
import { fingerprintOf, textOf } from './content.ts';
import { saveOverdue } from './overdue.ts';
import { plansOf, usualPlan } from './plan-store.ts';
import { kept } from './retention.ts';
import { isDue, lastDue } from './schedule.ts';
import {
  type BackupRecord,
  changeBackup,
  deleteBackups,
  findBackup,
  insertBackups,
  keepContents,
  keptOf,
  knownBackups,
  lastAutomatic,
  newestBackups,
  openContent,
  removeBackups,
} from './store.ts';

type Content = backup.BackupContent;

export interface BackupDeps {
  database: Database;
  clock: Clock;
  keys: AccountKeys;
  settings: Configuration['settings'];
  log: Log;
}

interface Reason {
  type: backup.BackupType;
  cause?: string;
  note?: string;
}

interface Snapshot extends Pick<BackupRecord, 'gwid' | 'fingerprint' | 'model' | 'version' | 'ports'> {
  text: string;
}

/** A few megabytes. */
const atOnce = 100;

export function createBackups({ database, clock, keys, settings, log }: BackupDeps) {
  /** Applies retention. @returns ids by gwid */
  async function keep(
    tx: Tx,
    acting: Acting,
    contents: readonly Snapshot[],
    reason: Reason,
  ): Promise<Map<string, string>> {
    const { accountId } = acting;
    if (contents.length === 0) return new Map();
    await keepContents(tx, keys, accountId, contents);
    const made = contents.map(({ text: _text, ...known }) => ({
      account_id: accountId,
      id: newId(),
      ...known,
      type: reason.type,
      cause: reason.cause ?? null,
      note: reason.note ?? '',
      pinned: false,
      created_by: acting.actor?.name ?? acting.source,
      created_at: clock.now(),
    }));
    await insertBackups(tx, made);
    const zone = (await accounts.accountOf(tx, accountId)).time_zone;
    const there = await keptOf(
      tx,
      accountId,
      made.map(({ gwid }) => gwid),
    );
    const over = [...there.values()].flatMap((all) => {
      const stay = kept(all, zone);
      return all.filter(({ id }) => !stay.has(id)).map(({ id }) => id);
    });
    await deleteBackups(tx, accountId, over);
    return new Map(made.map(({ gwid, id }) => [gwid, id]));
  }

  /**
   * `unlessKept`: reuses an equal newest one.
   * @returns ids by gwid; networks without settings are missing
   */
  async function take(
    tx: Tx,
    acting: Acting,
    gwids: readonly string[],
    reason: Reason,
    unlessKept = false,
  ): Promise<Map<string, string>> {
    const { accountId } = acting;
    await inTurn(tx, accountId, gwids);
    const all = [...new Set(gwids)].toSorted();
    const taken = new Map<string, string>();
    for (let from = 0; from < all.length; from += atOnce)
      for (const [gwid, id] of await takeSome(tx, acting, all.slice(from, from + atOnce), reason, unlessKept))
        taken.set(gwid, id);
    return taken;
  }

  async function takeSome(
    tx: Tx,
    acting: Acting,
    gwids: readonly string[],
    reason: Reason,
    unlessKept: boolean,
  ): Promise<Map<string, string>> {
    const { accountId } = acting;
    const settingsOf = await settings.readAll(tx, accountId, gwids);
    const newest = unlessKept ? await newestBackups(tx, accountId, gwids) : null;
    const faces = new Map((await fleetNetworks.rows(tx, accountId, clock.now(), gwids)).map((row) => [row.gwid, row]));
    const taken = new Map<string, string>();
    const coming: Snapshot[] = [];
    for (const gwid of gwids) {
      const { content, any, ports } = settingsOf(gwid);
      if (!any) continue;
      const text = textOf(content);
      const [fingerprint, last, face] = [fingerprintOf(text), newest?.get(gwid), faces.get(gwid)];
      if (last?.fingerprint === fingerprint) taken.set(gwid, last.id);
      else coming.push({ gwid, text, fingerprint, ports, model: face?.model ?? null, version: face?.version ?? null });
    }
    for (const [gwid, id] of await keep(tx, acting, coming, reason)) taken.set(gwid, id);
    return taken;
  }

  async function need(tx: Tx, accountId: string, id: string): Promise<BackupRecord> {
    const found = await findBackup(tx, accountId, id);
    if (!found) throw new Failure('notFound');
    return found;
  }

  const nameOf = async (tx: Tx, accountId: string, gwid: string) =>
    (await fleetNetworks.name(tx, accountId, gwid)) ?? gwid;

  async function logged(tx: Tx, acting: Acting, action: string, row: BackupRecord, change: object): Promise<void> {
    const name = await nameOf(tx, acting.accountId, row.gwid);
    await record(tx, acting, { action, object: { type: 'backup', id: row.id, name }, gwid: row.gwid, ...change });
  }

  return {
    take,
    need,
    nameOf,

    async contentOf(tx: Tx, row: BackupRecord): Promise<Content> {
      return JSON.parse(await openContent(tx, keys, row)) as Content;
    },

    async create(
      tx: Tx,
      acting: Acting,
      { gwids, note }: InputOf<typeof backup.create>,
    ): Promise<DataOf<typeof backup.create>> {
      const taken = await take(tx, acting, gwids, { type: 'manual', note: note ?? '' });
      const made = [...taken].map(([gwid, id]) => ({ gwid, id }));
      for (const { gwid, id } of made)
        await record(tx, acting, {
          action: 'backup.create',
          object: { type: 'backup', id, name: await nameOf(tx, acting.accountId, gwid) },
          gwid,
          after: { note: note ?? '' },
        });
      // logged even without new backups
      if (made.length === 0)
        await record(tx, acting, {
          action: 'backup.create',
          object: { type: 'network', id: gwids[0]!, name: await nameOf(tx, acting.accountId, gwids[0]!) },
          after: { made: 0 },
          command: true,
        });
      return { made, empty: gwids.length - made.length };
    },

    async pin(tx: Tx, acting: Acting, { id, pinned }: InputOf<typeof backup.pin>): Promise<void> {
      const row = await need(tx, acting.accountId, id);
      const limit = backup.backupLimits.pinned;
      const used = ((await keptOf(tx, acting.accountId, [row.gwid])).get(row.gwid) ?? []).filter(
        (one) => one.pinned,
      ).length;
      if (pinned && !row.pinned && used >= limit)
        throw new Failure('limitReached', { data: { limit, used }, params: { limit, used } });
      await changeBackup(tx, acting.accountId, id, { pinned });
      const inverse = { path: backup.pin.path, input: { id, pinned: row.pinned } };
      await logged(tx, acting, 'backup.pin', row, { before: { pinned: row.pinned }, after: { pinned }, inverse });
    },

    async note(tx: Tx, acting: Acting, { id, note }: InputOf<typeof backup.note>): Promise<void> {
      const row = await need(tx, acting.accountId, id);
      await changeBackup(tx, acting.accountId, id, { note });
      const inverse = { path: backup.note.path, input: { id, note: row.note } };
      await logged(tx, acting, 'backup.note', row, { before: { note: row.note }, after: { note }, inverse });
    },

    /** @throws Failure inUse if some are pinned */
    async remove(tx: Tx, acting: Acting, ids: readonly string[]): Promise<void> {
      const rows: BackupRecord[] = [];
      for (const id of ids) rows.push(await need(tx, acting.accountId, id));
      await inTurn(
        tx,
        acting.accountId,
        rows.map(({ gwid }) => gwid),
      );
      const refs = rows.filter(({ pinned }) => pinned).map(({ id }) => id);
      if (refs.length > 0) throw new Failure('inUse', { data: { refs }, params: { kind: 'pinned' } });
      await deleteBackups(tx, acting.accountId, ids);
      for (const row of rows)
        await logged(tx, acting, 'backup.delete', row, {
          before: { made: row.created_at.toISOString(), type: row.type },
        });
    },

    /** Stores a file's content as a backup. @throws Invalid */
    async adopt(tx: Tx, acting: Acting, gwid: string, given: unknown, note: string): Promise<string> {
      const text = textOf(settings.readContent(given));
      await inTurn(tx, acting.accountId, [gwid]);
      const content = { gwid, text, fingerprint: fingerprintOf(text), model: null, version: null, ports: [] };
      const id = (await keep(tx, acting, [content], { type: 'uploaded', note })).get(gwid)!;
      await logged(tx, acting, 'backup.upload', await need(tx, acting.accountId, id), { after: { note } });
      return id;
    },

    logged,
    hold: inTurn,

    async beforeChange(
      tx: Tx,
      acting: Acting,
      { gwids, cause }: Parameters<Configuration['changes']['before']>[2],
    ): Promise<void> {
      await take(tx, acting, gwids, { type: 'pre_change', cause }, true);
    },

    /** Skips if the newest is of an upgrade since `since`. */
    async beforeUpgrade(tx: Tx, acting: Acting, gwid: string, since: Date): Promise<void> {
      // devices of one wave arrive concurrently
      await inTurn(tx, acting.accountId, [gwid]);
      const newest = (await newestBackups(tx, acting.accountId, [gwid])).get(gwid);
      if (newest?.type === 'pre_upgrade' && newest.created_at >= since) return;
      await take(tx, acting, [gwid], { type: 'pre_upgrade' });
    },

    unbind: {
      part: 'backup' as const,
      remove: async (tx: Tx, gone: { accountId: string; gwid: string | null }) =>
        gone.gwid ? removeBackups(tx, gone.accountId, gone.gwid) : 0,
    },

    tasks: {
      /** Uses a transaction each. */
      'backup-due': async () => {
        const zones = await database.withSystem((tx) => accounts.accountZones(tx));
        let made = 0;
        const failed: unknown[] = [];
        for (const { accountId, zone } of zones) {
          const due = await database.withSystem(async (tx) => {
            const gwids = await settings.configured(tx, accountId);
            if (gwids.length === 0) return [];
            const [plans, last] = [await plansOf(tx, accountId, null), await lastAutomatic(tx, accountId)];
            const now = clock.now();
            return gwids.flatMap((gwid) => {
              const plan = plans.get(gwid) ?? usualPlan;
              return isDue(plan, last.get(gwid) ?? null, now, zone) ? [[gwid, lastDue(plan, now, zone)!] as const] : [];
            });
          });
          const overdue = new Map<string, Date>();
          for (const [gwid, dueAt] of due) {
            // one's error must not stop the others
            await database
              .withSystem((tx) => take(tx, bySystem(accountId), [gwid], { type: 'auto' }))
              .then(
                ({ size }) => {
                  made += size;
                },
                (error: unknown) => {
                  failed.push(error);
                  overdue.set(gwid, dueAt);
                },
              );
          }
          await database.withSystem((tx) => saveOverdue(tx, accountId, overdue));
        }
        if (made > 0) log.info({ made }, 'networks backed up by their plans');
        if (failed.length > 0) throw new AggregateError(failed, `${failed.length} networks were not backed up`);
      },
    },
    schedules: [{ task: 'backup-due', cron: '11 * * * *' }],
    objects: { backup: knownBackups },
  };
}

export type Backups = ReturnType<typeof createBackups>;

/** Serialises backups and changes. Networks share locks: PostgreSQL's lock table cannot hold thousands. */
async function inTurn(tx: Tx, accountId: string, gwids: readonly string[]): Promise<void> {
  const all = `backups ${accountId}`;
  if (gwids.length > atOnce) {
    await sql`select pg_advisory_xact_lock(hashtextextended(${all}, 0))`.execute(tx);
    return;
  }
  await sql`select pg_advisory_xact_lock_shared(hashtextextended(${all}, 0))`.execute(tx);
  for (const gwid of new Set(gwids.toSorted()))
    await sql`select pg_advisory_xact_lock(hashtextextended(${`backup ${gwid}`}, 0))`.execute(tx);
}
