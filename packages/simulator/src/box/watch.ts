import { asList, asRecord, asText, type EdgeWatchState, type EdgeWatchTarget } from '@yunxun/contract/device';
import type { ActionResult } from '@yunxun/edge';

const firstSilent = 240;

/** Answers for the peripheral devices of a simulated site. */
export class SimulatedWatch {
  readonly #isMachine: (address: string) => boolean;
  /** Since when an address is switched on or off, milliseconds. */
  readonly #switched = new Map<string, { on: boolean; sinceMs: number }>();
  #revision: string | null = null;
  #targets: readonly EdgeWatchTarget[] = [];
  #declaredMs = 0;

  constructor(isMachine: (address: string) => boolean) {
    this.#isMachine = isMachine;
  }

  switch(address: string, on: boolean, nowMs: number): void {
    this.#switched.set(address, { on, sinceMs: nowMs });
  }

  forget(): void {
    this.#revision = null;
    this.#targets = [];
  }

  declare(params: Readonly<Record<string, unknown>>, nowMs: number): ActionResult {
    this.#revision = asText(params.revision, 64);
    this.#targets = asList(params.targets).map((given) => asRecord<EdgeWatchTarget>(given) as EdgeWatchTarget);
    this.#declaredMs = nowMs;
    return { error: 0, text: 'Success' };
  }

  state(nowMs: number): EdgeWatchState {
    return {
      revision: this.#revision,
      targets: this.#targets.map(({ id, address }) => {
        const tail = Number(address.split('.').at(-1));
        const switched = this.#switched.get(address);
        const alive = (tail < firstSilent || this.#isMachine(address)) && switched?.on !== false;
        return {
          id,
          alive,
          latency_ms: alive ? 0.5 + (tail % 17) / 10 : null,
          since: Math.floor((switched?.sinceMs ?? this.#declaredMs) / 1000),
          at: Math.floor(nowMs / 1000),
        };
      }),
    };
  }
}
