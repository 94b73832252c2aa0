import type { State, StateClient, StateInterface } from '@yunxun/contract/device';
import type { Router, Traffic } from '../world/bss.ts';
import { wiredClient } from '../world/wired.ts';
import { AccessPointBox, firstStation } from './access-point.ts';
import type { BoxOptions } from './box.ts';
import type { RunningInterface } from './running.ts';

export class GatewayBox extends AccessPointBox implements Router {
  constructor(options: BoxOptions) {
    super(options);
    this.place.serve(this);
  }

  get publicAddress(): string {
    const tail = Number.parseInt(this.serial.slice(8), 16);
    return `198.18.${(tail >> 8) & 0xff}.${tail & 0xff || 1}`;
  }

  subnet(): string {
    return this.#lan()?.subnet ?? '192.168.1.1/24';
  }

  /** `routed` already counts the traffic of its own radio. */
  override carried(): void {}

  routed(down: number, up: number, slot: number | null): void {
    if (!this.up) return;
    this.ports.traffic('WAN')?.add(down, up);
    this.running?.interfaces.find((entry) => entry.role === 'upstream')?.traffic.add(down, up);
    this.#lan()?.traffic.add(up, down);
    if (slot !== null) this.ports.traffic(this.#port(slot))?.add(up, down);
  }

  /** The firmware blocks clients on the radios, not when routing. */
  blocks(): boolean {
    return false;
  }

  pass(_client: unknown, asked: Traffic): Traffic {
    return asked;
  }

  override tick(seconds: number): void {
    if (this.up) super.tick(seconds);
  }

  protected override lldp(): State['lldp-peers'] {
    return { upstream: {}, downstream: this.uplink === null ? {} : { LAN1: [this.uplink] } };
  }

  protected override wired(entry: RunningInterface): readonly StateClient[] {
    if (entry.role === 'upstream') {
      return [wiredClient('00:1b:21:0a:0b:0c', '198.18.255.254', 'WAN', 1)];
    }
    if (entry !== this.#lan()) return [];
    const behind = this.place.present().filter((station) => station.association?.bss.serial !== this.serial);
    const boxes = this.place.carriers.filter((box) => box.serial !== this.serial);
    return [
      ...boxes.map((box) => wiredClient(box.mac, box.address, this.#port(this.place.slotOf(box.serial)), 3)),
      ...this.place.machines.map(({ mac, number, slot }) => {
        const address = number === null ? null : this.place.address(number);
        return wiredClient(mac, address, this.#port(this.place.carriers.length + slot), (slot * 7) % 50);
      }),
      ...behind.map((station) => {
        const address = this.place.address(firstStation + station.number);
        return {
          mac: station.mac,
          ...(address === null ? {} : { ipv4_addresses: [address] }),
          ports: [this.#port(this.place.slotOf(station.association?.bss.serial ?? ''))],
          last_seen: station.association?.idleSeconds ?? 0,
        };
      }),
    ];
  }

  protected override ipv4(entry: RunningInterface): StateInterface['ipv4'] {
    if (entry.role === 'upstream' && entry.leased) {
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
    const machines = this.place.machines.map(({ mac, number, hostname }) => ({
      mac,
      address: number === null ? null : this.place.address(number),
      hostname,
    }));
    return [...stations, ...machines].flatMap(({ mac, address, hostname }) =>
      address === null ? [] : [{ mac, address, assigned: 3600, ...(hostname === null ? {} : { hostname }) }],
    );
  }

  /** Returns the first port if a switch is attached, else a port per device. */
  #port(slot: number): string {
    return this.place.switched ? 'LAN1' : `LAN${1 + (slot % 4)}`;
  }

  #lan(): RunningInterface | undefined {
    return this.running?.interfaces.find((entry) => entry.role === 'downstream' && entry.subnet !== null);
  }
}
