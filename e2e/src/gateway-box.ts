import { agentFirmware, ConfigurationStore, DeviceClient, enrol, type Identity, systemClock } from '@yunxun/edge';
import { PlainSystem } from '@yunxun/edge/testing';

/** Delays of the box pass so many times as fast: it takes an upgrade within a second. */
const speedUp = 20;
const metrics = { statistics: { interval: 60, types: [] }, health: { interval: 60 }, realtime: { types: [] } };

/** A gateway that speaks as our agent of some version does, and becomes the one that an upgrade offers. */
export class GatewayBox {
  #client: DeviceClient | null = null;
  #version: string;
  readonly #system: PlainSystem;
  readonly #store = new ConfigurationStore({ uuid: 1, metrics }, null);

  private constructor(
    readonly identity: Identity,
    version: string,
    offered: string,
  ) {
    this.#version = version;
    this.#system = new PlainSystem(identity.serial, (cause) => {
      if (cause === 'upgrade') this.#version = offered;
      this.stop();
      void this.start(cause);
    });
    this.#system.firmware = () => `Yunxun edge ${this.#version}`;
    this.#system.capabilities = () => capabilities(this.#version) as ReturnType<PlainSystem['capabilities']>;
  }

  /** Enrols a box and puts it on line; `offered` is what an upgrade makes of it. */
  static async start(
    place: { consoleUrl: string; bindingCode: string; gwid: string },
    box: { serial: string; version: string; offered: string },
  ): Promise<GatewayBox> {
    const identity = await enrol({ ...place, serial: box.serial, platform: 'olg', model: 'Linux box' });
    const gateway = new GatewayBox(identity, box.version, box.offered);
    await gateway.start('coldboot');
    return gateway;
  }

  get version(): string {
    return this.#version;
  }

  stop(): void {
    this.#client?.stop();
    this.#client = null;
  }

  private async start(cause: 'coldboot' | Parameters<DeviceClient['start']>[0]): Promise<void> {
    this.#client = new DeviceClient({
      ...{ identity: this.identity, system: this.#system, store: this.#store, clock: systemClock, speedUp },
      ...{ firmware: agentFirmware, random: Math.random, checkHost: false },
    });
    await this.#client.start(cause);
  }
}

const capabilities = (agent: string) => ({
  platform: 'olg',
  compatible: 'linux',
  model: 'Linux box',
  compress_cmd: true,
  network: { WAN1: ['eth0'], LAN1: ['eth1'] },
  yunxun: {
    agent,
    abilities: { vlan: true, shaping: true, ifb: true, dhcpClient: true, dnsmasq: true },
    missing: [],
    allowed: { reboot: true, scripts: false },
  },
});
