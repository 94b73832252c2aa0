import { backup, type DataOf, type InputOf } from '@yunxun/contract';
import { sql } from 'kysely';
import { type Acting, bySystem } from '../../platform/acting.ts';
import type { Clock } from '../../platform/clock.ts';
import type { AccountKeys } from '../../platform/crypto/account-keys.ts';
import { type Database, newId, type Tx } from '../../platform/database/index.ts';
import { Failure } from '../../platform/failure.ts';
import type { Log } from '../../platform/log.ts';
import type { ComingChange } from '../configuration/changes.ts';
import { readContent, type Settings } from '../configuration/settings.ts';
import { networkName } from '../fleet/managed-devices.ts';
import { networkRows } from '../fleet/network-list.ts';
import { accountOf, accountZones } from '../identity/accounts.ts';
import { record } from '../logs/audit.ts';
import { fingerprintOf, textOf } from './content.ts';
import { plansOf, usualPlan } from './plan-store.ts';
import { kept } from './retention.ts';
import { isDue } from './schedule.ts';
import {
  type BackupRecord,
  changeBackup,
  deleteBackups,
  findBackup,
  insertBackup,
  keepContent,
  keptOf,
  knownBackups,
  lastAutomatic,
  newestBackup,
  openContent,
  removeBackups,
} from './store.ts';

type Content = backup.BackupContent;

export interface BackupDeps {
  database: Database;
  clock: Clock;
  keys: AccountKeys;
  settings: Settings;
  log: Log;
}

/** Why a backup is made, and what is said of it. */
interface Reason {
  type: backup.BackupType;
  cause?: string;
  note?: string;
}

/** Backups of what is meant of networks: taken, kept as long as retention says, and opened. */
export function createBackups({ database, clock, keys, settings, log }: BackupDeps) {
  /** Keeps a content as the newest backup of a network, and lets go of those whose time is over. */
  async function keep(
    tx: Tx,
    acting: Acting,
    gwid: string,
    content: Content,
    facts: Pick<BackupRecord, 'model' | 'version' | 'ports'>,
    reason: Reason,
  ): Promise<string> {
    const { accountId } = acting;
    const text = textOf(content);
    const fingerprint = fingerprintOf(text);
    await keepContent(tx, keys, { accountId, gwid, fingerprint, text });
    const id = newId();
    await insertBackup(tx, {
      ...{ account_id: accountId, id, gwid, fingerprint, type: reason.type, cause: reason.cause ?? null },
      ...facts,
      ...{ note: reason.note ?? '', pinned: false },
      ...{ created_by: acting.actor?.name ?? acting.source, created_at: clock.now() },
    });
    const all = await keptOf(tx, accountId, gwid);
    const stay = kept(all, (await accountOf(tx, accountId)).time_zone);
    const over = all.filter((one) => !stay.has(one.id)).map((one) => one.id);
    await deleteBackups(tx, accountId, over);
    return id;
  }

  /**
   * Backs a network up as it is meant now. @returns the backup's id, or null when nothing was ever set.
   * `unlessKept`: the newest backup will do when it holds the same.
   */
  async function take(
    tx: Tx,
    acting: Acting,
    gwid: string,
    reason: Reason,
    unlessKept = false,
  ): Promise<string | null> {
    await inTurn(tx, gwid);
    const { content, any, ports } = await settings.read(tx, acting.accountId, gwid);
    if (!any) return null;
    if (unlessKept) {
      const newest = await newestBackup(tx, acting.accountId, gwid);
      if (newest?.fingerprint === fingerprintOf(textOf(content))) return newest.id;
    }
    const [row] = await networkRows(tx, acting.accountId, clock.now(), [gwid]);
    const facts = { model: row?.model ?? null, version: row?.version ?? null, ports };
    return keep(tx, acting, gwid, content, facts, reason);
  }

  async function need(tx: Tx, accountId: string, id: string): Promise<BackupRecord> {
    const found = await findBackup(tx, accountId, id);
    if (!found) throw new Failure('notFound');
    return found;
  }

  const nameOf = async (tx: Tx, accountId: string, gwid: string) => (await networkName(tx, accountId, gwid)) ?? gwid;

  async function logged(tx: Tx, acting: Acting, action: string, row: BackupRecord, change: object): Promise<void> {
    const name = await nameOf(tx, acting.accountId, row.gwid);
    await record(tx, acting, { action, object: { type: 'backup', id: row.id, name }, gwid: row.gwid, ...change });
  }

  return {
    take,
    need,
    nameOf,

    /** What a backup holds. */
    async contentOf(tx: Tx, row: BackupRecord): Promise<Content> {
      return JSON.parse(await openContent(tx, keys, row)) as Content;
    },

    /** Backs networks up because somebody wants it. */
    async create(
      tx: Tx,
      acting: Acting,
      { gwids, note }: InputOf<typeof backup.create>,
    ): Promise<DataOf<typeof backup.create>> {
      const made: { gwid: string; id: string }[] = [];
      for (const gwid of gwids.toSorted()) {
        const id = await take(tx, acting, gwid, { type: 'manual', note: note ?? '' });
        if (id === null) continue;
        made.push({ gwid, id });
        await record(tx, acting, {
          action: 'backup.create',
          object: { type: 'backup', id, name: await nameOf(tx, acting.accountId, gwid) },
          gwid,
          after: { note: note ?? '' },
        });
      }
      // a call that found nothing to keep is logged all the same
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
      const used = (await keptOf(tx, acting.accountId, row.gwid)).filter((one) => one.pinned).length;
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

    /** @throws Failure inUse when some are pinned */
    async remove(tx: Tx, acting: Acting, ids: readonly string[]): Promise<void> {
      const rows: BackupRecord[] = [];
      for (const id of ids) rows.push(await need(tx, acting.accountId, id));
      for (const gwid of new Set(rows.map((row) => row.gwid).toSorted())) await inTurn(tx, gwid);
      const refs = rows.filter(({ pinned }) => pinned).map(({ id }) => id);
      if (refs.length > 0) throw new Failure('inUse', { data: { refs }, params: { kind: 'pinned' } });
      await deleteBackups(tx, acting.accountId, ids);
      for (const row of rows)
        await logged(tx, acting, 'backup.delete', row, {
          before: { made: row.created_at.toISOString(), type: row.type },
        });
    },

    /** Keeps what a file holds as a backup of a network. @throws Invalid */
    async adopt(tx: Tx, acting: Acting, gwid: string, given: unknown, note: string): Promise<string> {
      const content = readContent(given);
      await inTurn(tx, gwid);
      const facts = { model: null, version: null, ports: [] };
      const id = await keep(tx, acting, gwid, content, facts, { type: 'uploaded', note });
      await logged(tx, acting, 'backup.upload', await need(tx, acting.accountId, id), { after: { note } });
      return id;
    },

    logged,

    /** Before settings are changed: what is in force is kept, unless it is already. */
    async beforeChange(tx: Tx, acting: Acting, { gwids, cause }: ComingChange): Promise<void> {
      for (const gwid of gwids.toSorted()) await take(tx, acting, gwid, { type: 'pre_change', cause }, true);
    },

    /** Before a network's devices are upgraded: a backup, unless one was made for the same since a time. */
    async beforeUpgrade(tx: Tx, acting: Acting, gwid: string, since: Date): Promise<void> {
      // devices of one wave come at the same time
      await inTurn(tx, gwid);
      const newest = await newestBackup(tx, acting.accountId, gwid);
      if (newest?.type === 'pre_upgrade' && newest.created_at >= since) return;
      await take(tx, acting, gwid, { type: 'pre_upgrade' });
    },

    /** Takes part when a network is unbound. */
    unbind: {
      part: 'backup' as const,
      remove: async (tx: Tx, gone: { accountId: string; gwid: string | null }) =>
        gone.gwid ? removeBackups(tx, gone.accountId, gone.gwid) : 0,
    },

    tasks: {
      /** Backs up every network whose plan says so; a transaction each, so that what is kept stays kept. */
      'backup-due': async () => {
        const accounts = await database.withSystem((tx) => accountZones(tx));
        let made = 0;
        const failed: unknown[] = [];
        for (const { accountId, zone } of accounts) {
          const due = await database.withSystem(async (tx) => {
            const gwids = await settings.configured(tx, accountId);
            if (gwids.length === 0) return [];
            const [plans, last] = [await plansOf(tx, accountId, null), await lastAutomatic(tx, accountId)];
            const now = clock.now();
            return gwids.filter((gwid) => isDue(plans.get(gwid) ?? usualPlan, last.get(gwid) ?? null, now, zone));
          });
          for (const gwid of due) {
            // one network's trouble is not that of the others
            await database
              .withSystem((tx) => take(tx, bySystem(accountId), gwid, { type: 'auto' }))
              .then(
                (id) => {
                  if (id) made += 1;
                },
                (error: unknown) => failed.push(error),
              );
          }
        }
        if (made > 0) log.info({ made }, 'networks backed up by their plans');
        if (failed.length > 0) throw new AggregateError(failed, `${failed.length} networks were not backed up`);
      },
    },
    schedules: [{ task: 'backup-due', cron: '11 * * * *' }],
    /** Says which ids of a request exist in its scope. */
    objects: { backup: knownBackups },
  };
}

export type Backups = ReturnType<typeof createBackups>;

/** Whoever takes and lets go of a network's backups does so one after the other. */
async function inTurn(tx: Tx, gwid: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`backup ${gwid}`}, 0))`.execute(tx);
}
