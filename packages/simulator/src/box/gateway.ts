import type { State, StateClient, StateInterface } from '@yunxun/contract/device';
import { clientOf, type WiredMachine, wiredMachines } from '../state/wired.ts';
import { linkLocal } from '../world/addresses.ts';
import type { Router } from '../world/bss.ts';
import { AccessPointBox, firstStation } from './access-point.ts';
import type { BoxOptions } from './box.ts';
import type { RunningInterface } from './running.ts';

/** An access point that routes: everything of its place goes through it. */
export class GatewayBox extends AccessPointBox implements Router {
  readonly #machines: readonly WiredMachine[];

  constructor(options: BoxOptions) {
    super(options);
    const random = this.random.fork('machines');
    this.#machines = wiredMachines(random, random.whole(6, 13), ['LAN2', 'LAN3', 'LAN4'], 240);
    this.place.serve(this);
  }

  /** Lawful public test addresses (198.18.0.0/15), one per gateway. */
  get publicAddress(): string {
    const tail = Number.parseInt(this.serial.slice(8), 16);
    return `198.18.${(tail >> 8) & 0xff}.${tail & 0xff || 1}`;
  }

  subnet(): string {
    return this.#lan()?.subnet ?? '192.168.1.1/24';
  }

  /** Traffic of its own radio is counted in `routed`, with that of the access points behind it. */
  override carried(): void {}

  routed(down: number, up: number, overLan: boolean): void {
    if (!this.up) return;
    this.ports.traffic('WAN')?.add(down, up);
    this.running?.interfaces.find((entry) => entry.role === 'upstream')?.traffic.add(down, up);
    this.#lan()?.traffic.add(up, down);
    if (overLan) this.ports.traffic('LAN1')?.add(up, down);
  }

  override tick(seconds: number): void {
    if (!this.up) return;
    super.tick(seconds);
    for (const machine of this.#machines) {
      if (!this.random.chance(0.4)) continue;
      const down = Math.round(machine.down * 125 * seconds * this.random.around(1));
      const up = Math.round(machine.up * 125 * seconds * this.random.around(1));
      this.ports.traffic(machine.port)?.add(up, down);
      this.routed(down, up, false);
    }
  }

  protected override lldp(): State['lldp-peers'] {
    return { upstream: {}, downstream: this.uplink === null ? {} : { LAN1: [this.uplink] } };
  }

  protected override wired(entry: RunningInterface): readonly StateClient[] {
    if (entry.role === 'upstream') {
      const mac = '00:1b:21:0a:0b:0c';
      return [{ mac, ipv4_addresses: ['198.18.255.254'], ipv6_addresses: [linkLocal(mac)], ports: ['WAN'] }];
    }
    if (entry !== this.#lan()) return [];
    const behind = this.place.present().filter((station) => station.stay?.bss.serial !== this.serial);
    return [
      ...this.#machines.map((machine) => clientOf(machine, this.#address(machine), this.random)),
      ...behind.map((station) => {
        const address = this.place.address(firstStation + station.number);
        return {
          mac: station.mac,
          ...(address === null ? {} : { ipv4_addresses: [address] }),
          ports: ['LAN1'],
          last_seen: station.stay?.idleSeconds ?? 0,
        };
      }),
    ];
  }

  protected override ipv4(entry: RunningInterface): StateInterface['ipv4'] {
    if (entry.role === 'upstream' && entry.subnet === null) {
      return { addresses: [`${this.publicAddress}/15`], leasetime: 7200, dhcp_server: '198.18.255.254' };
    }
    if (entry !== this.#lan()) return super.ipv4(entry);
    return { addresses: [this.subnet()], leases: this.#leases() };
  }

  #leases(): NonNullable<NonNullable<StateInterface['ipv4']>['leases']> {
    const stations = this.place.present().map((station) => ({
      mac: station.mac,
      address: this.place.address(firstStation + station.number),
      hostname: station.person.hostname,
    }));
    const machines = this.#machines.map((machine) => ({
      mac: machine.mac,
      address: this.#address(machine),
      hostname: machine.hostname,
    }));
    return [...stations, ...machines].flatMap(({ mac, address, hostname }) =>
      address === null ? [] : [{ mac, address, assigned: 3600, ...(hostname === null ? {} : { hostname }) }],
    );
  }

  #address(machine: WiredMachine): string | null {
    return machine.number === null ? null : this.place.address(machine.number);
  }

  #lan(): RunningInterface | undefined {
    return this.running?.interfaces.find((entry) => entry.role === 'downstream' && entry.subnet !== null);
  }
}
