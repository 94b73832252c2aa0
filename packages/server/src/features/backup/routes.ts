import { backup, type DataOf } from '@yunxun/contract';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Tx } from '../../platform/database/index.ts';
import { invalid } from '../../platform/failure.ts';
import { implement, type Route } from '../../platform/http/call.ts';
import type { Configuration } from '../configuration/index.ts';
import { fleetNetworks } from '../fleet/index.ts';
import { people } from '../identity/index.ts';
import { record } from '../logs/index.ts';
import { difference, shown } from './content.ts';
import { fileName, fromFile, toFile } from './file.ts';
import { plansOf, savePlan, usualPlan } from './plan-store.ts';
import type { Restores } from './restore.ts';
import { routersOf } from './router-list.ts';
import type { Backups } from './service.ts';
import { type BackupRecord, listBackups, sumsOf } from './store.ts';

export interface BackupRoutesDeps {
  database: Database;
  clock: Clock;
  settings: Configuration['settings'];
  backups: Backups;
  restores: Restores;
}

type Row = DataOf<typeof backup.list>['list'][number];

export function backupRoutes({ database, clock, settings, backups, restores }: BackupRoutesDeps): Route[] {
  async function rowOf(tx: Tx, record: BackupRecord): Promise<Row> {
    const { id, gwid, type, cause, model, version, ports, note, pinned, created_by } = record;
    return {
      id,
      gwid,
      network: await backups.nameOf(tx, record.account_id, gwid),
      type,
      cause,
      model,
      version,
      ports,
      size: record.bytes,
      sha256: record.checksum,
      note,
      pinned,
      created_by,
      created_at: record.created_at.toISOString(),
    };
  }

  return implement(backup, {
    async routerList({ tx, acting, input }) {
      const { accountId } = acting;
      const { list, total } = await routersOf(tx, accountId, clock.now(), input);
      const gwids = list.map(({ gwid }) => gwid);
      const [sums, plans] = [await sumsOf(tx, accountId, gwids), await plansOf(tx, accountId, gwids)];
      return {
        list: list.map(({ gwid, remark, status, model, version }) => {
          const sum = sums.get(gwid);
          return {
            gwid,
            remark,
            status,
            model,
            version,
            plan: plans.get(gwid) ?? usualPlan,
            count: sum?.count ?? 0,
            pinned: sum?.pinned ?? 0,
            size: sum?.size ?? 0,
            last_backup_at: sum?.at?.toISOString() ?? null,
            last_type: sum?.type ?? null,
          };
        }),
        total,
      };
    },

    async list({ tx, acting, input }) {
      const limit = input.limit ?? 10;
      const page = {
        offset: ((input.page ?? 1) - 1) * limit,
        limit,
        ascending: input.order === 'asc',
        bySize: input.sort === 'size',
      };
      const within = input.keyword ? fleetNetworks.matching(acting.accountId, input.keyword) : undefined;
      const { rows, total } = await listBackups(tx, acting.accountId, { ...input, within }, page);
      const list: Row[] = [];
      for (const row of rows) list.push(await rowOf(tx, row));
      return { list, total };
    },

    async detail({ tx, acting, input }) {
      const row = await backups.need(tx, acting.accountId, input.id);
      return { ...(await rowOf(tx, row)), content: shown(await backups.contentOf(tx, row)) };
    },

    create: ({ tx, acting, input }) => backups.create(tx, acting, input),
    async pin({ tx, acting, input }) {
      await backups.pin(tx, acting, input);
      return {};
    },
    async note({ tx, acting, input }) {
      await backups.note(tx, acting, input);
      return {};
    },
    async remove({ tx, acting, input }) {
      await backups.remove(tx, acting, input.ids);
      return {};
    },

    async download({ inTenant, acting, identity: { actor }, input }) {
      const person = { accountId: actor.homeAccountId, personId: actor.userId };
      const zone = await database.withSystem((system) => people.timeZoneOf(system, person, actor.accountId));
      const { name, text } = await inTenant(async (tx) => {
        const row = await backups.need(tx, acting.accountId, input.id);
        const network = await backups.nameOf(tx, acting.accountId, row.gwid);
        await backups.logged(tx, acting, 'backup.download', row, { command: true });
        return {
          name: fileName(network, row.created_at, zone),
          text: JSON.stringify(await backups.contentOf(tx, row)),
        };
      });
      return { name, file: await toFile(text, input.password) };
    },

    async upload({ inTenant, acting, input }) {
      const text = await fromFile(input.file, input.password);
      let given: unknown;
      try {
        given = JSON.parse(text);
      } catch {
        invalid('file', 'validation.backupFile');
      }
      const id = await inTenant((tx) => backups.adopt(tx, acting, input.gwid, given, input.note ?? ''));
      return { id };
    },

    async diff({ tx, acting, input }) {
      const row = await backups.need(tx, acting.accountId, input.id);
      const before = await backups.contentOf(tx, row);
      if (input.with === undefined)
        return difference(before, (await settings.read(tx, acting.accountId, row.gwid)).content);
      return difference(before, await backups.contentOf(tx, await backups.need(tx, acting.accountId, input.with)));
    },

    restoreCheck: ({ inTenant, acting, input, caller }) => restores.check(inTenant, acting, input, caller.locale),
    restore: ({ tx, acting, input }) => restores.restore(tx, acting, input),
    restoreList: ({ tx, acting, input }) => restores.list(tx, acting.accountId, input),

    async planSave({ tx, acting, input: { gwids, plan } }) {
      const { accountId } = acting;
      const before = await plansOf(tx, accountId, gwids);
      const by = acting.actor?.name ?? acting.source;
      await savePlan(tx, { accountId, gwids, plan, at: clock.now(), by });
      for (const gwid of gwids) {
        const old = before.get(gwid) ?? usualPlan;
        await record(tx, acting, {
          action: 'backup.plan',
          object: { type: 'network', id: gwid, name: await backups.nameOf(tx, accountId, gwid) },
          gwid,
          before: old,
          after: { ...old, ...plan },
          inverse: { path: backup.planSave.path, input: { gwids: [gwid], plan: old } },
        });
      }
      return {};
    },
  });
}
