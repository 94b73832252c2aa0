import type { Plan, Reading } from '@yunxun/edge';
import type { Random } from '../world/random.ts';

type Carriers = ReadonlyMap<string, boolean>;

const gatewayAddress = '198.18.255.254';

export class SimulatedWans {
  readonly #serial: string;
  /** Since when a port has or lacks its carrier, milliseconds; missing: since the boot. */
  readonly #carrierMs = new Map<string, number>();

  constructor(serial: string) {
    this.#serial = serial;
  }

  cabled(port: string, nowMs: number): void {
    this.#carrierMs.set(port, nowMs);
  }

  forget(): void {
    this.#carrierMs.clear();
  }

  /** Test addresses (198.18.0.0/15), one per gateway and WAN. */
  address(index: number): string {
    const tail = Number.parseInt(this.#serial.slice(8), 16);
    return `198.${18 + (index % 2)}.${(tail >> 8) & 0xff}.${tail & 0xff || 1}`;
  }

  lines({ lines, interfaces }: Plan['layout'], carriers: Carriers, bootedMs: number, random: Random): Reading['lines'] {
    return lines.map((wan, index) => {
      const port = interfaces.find(({ name }) => name === wan.interface)?.ports[0]?.name ?? '';
      const alive = carriers.get(port) ?? false;
      return {
        interface: wan.interface,
        address: this.address(index),
        gateway: gatewayAddress,
        alive,
        latencyMs: alive ? 6 + index * 14 + random.between(0, 3) : null,
        lossPct: alive ? (random.chance(0.1) ? 1 : 0) : 100,
        since: this.#carrierMs.get(port) ?? bootedMs,
      };
    });
  }

  /** Until the console configures it, the host has an address of its provider on each WAN with a cable. */
  found(ports: readonly string[], carriers: Carriers): NonNullable<Reading['found']> {
    const wans = ports.filter((name) => name.startsWith('WAN'));
    return wans.flatMap((port, index) => {
      const address = `${this.address(index)}/15`;
      return carriers.get(port) ? [{ port, address, gateway: gatewayAddress, dynamic: true, dns: [] }] : [];
    });
  }
}
