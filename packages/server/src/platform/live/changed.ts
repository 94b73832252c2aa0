import type { Bus } from '../bus/index.ts';
import { afterCommit, type Tx } from '../database/index.ts';

export function changedSubject(id: string): string {
  return `identity.${id}`;
}

/** Makes open streams of these people or accounts authenticate again after the commit. */
export function rightsChanged(tx: Tx, bus: Bus, ...ids: readonly string[]): void {
  afterCommit(tx, () => {
    for (const id of new Set(ids)) bus.publish(changedSubject(id), {});
  });
}
