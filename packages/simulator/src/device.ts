import {
  asNumber,
  type ConfigurationDocument,
  type ConnectReason,
  edgeFlowMethod,
  edgeTakenMethod,
} from '@yunxun/contract/device';
import {
  accessPointFirmware,
  agentFirmware,
  type Cancel,
  type Clock,
  ConfigurationStore,
  DeviceClient,
  enrol,
  type Identity,
  type StoreContents,
  switchFirmware,
} from '@yunxun/edge';
import { AccessPointBox } from './box/access-point.ts';
import type { Box } from './box/box.ts';
import { factoryConfigurations } from './box/defaults.ts';
import { EdgeGatewayBox } from './box/edge-gateway.ts';
import type { FaultKind, FaultOptions, UpgradeFault } from './faults.ts';
import type { Drawer, Kept } from './folder.ts';
import { documentOf, type FormerSsid } from './former-document.ts';
import { SimulatedSystem } from './simulated-system.ts';
import { SimulatedUspot } from './uspot/uspot.ts';

export interface DeviceOptions {
  box: Box;
  consoleUrl: string;
  bindingCode: string;
  gwid?: string;
  clock: Clock;
  speedUp: number;
  checkHost: boolean;
  /** Persistent storage, as a device's flash. */
  drawer: Drawer;
  former?: readonly FormerSsid[] | undefined;
  devicePort?: number | undefined;
  log: (line: string) => void;
  changed: () => void;
}

export interface DeviceStatus {
  serial: string;
  role: string;
  online: boolean;
  firmware: string;
  uuid: number;
  stations: number;
  ssids: readonly string[];
  lights: string | null;
}

const bootTime = 45_000;
/** Interval of flow messages in milliseconds, before `speedUp`. */
const flowEvery = 60_000;
const firmwareOf = { ap: accessPointFirmware, olg: agentFirmware, switch: switchFirmware } as const;

export function simulatedCrash(crashedMs: number, uuid = 1): { method: string; params: Record<string, unknown> } {
  const info = ['<1>[ 4711.000000] Unable to handle kernel paging request', '<0>[ 4711.000412] Kernel panic'];
  const params = { uuid, type: 'crashlog', date: Math.floor(crashedMs / 1000), info };
  return { method: 'rebootLog', params };
}

export class SimulatedDevice {
  readonly serial: string;
  readonly box: Box;
  /** Null: no access point. */
  readonly uspot: SimulatedUspot | null;
  readonly #options: DeviceOptions;
  readonly #system: SimulatedSystem;
  readonly #store: ConfigurationStore;
  #kept: Kept;
  #client: DeviceClient | null = null;
  #refusals = 0;
  #replies = 1;
  #failing: { how: UpgradeFault; times: number } = { how: 'return', times: 0 };
  #afterConnect: (() => void) | null = null;
  #flowTimer: Cancel = () => {};

  constructor(options: DeviceOptions) {
    const { box, clock, speedUp, drawer, checkHost } = options;
    this.serial = box.serial;
    this.box = box;
    this.#options = options;
    this.#kept = drawer.read(box.serial);
    if (box instanceof EdgeGatewayBox) {
      box.shield.fetch = (path) => textOf(options.consoleUrl + path);
      box.plugins.restore(this.#kept.plugins);
      box.plugins.changed = (plugins) => this.#keep({ plugins });
    }
    if (this.#kept.firmware !== null) box.firmware = this.#kept.firmware;
    this.uspot = box instanceof AccessPointBox ? this.#uspotOf(box) : null;
    const { former } = options;
    const contents = this.#kept.store ?? (former ? onlyActive(documentOf(box.hardware, former)) : null);
    this.#store = new ConfigurationStore(factoryConfigurations[box.hardware.role], contents, (store) =>
      this.#keep({ store }),
    );
    this.#system = new SimulatedSystem(box, {
      clock,
      speedUp,
      checkHost,
      identity: () => this.#identity(),
      restart: (cause) => this.#restart(cause, bootTime / speedUp),
      factory: (keep) => this.#factory(keep),
      takeRefusal: () => {
        if (this.#refusals === 0) return false;
        this.#refusals -= 1;
        return true;
      },
      takeUpgradeFault: () => {
        const { how, times } = this.#failing;
        this.#failing = { how, times: Math.max(0, times - 1) };
        return times > 0 ? how : null;
      },
      vanish: () => {
        this.#client?.stop('lost');
        this.box.down();
      },
      reportSoon: () => this.#reportSoon(),
    });
  }

  #uspotOf(box: AccessPointBox): SimulatedUspot {
    const uspot = new SimulatedUspot({
      serial: box.serial,
      speedUp: this.#options.speedUp,
      address: () => box.address,
      document: () => this.configuration,
      stations: (ssids) => box.spotStations(ssids),
      nowMs: () => this.#options.clock.now(),
      send: (kind, data) => this.#client?.sendRadius(kind, data),
    });
    box.uspot = uspot;
    return uspot;
  }

  get online(): boolean {
    return this.#client?.online ?? false;
  }

  get status(): DeviceStatus {
    const lights = this.#system.lights;
    return {
      serial: this.serial,
      role: this.box.hardware.role,
      online: this.online,
      firmware: this.box.firmware,
      uuid: this.#store.active.uuid,
      stations: this.box.place.at(this.serial).length,
      ssids: [...new Set(this.box.bsses().map((bss) => bss.ssid))],
      lights: lights !== null && lights.untilMs > this.#options.clock.now() ? lights.pattern : null,
    };
  }

  get configuration(): ConfigurationDocument {
    return this.#store.active.document;
  }

  async enrol(): Promise<void> {
    if (this.#kept.identity !== null) return;
    const { consoleUrl, bindingCode, gwid, box } = this.#options;
    const { platform, model } = box.hardware;
    const network = gwid === undefined ? {} : { gwid };
    const identity = await enrol({ consoleUrl, bindingCode, serial: this.serial, platform, model, ...network });
    this.#keep({ identity });
  }

  /**
   * Begins as a device that was switched off, or that ran on with its folder.
   * @returns the cause for `start`
   */
  comeUp(ranOn: boolean): ConnectReason {
    const { bootedMs } = this.#kept;
    const since = ranOn ? bootedMs : null;
    this.box.boot(since ?? this.#options.clock.now());
    return since === null ? 'coldboot' : 'socket';
  }

  async start(cause: ConnectReason): Promise<void> {
    const { bootedMs } = this.#kept;
    const identity = this.#identity();
    if (this.box.bootedMs !== bootedMs) this.#keep({ bootedMs: this.box.bootedMs });
    this.#client ??= this.#build(identity);
    await this.#client.start(cause);
  }

  #identity(): Identity {
    const { identity } = this.#kept;
    if (identity === null) throw new Error(`${this.serial} is not enrolled`);
    return identity;
  }

  report(): void {
    this.#client?.report();
  }

  #reportSoon(): void {
    const { clock, speedUp } = this.#options;
    clock.after(1000 / speedUp, () => this.report());
  }

  stop(): void {
    this.#flowTimer();
    this.#system.hangUp();
    this.#client?.stop('polite');
  }

  fault(kind: FaultKind, options: FaultOptions = {}): void {
    const { clock } = this.#options;
    const { seconds = 60, times, everyMs = 200, on = true, port = 'WAN', how = 'return', address = '' } = options;
    if (kind === 'lose-link') this.#client?.loseLink(seconds * 1000);
    if (kind === 'reject-configuration') this.#refusals = times ?? 1;
    if (kind === 'answer-twice') this.#replies = on ? 2 : 1;
    if (kind === 'stay-silent') this.#replies = on ? 0 : 1;
    if (kind === 'hang') this.#client?.freeze(on);
    if (kind === 'reconnect-storm') this.#storm(times ?? 20, everyMs);
    if (kind === 'power-cut') this.#restart('coldboot', seconds * 1000);
    if (kind === 'cable') this.box.cable(port, on, clock.now());
    if (kind === 'machine' && this.box instanceof EdgeGatewayBox) {
      this.box.switchMachine(address, on, clock.now());
      this.#reportSoon();
    }
    if (kind === 'unhealthy') this.box.ill = on;
    if (kind === 'crash') this.#crash();
    if (kind === 'fail-upgrade') this.#failing = { how, times: times ?? 1 };
    if (kind === 'clear') {
      this.box.ill = false;
      this.#refusals = 0;
      this.#failing = { how, times: 0 };
      this.#replies = 1;
      this.#client?.freeze(false);
    }
  }

  send(method: string, params: Record<string, unknown>): void {
    this.#client?.send(method, { serial: this.serial, ...params });
  }

  async enrolAgain(): Promise<void> {
    this.#client?.stop('lost');
    this.#client = null;
    this.#keep({ identity: null });
    await this.enrol();
    await this.start('coldboot');
  }

  /** Simulates a kernel panic: restarts and sends the previous boot's log after `connect`. */
  #crash(): void {
    const { clock, speedUp } = this.#options;
    const crashedMs = clock.now();
    this.#afterConnect = () => {
      const { method, params } = simulatedCrash(crashedMs, this.#store.active.uuid);
      this.send(method, params);
    };
    this.#restart('crashlog', bootTime / speedUp);
  }

  #build(identity: Identity): DeviceClient {
    const { clock, speedUp, checkHost, log, changed, box, devicePort = identity.port } = this.#options;
    return new DeviceClient({
      identity: { ...identity, port: devicePort },
      system: this.#system,
      store: this.#store,
      firmware: firmwareOf[box.hardware.platform],
      clock,
      speedUp,
      checkHost,
      random: () => box.random.next(),
      onCommand: (method, params) => this.#heard(method, params),
      ...(this.uspot ? { onRadius: (kind, data) => this.uspot?.take(kind, data) } : {}),
      shapeReply: (reply) => Array.from({ length: this.#replies }, () => reply),
      observer: (change) => {
        if (box instanceof EdgeGatewayBox && (change.change === 'online' || change.change === 'offline'))
          box.console(change.change === 'online', clock.now());
        if (change.change === 'offline') {
          const retry = change.retryIn === null ? '' : `, again in ${change.retryIn} ms`;
          log(`${this.serial} offline: ${change.end.kind} ${change.end.detail}${retry}`);
        }
        if (change.change === 'online') {
          log(`${this.serial} online`);
          this.#sendFlow();
          this.#afterConnect?.();
          this.#afterConnect = null;
        }
        if (change.change === 'online' || change.change === 'offline') changed();
      },
    });
  }

  #sendFlow(): void {
    const { clock, speedUp, box } = this.#options;
    this.#flowTimer();
    if (!(box instanceof EdgeGatewayBox)) return;
    const message = box.flowMessage(clock.now());
    if (message !== null) this.#client?.send(edgeFlowMethod, { serial: this.serial, ...message });
    this.#flowTimer = clock.after(flowEvery / speedUp, () => this.#sendFlow());
  }

  #heard(method: string, { seq }: Record<string, unknown>): void {
    const number = asNumber(seq);
    if (method === edgeTakenMethod && number !== null && this.box instanceof EdgeGatewayBox) this.box.flowTaken(number);
  }

  #restart(cause: ConnectReason, delay: number): void {
    const { clock } = this.#options;
    this.#system.hangUp();
    this.#client?.stop('lost');
    this.box.down();
    clock.after(delay, () => {
      this.#system.bootFlashed();
      this.#keep({ firmware: this.box.firmware });
      this.box.boot(clock.now());
      if (this.#kept.identity !== null) void this.start(cause);
    });
  }

  /** Deletes configuration and identity without `keepRedirector`. */
  #factory(keepRedirector: boolean): void {
    if (!keepRedirector) {
      this.#store.reset();
      this.#keep({ identity: null });
    }
    this.#restart('factory', bootTime / this.#options.speedUp);
    if (!keepRedirector) this.#client = null;
  }

  #storm(times: number, everyMs: number): void {
    if (times <= 0) return;
    this.#client?.loseLink(0);
    this.#options.clock.after(everyMs, () => this.#storm(times - 1, everyMs));
  }

  #keep(change: Partial<Kept>): void {
    this.#kept = { ...this.#kept, ...change };
    this.#options.drawer.write(this.serial, this.#kept);
  }
}

async function textOf(url: string): Promise<string> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url}: ${response.status}`);
  return response.text();
}

function onlyActive(document: ConfigurationDocument): StoreContents {
  const { uuid } = document;
  return { active: { uuid, document }, stored: [], highest: uuid };
}
