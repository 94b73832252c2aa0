import { asList, asRecord, asText, type EdgeWatchState, type EdgeWatchTarget } from '@yunxun/contract/device';
import type { ActionResult } from '@yunxun/edge';

/** Last part of addresses that never answer. */
const firstSilent = 240;

/** Answers for the peripheral devices of a simulated site. */
export class SimulatedWatch {
  #revision: string | null = null;
  #targets: readonly EdgeWatchTarget[] = [];
  #declaredMs = 0;

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
        const alive = tail < firstSilent;
        return {
          id,
          alive,
          latency_ms: alive ? 0.5 + (tail % 17) / 10 : null,
          since: Math.floor(this.#declaredMs / 1000),
          at: Math.floor(nowMs / 1000),
        };
      }),
    };
  }
}
