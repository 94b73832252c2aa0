import type { Bus } from '../bus/index.ts';
import { afterCommit, type Tx } from '../database/index.ts';

/** Where it is said that what a person, or everybody in an account, may do has changed: `identity.<their id>`, no content. */
export function changedSubject(id: string): string {
  return `identity.${id}`;
}

/**
 * Says, once the transaction is committed, that sessions, tokens or rights of a person, or of everybody who acts in an
 * account, have changed: their open streams authenticate again at once, and end when there is nothing left.
 */
export function rightsChanged(tx: Tx, bus: Bus, ...ids: readonly string[]): void {
  afterCommit(tx, () => {
    for (const id of new Set(ids)) bus.publish(changedSubject(id), {});
  });
}
