import { firmware } from '@yunxun/contract';
import type { FastifyInstance } from 'fastify';
import { implement, type Route } from '../../platform/http/call.ts';
import { createImages } from './images.ts';
import { createUpgradeLog } from './log.ts';
import { mountImages } from './serve.ts';
import { knownImages } from './store.ts';
import { createUpgrades, type UpgradeDeps } from './upgrade.ts';

export { firmwareAlarms } from './alarm-source.ts';
export { newerFirmware, outdated } from './newest.ts';
export { type OwnStart, ownStarts } from './own-starts.ts';
export { pastUpgrades } from './past-upgrades.ts';

export function createFirmware(deps: Omit<UpgradeDeps, 'images' | 'log'>) {
  const images = createImages(deps);
  const log = createUpgradeLog(deps);
  const upgrades = createUpgrades({ ...deps, images, log });
  return {
    routes: (): Route[] =>
      implement(firmware, {
        imageList: ({ tx, acting, input }) => images.list(tx, acting, input),
        models: ({ tx, acting }) => images.models(tx, acting.accountId),
        imageCreate: ({ tx, acting, input }) => images.create(tx, acting, input),
        async imagePart({ tx, acting, input }) {
          await images.part(tx, acting, input);
          return {};
        },
        async imageFinish({ tx, acting, input }) {
          await images.finish(tx, acting, input.id);
          return {};
        },
        async imageDelete({ tx, acting, input }) {
          await images.remove(tx, acting, input.ids);
          return {};
        },
        upgradePreview: ({ tx, acting, input }) => upgrades.preview(tx, acting, input, firmware.firmwareLimits.devices),
        upgradeStart: ({ tx, acting, input }) => upgrades.start(tx, acting, input),
        restartStart: ({ tx, acting, input }) => upgrades.restart(tx, acting, input),
        upgradeLog: ({ tx, acting, input }) => log.list(tx, acting.accountId, input),
      }),
    mount: (app: FastifyInstance, limitFactor: number) => mountImages(app, { database: deps.database, limitFactor }),
    connecting: log.booted,
    noteFailure: log.writeFailure,
    tasks: { ...images.tasks, ...upgrades.tasks, ...log.tasks },
    schedules: [...images.schedules, ...log.schedules],
    objects: { firmware: knownImages },
  };
}
