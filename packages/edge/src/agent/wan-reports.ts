import type { GatewayHost } from '../apply/gateway-host.ts';
import type { Measures } from '../measure/index.ts';
import type { LeaseWatch } from './leases.ts';

/** Ignores probes while a change awaits the console: they still follow the previous plan. */
export class WanReports {
  readonly #host: GatewayHost;
  readonly #measures: Measures;
  readonly #leases: LeaseWatch;
  readonly #words = new Map<string, boolean>();

  constructor(host: GatewayHost, measures: Measures, leases: LeaseWatch, lost: () => void) {
    this.#host = host;
    this.#measures = measures;
    this.#leases = leases;
    measures.lines(({ interface: name, alive }) => {
      if (alive === null || this.#host.pending !== null) return;
      this.#words.set(name, alive);
      void this.#bring().then(() => {
        if (!alive) lost();
      });
    });
  }

  async settled(): Promise<void> {
    const { layout } = this.#host.plan;
    this.#words.clear();
    await this.#leases.look();
    this.#measures.configured({ ...layout, lines: [] });
    this.#measures.configured(layout);
  }

  async #bring(): Promise<void> {
    for (const wan of this.#host.plan.lines) {
      const alive = this.#words.get(wan.interface);
      if (alive !== undefined) await this.#host.updateWan(wan.device, { alive });
    }
    await this.#leases.look();
  }
}
