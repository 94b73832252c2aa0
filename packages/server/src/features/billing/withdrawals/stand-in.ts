import type { Acting } from '../../../platform/acting.ts';
import type { Tx } from '../../../platform/database/index.ts';
import { administratorsOf } from '../../identity/people.ts';

export { standInAfterMs } from '../decisions/second-persons.ts';

/** Returns whether no other administrator is left. */
export async function administratorGone(tx: Tx, acting: Acting, adminEmail: string | null): Promise<boolean> {
  const all = await administratorsOf(tx, adminEmail);
  return all.every(({ personId }) => personId === acting.userId);
}
