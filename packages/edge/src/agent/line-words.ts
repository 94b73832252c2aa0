import type { Box } from '../apply/box.ts';
import type { Measures } from '../measure/index.ts';
import type { LeaseWatch } from './leases.ts';

/**
 * Brings what the probes say of lines to the box. While a change waits for the console nobody's word moves a route: the
 * probes are still those of the plan before, and would take the new way for a dead one.
 */
export class LineWords {
  readonly #box: Box;
  readonly #measures: Measures;
  readonly #leases: LeaseWatch;
  /** The last word on each interface, as its present probes gave it. */
  readonly #words = new Map<string, boolean>();

  /** @param lost a line is lost: what went over it has to find another way */
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

  /** A change is over: another plan runs, or the one before again. Every line is probed from the beginning. */
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
