import type { UnbindPart } from '@yunxun/contract';
import type { Tx } from '../../platform/database/index.ts';

/** What is unbound: devices, and their network when it goes with them. */
export interface Unbound {
  accountId: string;
  gwid: string | null;
  serials: readonly string[];
  at: Date;
}

/** Somebody who keeps things of a device or a network and takes them away when it is unbound. */
export interface UnbindParticipant {
  part: UnbindPart;
  /** Removes it, in the transaction of the unbinding (system role). @returns how many things that were */
  remove(tx: Tx, unbound: Unbound): Promise<number>;
}

/** Features join here; unbinding asks every one, so that none is forgotten. */
export class UnbindRegistry {
  readonly #participants: UnbindParticipant[] = [];

  join(participant: UnbindParticipant): void {
    this.#participants.push(participant);
  }

  /** Has everybody remove what is theirs; parts that had nothing are left out. */
  async remove(tx: Tx, unbound: Unbound): Promise<{ part: UnbindPart; count: number }[]> {
    const counts = new Map<UnbindPart, number>();
    for (const { part, remove } of this.#participants) {
      const count = await remove(tx, unbound);
      if (count > 0) counts.set(part, (counts.get(part) ?? 0) + count);
    }
    return [...counts].map(([part, count]) => ({ part, count }));
  }
}
