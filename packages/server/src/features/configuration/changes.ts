import type { Acting } from '../../platform/acting.ts';
import type { Tx } from '../../platform/database/index.ts';
import type { Wish } from './planner.ts';

/** Settings that are about to be written, and why. */
export interface ComingChange {
  gwids: readonly string[];
  cause: Wish['cause'];
}

/** Somebody who looks at settings before they are changed, in the transaction of the change. */
export type BeforeChange = (tx: Tx, acting: Acting, change: ComingChange) => Promise<void>;

/** Features join here; whoever writes settings of networks tells them first. */
export class ChangeRegistry {
  readonly #participants: BeforeChange[] = [];

  join(participant: BeforeChange): void {
    this.#participants.push(participant);
  }

  /** Lets everybody see what is in force; called once all is checked and before anything is written. */
  async before(tx: Tx, acting: Acting, change: ComingChange): Promise<void> {
    if (change.gwids.length === 0) return;
    for (const participant of this.#participants) await participant(tx, acting, change);
  }
}
