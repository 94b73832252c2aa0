import type { Owner } from '../flow/ledger.ts';
import { isWithin, type Neighbour, type OwnAddress } from './kernel.ts';
import type { Layout } from './layout.ts';

/** Milliseconds that an address keeps its MAC after the kernel dropped it. */
const memory = 3_600_000;
const max = 20_000;

export class Owners {
  readonly #macs = new Map<string, { mac: string; at: number }>();
  #own: ReadonlySet<string> = new Set();
  #networks: readonly OwnAddress[] = [];

  learn(layout: Layout, now: { at: number; addresses: readonly OwnAddress[]; neighbours: readonly Neighbour[] }): void {
    const downstream = new Set(
      layout.interfaces.flatMap(({ role, device }) => (role === 'downstream' ? [device] : [])),
    );
    this.#own = new Set(now.addresses.map(({ address }) => address));
    this.#networks = now.addresses.filter(({ device }) => downstream.has(device));
    for (const { address, mac, device } of now.neighbours) {
      if (!downstream.has(device)) continue;
      this.#macs.delete(address);
      this.#macs.set(address, { mac, at: now.at });
    }
    for (const [address, { at }] of this.#macs) {
      if (now.at - at < memory && this.#macs.size <= max) break;
      this.#macs.delete(address);
    }
  }

  ownerOf(address: string): Owner {
    if (this.#own.has(address)) return 'none';
    const known = this.#macs.get(address);
    if (known) return known.mac;
    return this.#networks.some((network) => isWithin(address, network)) ? 'later' : 'none';
  }
}
