import type { DataOf, fleetBatch, UnbindPart } from '@yunxun/contract';
import type { Acting } from '../../platform/acting.ts';
import type { Tx } from '../../platform/database/index.ts';

export type UnbindEffect = DataOf<typeof fleetBatch.unbindEffectList>['list'][number];

export interface Unbound {
  acting: Acting;
  accountId: string;
  gwid: string | null;
  serials: readonly string[];
  at: Date;
}

export interface UnbindParticipant {
  part: UnbindPart;
  /** Runs in the unbinding transaction (system role). @returns the number removed */
  remove(tx: Tx, unbound: Unbound): Promise<number>;
  /** Returns effects beyond the devices themselves. */
  effects?(tx: Tx, asked: Omit<Unbound, 'at' | 'acting'>): Promise<UnbindEffect[]>;
}

export class UnbindRegistry {
  readonly #participants: UnbindParticipant[] = [];

  join(participant: UnbindParticipant): void {
    this.#participants.push(participant);
  }

  async effects(tx: Tx, asked: Omit<Unbound, 'at' | 'acting'>): Promise<UnbindEffect[]> {
    const found: UnbindEffect[] = [];
    for (const { effects } of this.#participants) found.push(...((await effects?.(tx, asked)) ?? []));
    return found;
  }

  /** Omits parts without data. */
  async remove(tx: Tx, unbound: Unbound): Promise<{ part: UnbindPart; count: number }[]> {
    const counts = new Map<UnbindPart, number>();
    for (const { part, remove } of this.#participants) {
      const count = await remove(tx, unbound);
      if (count > 0) counts.set(part, (counts.get(part) ?? 0) + count);
    }
    return [...counts].map(([part, count]) => ({ part, count }));
  }
}
