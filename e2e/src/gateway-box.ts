import type { ConfigurationDocument, State } from '@yunxun/contract/device';
import {
  type ApplyResult,
  agentFirmware,
  ConfigurationStore,
  DeviceClient,
  enrol,
  type Identity,
  systemClock,
} from '@yunxun/edge';
import { PlainSystem } from '@yunxun/edge/testing';
import { readDocument } from '../../packages/edge/src/document/index.ts';
import { edgeHost, edgeMtu, simulatedAbilities } from '../../packages/simulator/src/box/hardware.ts';
import { until } from './until.ts';

/** Shortens an upgrade to less than a second. */
const speedUp = 20;
const awayMs = 1500;
const metrics = { statistics: { interval: 60, types: [] }, health: { interval: 60 }, realtime: { types: [] } };

export type Sockets = Readonly<Record<string, string>>;
const twoSockets: Sockets = { WAN1: 'eth0', LAN1: 'eth1' };
const mtusOf = (ports: Sockets) => Object.fromEntries(Object.keys(ports).map((name) => [name, edgeMtu]));
const folders = { run: '/run/yunxun-edge', state: '/var/lib/yunxun-edge' };

/** Simulates our agent of some version; judges documents like it. */
export class GatewayBox {
  #client: DeviceClient | null = null;
  #version: string;
  readonly #system: PlainSystem;
  readonly #store = new ConfigurationStore({ uuid: 1, metrics }, null);

  /** New configurations revert and are reported after the return. */
  cutOff = false;

  private constructor(
    readonly identity: Identity,
    version: string,
    offered: string,
    ports: Sockets,
  ) {
    this.#version = version;
    this.#system = new PlainSystem(identity.serial, (cause) => {
      if (cause === 'upgrade') this.#version = offered;
      this.stop();
      void this.start(cause);
    });
    this.#system.firmware = () => `Yunxun edge ${this.#version}`;
    this.#system.capabilities = () => capabilities(this.#version, ports) as ReturnType<PlainSystem['capabilities']>;
    this.#system.apply = (document) => this.#apply(document, ports);
    this.#system.readState = () => ({ version: 1, 'link-state': linksOf(ports) });
  }

  static async start(
    place: { consoleUrl: string; bindingCode: string; gwid?: string },
    box: { serial: string; version: string; offered: string; ports?: Sockets },
  ): Promise<GatewayBox> {
    const identity = await enrol({ ...place, serial: box.serial, platform: 'olg', model: 'Linux box' });
    const gateway = new GatewayBox(identity, box.version, box.offered, box.ports ?? twoSockets);
    await gateway.start('coldboot');
    return gateway;
  }

  get version(): string {
    return this.#version;
  }

  /** Null before the first configuration. */
  get running(): ConfigurationDocument | null {
    return this.#system.running;
  }

  /** Refuses invalid configurations, reverts those that cut it off. */
  async #apply(document: ConfigurationDocument, ports: Sockets): Promise<ApplyResult> {
    const read = readDocument(document, {
      ports: { ...ports },
      mtus: mtusOf(ports),
      abilities: edgeHost,
      folders,
    });
    if ('refused' in read) return { error: 2, rejected: read.refused };
    if (!this.cutOff) {
      this.#system.running = document;
      return { error: read.rejected.length > 0 ? 1 : 0, rejected: read.rejected };
    }
    this.cutOff = false;
    const { uuid } = document;
    const say = (type: string, payload: object) =>
      this.#system.listener?.event(Math.floor(Date.now() / 1000), type, { uuid, ...payload });
    say('unit.config-pending', { until: Math.floor(Date.now() / 1000) + 90 });
    this.#client?.loseLink(awayMs);
    await new Promise((later) => setTimeout(later, awayMs));
    await until('the box is back', async () => this.#client?.online === true);
    const reason = 'the console was not reached in time';
    say('unit.config-returned', { reason });
    return { error: 2, rejected: [reason] };
  }

  stop(): void {
    this.#client?.stop();
    this.#client = null;
  }

  private async start(cause: 'coldboot' | Parameters<DeviceClient['start']>[0]): Promise<void> {
    this.#client = new DeviceClient({
      identity: this.identity,
      system: this.#system,
      store: this.#store,
      clock: systemClock,
      speedUp,
      firmware: agentFirmware,
      random: Math.random,
      checkHost: false,
    });
    await this.#client.start(cause);
  }
}

function linksOf(ports: Sockets): NonNullable<State['link-state']> {
  const link = { carrier: 1, speed: 1000, duplex: 'full' } as const;
  const linked = (uplink: boolean) =>
    Object.fromEntries(
      Object.keys(ports).flatMap((name) => (name.startsWith('WAN') === uplink ? [[name, link] as const] : [])),
    );
  return { upstream: linked(true), downstream: linked(false) };
}

const capabilities = (agent: string, ports: Sockets) => ({
  platform: 'olg',
  compatible: 'linux',
  model: 'Linux box',
  compress_cmd: true,
  network: Object.fromEntries(Object.entries(ports).map(([name, device]) => [name, [device]])),
  yunxun: {
    agent,
    abilities: simulatedAbilities(),
    mtus: mtusOf(ports),
    missing: [],
    allowed: { reboot: true, scripts: false },
  },
});
