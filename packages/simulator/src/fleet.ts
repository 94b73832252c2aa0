import { type Cancel, type Clock, systemClock } from '@yunxun/edge';
import type { AccessPointModel } from './box/hardware.ts';
import { type DeviceStatus, SimulatedDevice } from './device.ts';
import { folderDrawer, memoryDrawer } from './folder.ts';
import { planFleet } from './plan.ts';
import type { PlaceKind } from './world/hours.ts';
import { type Place, stepMs } from './world/place.ts';

/** What a fleet is made of and where it goes. */
export interface FleetOptions {
  /** `http://127.0.0.1:8080` */
  consoleUrl: string;
  bindingCode: string;
  aps?: number;
  gateways?: number;
  switches?: number;
  /** Same seed, same clock: same serials, people and traffic. Two fleets on one console need two seeds. */
  seed: string;
  clock?: Clock;
  /** Reports, boots and visits are this many times as quick. Default 1. */
  speedUp?: number;
  /** Visits and moves alone are this many times as quick. As `speedUp` unless it is said. */
  pace?: number;
  /** Keeps certificates and configurations here, so that a restarted fleet need not enrol again. */
  folder?: string;
  /** Network to join. */
  gwid?: string;
  /** Hours east of UTC that the people live by. Default 8. */
  hoursEast?: number;
  /** People and things per access point. Default 22. */
  peoplePerAp?: number;
  /** What its places are; one kind after the other unless it is said. */
  kind?: PlaceKind;
  /** Guests of open networks meet a captive portal on the access points. Default false. */
  portal?: boolean;
  /** Models of the access points, dealt in turn. Default `AX3000` alone. */
  models?: readonly AccessPointModel[];
  /** Exactly so many people in all, who come as soon as there is a network and stay on it; `peoplePerAp` says nothing then. */
  crowd?: number;
  /** Check the name in the server's certificate. Default true. */
  checkHost?: boolean;
  /** How many devices enrol and start at a time. Default 4. */
  parallel?: number;
  log?: (line: string) => void;
  /** Runs when every device is enrolled and none is switched on yet. */
  enrolled?: (devices: readonly SimulatedDevice[]) => Promise<void>;
}

/** Simulated devices at one console. */
export interface Fleet {
  readonly devices: readonly SimulatedDevice[];
  /** By serial. Throws when there is none. */
  device(serial: string): SimulatedDevice;
  status(): readonly DeviceStatus[];
  /** Resolves when this many are online; all of them without a number. */
  online(count?: number): Promise<void>;
  stop(): void;
}

/**
 * Enrols and starts a fleet: gateways first, so that the rest finds its networks. Resolves when every device has been
 * switched on; rejects when the console refuses one.
 */
export async function startFleet(options: FleetOptions): Promise<Fleet> {
  const clock = options.clock ?? systemClock;
  const speedUp = options.speedUp ?? 1;
  const { places, boxes } = planFleet({
    aps: options.aps ?? 0,
    gateways: options.gateways ?? 0,
    switches: options.switches ?? 0,
    hoursEast: options.hoursEast ?? 8,
    peoplePerAp: options.peoplePerAp ?? 22,
    seed: options.seed,
    startMs: clock.now(),
    speedUp: options.pace ?? speedUp,
    kind: options.kind,
    portal: options.portal,
    models: options.models,
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
  // those that come back as themselves were off meanwhile: they begin with clocks and counters of a boot
  if (options.folder !== undefined) for (const { box } of devices) box.boot(clock.now());
  const gateways = devices.filter((device) => device.box.hardware.role === 'gateway');
  const others = devices.filter((device) => device.box.hardware.role !== 'gateway');
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

/** Lets the world go on. */
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
