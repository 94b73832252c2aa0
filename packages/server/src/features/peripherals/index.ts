import { peripherals as contract, peripheralImport, peripheralPower, peripheralScan } from '@yunxun/contract';
import { sql } from 'kysely';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/index.ts';
import { implement, type Route } from '../../platform/http/call.ts';
import type { Downloads } from '../../platform/http/download.ts';
import { people } from '../identity/index.ts';
import { record } from '../logs/index.ts';
import { peripheralFile } from './file.ts';
import { checkRows, readRows } from './import.ts';
import { listGroups, listOutages, listPeripherals } from './list.ts';
import { readPowerRule, savePowerRule } from './power/rule.ts';
import { createPower, type PowerDeps } from './power/service.ts';
import { createScans, type ScanDeps } from './scan.ts';
import { peripheralSearch } from './search.ts';
import { createPeripheralService, knownPeripherals } from './service.ts';
import { createSnapshot, type SnapshotDeps } from './snapshot.ts';
import { createWake } from './wake.ts';
import { createWatch, type WatchDeps } from './watch.ts';

export { peripheralAlarms } from './alarm-source.ts';
export { peripheralMacs } from './open-outages.ts';
export { type PowerOutcome, powerOutcome } from './power/store.ts';
export { peripheralTarget } from './service.ts';

export interface PeripheralsDeps extends WatchDeps, ScanDeps, PowerDeps, SnapshotDeps {
  downloads: Downloads;
}

/** Lists peripheral devices; gateways probe them. */
export function createPeripherals(deps: PeripheralsDeps) {
  const { database, clock, downloads } = deps;
  const service = createPeripheralService(deps);
  const watch = createWatch(deps);
  const scans = createScans(deps);
  const wake = createWake(deps);
  const power = createPower(deps);
  const snapshot = createSnapshot(deps);
  downloads.offer('peripherals', peripheralFile(clock));
  return {
    routes: (): Route[] => [
      ...implement(contract, {
        list: ({ tx, acting, input }) => listPeripherals(tx, acting.accountId, clock.now(), input),
        async create({ tx, acting, input }) {
          const [id = ''] = await service.create(tx, acting, [input]);
          return { id };
        },
        async update({ tx, acting, input }) {
          await service.update(tx, acting, input);
          return {};
        },
        remove: ({ tx, acting, input }) => service.remove(tx, acting, input.ids),
        groupList: ({ tx, acting, input }) => listGroups(tx, acting.accountId, input.gwid),
        groupAssign: async ({ tx, acting, input }) => ({
          changed: await service.assignGroup(tx, acting, input.ids, input.group),
        }),
        outages: ({ tx, acting, input }) => listOutages(tx, acting.accountId, input),
        async exportList({ tx, acting, caller, identity, input: { format, ...filter } }) {
          const { actor } = identity;
          const person = { accountId: actor.homeAccountId, personId: actor.userId };
          const timeZone = await database.withSystem((system) => people.timeZoneOf(system, person, actor.accountId));
          await record(tx, acting, {
            action: 'peripheral.export',
            object: { type: 'peripheral', id: 'list', name: '' },
            ...(filter.gwid ? { gwid: filter.gwid } : {}),
            after: { format, ...filter },
          });
          return downloads.open('peripherals', { acting, caller, identity, format, timeZone, filter });
        },
      }),
      ...implement(peripheralImport, {
        read: async ({ input }) => ({ rows: await readRows(input.file) }),
        async run({ tx, acting, input: { rows, gwid, dry } }) {
          const all = await checkRows(tx, acting.accountId, rows, gwid);
          return { created: all.length, ids: dry ? [] : await service.create(tx, acting, all) };
        },
      }),
      ...implement(peripheralPower, {
        power: ({ tx, acting, input }) => readPowerRule(tx, acting.accountId, input.gwid),
        powerSave: ({ tx, acting, input }) => savePowerRule(tx, acting, input, clock.now()),
      }),
      ...implement(peripheralScan, {
        scan: ({ tx, acting, input }) => scans.start(tx, acting, input.gwid),
        scanDetail: ({ tx, acting, input }) => scans.detail(tx, acting.accountId, input.gwid),
        async scanCancel({ tx, acting, input }) {
          await scans.cancel(tx, acting, input.gwid);
          return {};
        },
        wake: ({ tx, acting, input }) => wake(tx, acting, input.id),
        snapshot: ({ acting, inTenant, input }) => snapshot(acting, inTenant, input.id),
      }),
    ],
    search: peripheralSearch,
    objects: { peripheral: knownPeripherals },
    joinHandlers: watch.joinHandlers,
    tasks: {
      ...watch.tasks,
      'peripherals-watch': async () => {
        await watch.tasks['peripherals-watch']();
        await power.run();
      },
      'peripherals-prune': () => prune(database, clock),
    },
    schedules: [
      { task: 'peripherals-watch', cron: '* * * * *', exclusive: true as const },
      { task: 'peripherals-prune', cron: '43 * * * *' },
    ],
  };
}

async function prune(database: Database, clock: Clock): Promise<void> {
  const before = new Date(clock.now().getTime() - contract.peripheralLimits.outageDays * 86_400_000);
  await database.withSystem(async (tx) => {
    await sql`delete from peripheral_outage where ended_at < ${before}`.execute(tx);
    await sql`delete from peripheral_day where day < (${before} at time zone 'UTC')::date`.execute(tx);
  });
}
