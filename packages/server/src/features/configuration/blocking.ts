import type { DataOf, users } from '@yunxun/contract';
import type { Acting } from '../../platform/acting.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Tx } from '../../platform/database/index.ts';
import { assignWaves } from '../../platform/rollout-waves.ts';
import { fleetDevices, fleetGateways, fleetNetworks } from '../fleet/index.ts';
import { openWork, type WavePlan } from '../jobs/index.ts';
import {
  type BlockedIn,
  type BlockHold,
  holdBlockList,
  holdingAccounts,
  readHolds,
  releaseHolds,
} from './block-hold-store.ts';
import type { DropSum } from './client-drops.ts';
import { runningFirst } from './first-contact/contact-store.ts';
import { gatewayNetworks } from './gateway-store.ts';
import { configuredNetworks } from './intent-store.ts';
import type { Planner } from './planner.ts';
import type { Previews } from './previews.ts';
import { configurationJob, detailOf } from './push-items.ts';
import type { Later, Rollout } from './rollout.ts';

type AccessPoint = Awaited<ReturnType<typeof fleetDevices.accessPoints>>[number];

export interface ListChange {
  /** Networks whose list changes; null: all. */
  scope: readonly string[] | null;
  /** Networks that get the list at once, because the clients are there. */
  now: readonly string[];
  elsewhere: users.Elsewhere;
  before: BlockedIn;
}

export interface ListChangePreview {
  now: { networks: string[]; devices: number; terminals: number; drops: DropSum[] };
  later: { networks: number; devices: number };
}

export type BlockingScope = Omit<DataOf<typeof users.applied>, 'blocked'>;

/** Maximum unacknowledged devices listed by name. */
const maxNamed = 20;

const plans: Record<Exclude<users.Elsewhere, 'now'>, WavePlan> = {
  window: { restSeconds: 0, stopAbove: 100, first: 0, windows: true, nights: true },
  waves: { restSeconds: 300, stopAbove: 5, first: 1 },
};
const isListPush = (item: { detail: unknown }): boolean => {
  const detail = detailOf(item);
  return detail.staging === 'later' && detail.cause === 'users_listed';
};
const waveSizes = { first: 1, percent: 20 } as const;

export interface BlockingDeps {
  clock: Clock;
  planner: Planner;
  rollout: Rollout;
  previews: Previews;
}

export function createBlocking({ clock, planner, rollout, previews }: BlockingDeps) {
  async function managed(tx: Tx, accountId: string) {
    const aps = await fleetDevices.accessPoints(tx, accountId, clock.now());
    const gateways = await fleetGateways.edge(tx, accountId, clock.now());
    const able = gateways.filter(({ blocks }) => blocks);
    const configured = new Set([
      ...(await configuredNetworks(tx, accountId)),
      ...(await gatewayNetworks(tx, accountId)),
    ]);
    const first = await runningFirst(
      tx,
      accountId,
      [...aps, ...able].map(({ serial }) => serial),
    );
    const isManaged = ({ serial, gwid, sync }: AccessPoint) =>
      (sync !== null && !first.has(serial)) || (gwid !== null && configured.has(gwid));
    const [all, own] = [[...aps, ...able], able.filter(isManaged)];
    return { all, devices: [...aps.filter(isManaged), ...own], gateways: own, tooOld: gateways.length - able.length };
  }

  async function parted(tx: Tx, accountId: string, { scope, now, elsewhere }: Omit<ListChange, 'before'>) {
    const { devices } = await managed(tx, accountId);
    const known = new Set(devices.map(({ serial }) => serial));
    const withSettings = new Set(await gatewayNetworks(tx, accountId));
    const gateways = (await fleetGateways.all(tx, accountId, clock.now())).filter(
      ({ serial, gwid, sync }) => !known.has(serial) && (sync !== null || (gwid !== null && withSettings.has(gwid))),
    );
    const [inScope, atOnce] = [scope && new Set(scope), new Set(now)];
    const concerned = [...devices, ...gateways].filter(
      ({ gwid }) => inScope === null || (gwid !== null && inScope.has(gwid)),
    );
    const isFirst = ({ gwid }: AccessPoint) => elsewhere === 'now' || (gwid !== null && atOnce.has(gwid));
    return { first: concerned.filter(isFirst), rest: concerned.filter((device) => !isFirst(device)) };
  }

  function laterPlan(devices: readonly AccessPoint[], elsewhere: Exclude<users.Elsewhere, 'now'>): Later {
    const candidates = devices.map(({ serial, model, status }) => ({ serial, model, online: status === 'online' }));
    const waves =
      elsewhere === 'waves'
        ? new Map(assignWaves(candidates, waveSizes).map(({ serial, wave }) => [serial, wave]))
        : null;
    return { plan: plans[elsewhere], waveOf: (serial) => waves?.get(serial) ?? 0 };
  }

  return {
    /** Creates two jobs: one now, one for the other networks. Null without devices. */
    async push(
      tx: Tx,
      acting: Acting,
      change: ListChange,
    ): Promise<{ jobId: string | null; laterJobId: string | null }> {
      const { accountId } = acting;
      const { first, rest } = await parted(tx, accountId, change);
      const reason = { cause: 'users_listed' as const, author: acting.actor?.name ?? acting.source };
      const holds = rest.map(({ serial, gwid }): BlockHold => ({ serial, blocked: change.before(gwid) }));
      await holdBlockList(tx, accountId, holds, clock.now());
      const jobId = await rollout.later(tx, acting, first, reason);
      const when = change.elsewhere === 'now' ? undefined : laterPlan(rest, change.elsewhere);
      return { jobId, laterJobId: await rollout.later(tx, acting, rest, reason, when) };
    },

    async preview(
      tx: Tx,
      accountId: string,
      change: Omit<ListChange, 'before'>,
      after: BlockedIn,
    ): Promise<ListChangePreview> {
      const { first, rest } = await parted(tx, accountId, change);
      const serials = first.map(({ serial }) => serial);
      const devices = await fleetDevices.managed(tx, accountId, serials, clock.now());
      const compile = await planner.compiler(tx, accountId, devices, { blocked: after });
      const { totals, drops } = await previews(tx, accountId, devices, compile);
      const gwidsOf = (list: readonly AccessPoint[]) => [...new Set(list.flatMap(({ gwid }) => gwid ?? []))];
      const names = await fleetNetworks.names(tx, accountId, gwidsOf(first));
      return {
        now: { networks: [...names.values()].toSorted(), devices: first.length, terminals: totals.terminals, drops },
        later: { networks: gwidsOf(rest).length, devices: rest.length },
      };
    },

    async scope(tx: Tx, accountId: string): Promise<BlockingScope> {
      const { all, devices, gateways, tooOld } = await managed(tx, accountId);
      const held = new Set((await readHolds(tx, accountId)).map(({ serial }) => serial));
      const sent = devices.filter(({ serial }) => !held.has(serial));
      const open = await openWork.items(tx, accountId, configurationJob);
      const queued = new Set(open.filter(isListPush).map(({ serial }) => serial));
      const waiting = sent.filter(({ serial, sync }) => sync !== 'in_sync' || queued.has(serial));
      return {
        managed: devices.length,
        gateways: gateways.length,
        in_force: sent.length - waiting.length,
        later: devices.length - sent.length,
        unmanaged: all.length - devices.length,
        too_old: tooOld,
        waiting: waiting.slice(0, maxNamed).map(({ serial, gwid, name, sync, status }) => ({
          serial,
          gwid,
          device: name,
          status,
          sync: sync === 'in_sync' ? 'pending' : sync,
        })),
      };
    },

    async release(tx: Tx, accountId: string, gwids: readonly string[]): Promise<void> {
      const devices = await fleetDevices.ofNetworks(tx, accountId, gwids, clock.now());
      await releaseHolds(
        tx,
        accountId,
        devices.map(({ serial }) => serial),
      );
    },

    holdingAccounts,

    holds: readHolds,
  };
}
