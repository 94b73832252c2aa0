import type { Counters } from '@yunxun/contract/device';

/** Traffic since start; `rx` and `tx` as seen by the reporting device. */
export class TrafficCounter {
  #rxBytes = 0;
  #txBytes = 0;
  #rxPackets = 0;
  #txPackets = 0;
  #multicast = 0;
  #reported: Required<Counters> = this.absolute();

  /** Assumes packets of 900 bytes down and 300 bytes up. */
  add(rxBytes: number, txBytes: number, multicast = 0): void {
    this.#rxBytes += rxBytes;
    this.#txBytes += txBytes;
    this.#rxPackets += Math.ceil(rxBytes / 300);
    this.#txPackets += Math.ceil(txBytes / 900);
    this.#multicast += multicast;
  }

  get rxBytes(): number {
    return this.#rxBytes;
  }

  get txBytes(): number {
    return this.#txBytes;
  }

  get rxPackets(): number {
    return this.#rxPackets;
  }

  get txPackets(): number {
    return this.#txPackets;
  }

  absolute(): Required<Counters> {
    return {
      collisions: 0,
      multicast: this.#multicast,
      rx_bytes: this.#rxBytes,
      rx_dropped: 0,
      rx_errors: 0,
      rx_packets: this.#rxPackets,
      tx_bytes: this.#txBytes,
      tx_dropped: 0,
      tx_errors: 0,
      tx_packets: this.#txPackets,
    };
  }

  report(): { counters: Counters; delta_counters: Counters } {
    const counters = this.absolute();
    const before = this.#reported;
    this.#reported = counters;
    const entries = Object.entries(counters) as [keyof Counters, number][];
    const delta = Object.fromEntries(entries.map(([name, value]) => [name, value - before[name]]));
    return { counters, delta_counters: delta as Counters };
  }
}
