import { fleetBatch as contract } from '@yunxun/contract';
import { Failure } from '../../platform/failure.ts';
import { implement, type Route } from '../../platform/http/call.ts';
import { type BatchDeps, createBatch } from './batch.ts';
import { readContactSettings, saveContactSettings } from './contact-settings.ts';
import type { Groups } from './groups.ts';
import { type Chosen, touchedDevices, touchedNetworks } from './lists/chosen.ts';
import { deviceFacets } from './lists/device-list.ts';
import { readWindow, saveWindow } from './maintenance/windows.ts';
import type { createNetworks } from './networks.ts';
import { replacementsOf } from './placement/replacements.ts';
import { changeTags, tagsInUse } from './tags.ts';

interface BatchRoutesDeps extends BatchDeps {
  chosen: Chosen;
  groups: Groups;
  networks: Pick<ReturnType<typeof createNetworks>, 'replace' | 'unbindDevices'>;
}

export function batchRoutes(deps: BatchRoutesDeps): Route[] {
  const { bus, chosen, clock, groups, networks } = deps;
  const batch = createBatch(deps);
  return implement(contract, {
    async networkChosen({ tx, acting: { accountId }, input }) {
      return touchedNetworks(tx, accountId, clock.now(), await chosen.networks(tx, accountId, input));
    },
    async apChosen({ tx, acting: { accountId }, input }) {
      return touchedDevices(tx, accountId, clock.now(), await chosen.devices(tx, accountId, input));
    },
    async networkTag({ tx, acting, input }) {
      const gwids = await chosen.networks(tx, acting.accountId, input);
      return { changed: await changeTags(tx, bus, acting, 'network', gwids, input) };
    },
    async apTag({ tx, acting, input }) {
      const serials = await chosen.devices(tx, acting.accountId, input);
      return { changed: await changeTags(tx, bus, acting, 'device', serials, input) };
    },
    tagList: async ({ tx, acting }) => ({ list: await tagsInUse(tx, acting.accountId) }),
    async networkBatchDelete({ tx, acting, input }) {
      return batch.deleteNetworks(acting, await chosen.networks(tx, acting.accountId, input));
    },
    async apMove({ tx, acting, input }) {
      const { gwid, ...devices } = input;
      return batch.move(tx, acting, await chosen.devices(tx, acting.accountId, devices), gwid);
    },
    adoptMany: async ({ tx, acting, input }) => ({
      list: await batch.adopt(tx, acting, input.serials, input.gwid),
    }),
    async apBatchRename({ tx, acting, input }) {
      return batch.rename(tx, acting, await chosen.devices(tx, acting.accountId, input), input);
    },
    async apUnbind({ tx, acting, input }) {
      const serials = await chosen.devices(tx, acting.accountId, input);
      const limit = contract.unbindLimits.devices;
      if (serials.length > limit)
        throw new Failure('limitReached', {
          data: { limit, used: serials.length },
          params: { limit, used: serials.length },
        });
      return networks.unbindDevices(acting, serials);
    },
    async unbindEffectList({ tx, acting: { accountId }, input: { gwid, ...devices } }) {
      const serials = gwid ? [] : await chosen.devices(tx, accountId, devices);
      return { list: await deps.unbind.effects(tx, { accountId, gwid: gwid ?? null, serials }) };
    },
    async apReplace({ acting, input }) {
      await networks.replace(acting, input.serial, input.by, input.delete_empty === true);
      return {};
    },
    apSuccessors: async ({ tx, acting, input }) => ({
      list: await replacementsOf(tx, acting.accountId, input.serial, clock.now()),
    }),
    deviceFacets: ({ tx, acting, input }) => deviceFacets(tx, acting.accountId, input),
    groupList: ({ tx, acting }) => groups.list(tx, acting.accountId),
    groupCreate: ({ tx, acting, input }) => groups.create(tx, acting, input.name),
    async groupUpdate({ tx, acting, input }) {
      await groups.rename(tx, acting, input.id, input.name);
      return {};
    },
    groupDelete: ({ tx, acting, input }) => groups.remove(tx, acting, input.id),
    async groupAssign({ tx, acting, input }) {
      return groups.assign(tx, acting, await chosen.devices(tx, acting.accountId, input), input.id);
    },
    windowGet: ({ tx, acting, input }) => readWindow(tx, acting.accountId, input.gwid, clock.now()),
    async windowSave({ tx, acting, input }) {
      await saveWindow(tx, acting, input.gwid, input.window);
      return {};
    },
    contactGet: ({ tx, acting, input }) => readContactSettings(tx, acting.accountId, input.gwid),
    async contactSave({ tx, acting, input: { gwid, ...settings } }) {
      await saveContactSettings(tx, bus, acting, gwid, settings);
      return {};
    },
  });
}
