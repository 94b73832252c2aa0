import type { ConnectReason } from '@yunxun/contract/device';
import { type Cancel, type Clock, systemClock, wait } from '@yunxun/edge';
import type { Box } from './box/box.ts';
import { type AccessPointModel, isRouter } from './box/hardware.ts';
import type { TunnelEnds } from './box/tunnels.ts';
import { type DeviceStatus, SimulatedDevice } from './device.ts';
import { folderDrawer, memoryDrawer } from './folder.ts';
import { documentOf, type FormerSsid } from './former-document.ts';
import type { FleetMoment } from './history.ts';
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
  /** Of the console now; overrides the one of an earlier enrolment. */
  devicePort?: number;
  /** The devices of the folder did not stop with the program: uptimes go on. Counters and clients do not. */
  ranOn?: boolean;
  gwid?: string;
  /** UTC offset of the people's day, in hours. Default 8. */
  hoursEast?: number;
  /** Clients per access point. Default 22. */
  peoplePerAp?: number;
  kind?: PlaceKind;
  /** At every hour. Default 0.01. */
  leastShare?: number | undefined;
  portal?: boolean;
  models?: readonly AccessPointModel[];
  branded?: boolean;
  tunnels?: TunnelEnds;
  /** Join at once and stay; overrides `peoplePerAp`. */
  crowd?: number;
  checkHost?: boolean;
  /** Number of concurrent enrolments and starts. Default 4. */
  parallel?: number;
  log?: (line: string) => void;
  enrolled?: (devices: readonly SimulatedDevice[]) => Promise<void>;
  /** Goes on with the people, sessions and uptimes of a past; time begins when all devices have reported once. */
  moment?: FleetMoment;
  former?: readonly FormerSsid[];
  signal?: AbortSignal;
}

/** Milliseconds for the devices' first reports. */
const maxHold = 30_000;

export interface Fleet {
  readonly devices: readonly SimulatedDevice[];
  device(serial: string): SimulatedDevice;
  status(): readonly DeviceStatus[];
  /** When its first device reported, milliseconds. */
  readonly sinceMs: number;
  report(): void;
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
    leastShare: options.leastShare,
    portal: options.portal,
    models: options.models,
    branded: options.branded,
    tunnels: options.tunnels,
    crowd: options.crowd,
    held: options.moment !== undefined,
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
        former: options.former,
        devicePort: options.devicePort,
      }),
  );
  const { moment, ranOn = false } = options;
  let sinceMs = clock.now();
  const causes = new Map<SimulatedDevice, ConnectReason>();
  if (moment) takeUp(moment, { boxes, places, former: options.former ?? [] });
  else if (options.folder !== undefined) for (const device of devices) causes.set(device, device.comeUp(ranOn));
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
    get sinceMs() {
      return sinceMs;
    },
    report() {
      for (const device of devices) device.report();
    },
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
    const reported = moment && reportOnce(devices, watchers, clock);
    const causeOf = (device: SimulatedDevice) => causes.get(device) ?? (moment ? 'socket' : 'coldboot');
    if (options.enrolled) {
      for (const some of [gateways, others]) await inParallel(some, parallel, (device) => device.enrol());
      await options.enrolled(devices);
    }
    await inParallel(gateways, parallel, (device) => switchOn(device, causeOf(device)));
    await inParallel(others, parallel, (device) => switchOn(device, causeOf(device)));
    if (reported) {
      await Promise.race([reported.all, aborted(options.signal), wait(clock, maxHold)]);
      sinceMs = reported.firstMs() ?? clock.now();
      for (const place of places) place.release(clock.now());
    }
    return fleet;
  } catch (error) {
    fleet.stop();
    throw error;
  }
}

/** Puts devices and people where the past ended; they wait there. */
function takeUp(
  moment: FleetMoment,
  { boxes, places, former }: { boxes: readonly Box[]; places: readonly Place[]; former: readonly FormerSsid[] },
): void {
  for (const box of boxes) {
    box.boot(moment.booted[box.serial] ?? box.bootedMs);
    box.apply(documentOf(box.hardware, former));
    box.goOnAir();
  }
  for (const [index, place] of places.entries()) place.resume(moment.people[index] ?? []);
}

function reportOnce(devices: readonly SimulatedDevice[], watchers: Set<() => void>, clock: Clock) {
  const done = new Set<SimulatedDevice>();
  let firstMs: number | null = null;
  const all = new Promise<void>((resolve) => {
    const look = () => {
      for (const device of devices) {
        if (!device.online || done.has(device)) continue;
        done.add(device);
        firstMs ??= clock.now();
        device.report();
      }
      if (done.size < devices.length) return;
      watchers.delete(look);
      resolve();
    };
    watchers.add(look);
  });
  return { all, firstMs: () => firstMs };
}

function aborted(signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) resolve();
    else signal?.addEventListener('abort', () => resolve(), { once: true });
  });
}

async function switchOn(device: SimulatedDevice, cause: ConnectReason): Promise<void> {
  await device.enrol();
  void device.start(cause);
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
