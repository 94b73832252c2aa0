import type { Acting } from '../../platform/acting.ts';
import type { Tx } from '../../platform/database/index.ts';
import type { PushReason } from './planner.ts';

export interface ComingChange {
  gwids: readonly string[];
  cause: PushReason['cause'];
}

/** Runs in the change's transaction, after validation, before the first write. */
export type BeforeChange = (tx: Tx, acting: Acting, change: ComingChange) => Promise<void>;

export class ChangeRegistry {
  readonly #participants: BeforeChange[] = [];

  join(participant: BeforeChange): void {
    this.#participants.push(participant);
  }

  async before(tx: Tx, acting: Acting, change: ComingChange): Promise<void> {
    if (change.gwids.length === 0) return;
    for (const participant of this.#participants) await participant(tx, acting, change);
  }
}
