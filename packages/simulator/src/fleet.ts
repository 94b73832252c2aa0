import { type Cancel, type Clock, systemClock } from '@yunxun/edge';
import { type AccessPointModel, isRouter } from './box/hardware.ts';
import type { TunnelEnds } from './box/tunnels.ts';
import { type DeviceStatus, SimulatedDevice } from './device.ts';
import { folderDrawer, memoryDrawer } from './folder.ts';
import { planFleet } from './plan.ts';
import type { PlaceKind } from './world/hours.ts';
import { type Place, stepMs } from './world/place.ts';

export interface FleetOptions {
  consoleUrl: string;
  bindingCode: string;
  aps?: number;
  gateways?: number;
  edges?: number;
  switches?: number;
  /** Seed of serials, people and traffic. Two fleets on one console need different seeds. */
  seed: string;
  clock?: Clock;
  /** Time factor of reports, boots and visits. Default 1. */
  speedUp?: number;
  /** Time factor of visits and moves alone. Default `speedUp`. */
  pace?: number;
  /** Folder of certificates and configurations, so that a restarted fleet need not enrol again. */
  folder?: string;
  gwid?: string;
  /** UTC offset of the people's day, in hours. Default 8. */
  hoursEast?: number;
  /** Clients per access point. Default 22. */
  peoplePerAp?: number;
  kind?: PlaceKind;
  portal?: boolean;
  models?: readonly AccessPointModel[];
  /** Names of products as models. */
  branded?: boolean;
  /** Shared by fleets whose gateways build tunnels to each other. */
  tunnels?: TunnelEnds;
  /** Join at once and stay; overrides `peoplePerAp`. */
  crowd?: number;
  checkHost?: boolean;
  /** Number of concurrent enrolments and starts. Default 4. */
  parallel?: number;
  log?: (line: string) => void;
  /** Runs after all enrolments, before any start. */
  enrolled?: (devices: readonly SimulatedDevice[]) => Promise<void>;
}

export interface Fleet {
  readonly devices: readonly SimulatedDevice[];
  device(serial: string): SimulatedDevice;
  status(): readonly DeviceStatus[];
  online(count?: number): Promise<void>;
  stop(): void;
}

/** Gateways first: they create networks. Rejects if the console refuses one. */
export async function startFleet(options: FleetOptions): Promise<Fleet> {
  const clock = options.clock ?? systemClock;
  const speedUp = options.speedUp ?? 1;
  const { places, boxes } = planFleet({
    aps: options.aps ?? 0,
    gateways: options.gateways ?? 0,
    edges: options.edges ?? 0,
    switches: options.switches ?? 0,
    hoursEast: options.hoursEast ?? 8,
    peoplePerAp: options.peoplePerAp ?? 22,
    seed: options.seed,
    startMs: clock.now(),
    speedUp: options.pace ?? speedUp,
    kind: options.kind,
    portal: options.portal,
    models: options.models,
    branded: options.branded,
    tunnels: options.tunnels,
    crowd: options.crowd,
  });
  const drawer = options.folder === undefined ? memoryDrawer() : folderDrawer(options.folder);
  const watchers = new Set<() => void>();
  const devices = boxes.map(
    (box) =>
      new SimulatedDevice({
        box,
        consoleUrl: options.consoleUrl,
        bindingCode: options.bindingCode,
        ...(options.gwid === undefined ? {} : { gwid: options.gwid }),
        checkHost: options.checkHost ?? true,
        log: options.log ?? (() => {}),
        changed: () => {
          for (const watch of watchers) watch();
        },
        clock,
        speedUp,
        drawer,
      }),
  );
  if (options.folder !== undefined) for (const { box } of devices) box.boot(clock.now());
  const gateways = devices.filter((device) => isRouter(device.box.hardware.role));
  const others = devices.filter((device) => !isRouter(device.box.hardware.role));
  const stopWorld = turn(places, clock);
  const fleet: Fleet = {
    devices,
    device(serial) {
      const device = devices.find((entry) => entry.serial === serial);
      if (device === undefined) throw new Error(`no simulated device ${serial}`);
      return device;
    },
    status: () => devices.map((device) => device.status),
    online: (count = devices.length) =>
      new Promise((resolve) => {
        const look = () => {
          if (devices.filter((device) => device.online).length < count) return;
          watchers.delete(look);
          resolve();
        };
        watchers.add(look);
        look();
      }),
    stop() {
      stopWorld();
      for (const device of devices) device.stop();
    },
  };
  try {
    const parallel = options.parallel ?? 4;
    if (options.enrolled) {
      for (const some of [gateways, others]) await inParallel(some, parallel, (device) => device.enrol());
      await options.enrolled(devices);
    }
    await inParallel(gateways, parallel, switchOn);
    await inParallel(others, parallel, switchOn);
    return fleet;
  } catch (error) {
    fleet.stop();
    throw error;
  }
}

async function switchOn(device: SimulatedDevice): Promise<void> {
  await device.enrol();
  void device.start('coldboot');
}

function turn(places: readonly Place[], clock: Clock): () => void {
  let cancel: Cancel | null = null;
  const again = () => {
    cancel = clock.after(stepMs, () => {
      again();
      for (const place of places) place.advance(clock.now());
    });
  };
  again();
  return () => cancel?.();
}

async function inParallel<T>(items: readonly T[], width: number, work: (item: T) => Promise<void>): Promise<void> {
  const queue = [...items];
  const worker = async () => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: Math.min(width, items.length) }, worker));
}
