import type { Box } from '../apply/gateway-host.ts';
import type { Measures } from '../measure/index.ts';
import type { LeaseWatch } from './leases.ts';

/** Ignores probes while a change awaits the console: they still follow the previous plan. */
export class LineWords {
  readonly #box: Box;
  readonly #measures: Measures;
  readonly #leases: LeaseWatch;
  readonly #words = new Map<string, boolean>();

  constructor(box: Box, measures: Measures, leases: LeaseWatch, lost: () => void) {
    this.#box = box;
    this.#measures = measures;
    this.#leases = leases;
    measures.lines(({ interface: name, alive }) => {
      if (alive === null || this.#box.pending !== null) return;
      this.#words.set(name, alive);
      void this.#bring().then(() => {
        if (!alive) lost();
      });
    });
  }

  async settled(): Promise<void> {
    const { layout } = this.#box.plan;
    this.#words.clear();
    await this.#leases.look();
    this.#measures.configured({ ...layout, lines: [] });
    this.#measures.configured(layout);
  }

  async #bring(): Promise<void> {
    for (const line of this.#box.plan.lines) {
      const alive = this.#words.get(line.interface);
      if (alive !== undefined) await this.#box.line(line.device, { alive });
    }
    await this.#leases.look();
  }
}
