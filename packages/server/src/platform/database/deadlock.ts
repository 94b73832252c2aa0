/** PostgreSQL's code for a transaction that was ended because it and another waited for each other. */
const deadlock = '40P01';
const mostTries = 3;

/**
 * Does a transaction again that was ended by a deadlock: whoever changes many rows may meet somebody who changes some of
 * them in another order. Nothing of the first try is left.
 */
export async function againOnDeadlock<T>(transaction: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await transaction();
    } catch (error) {
      if (tries >= mostTries || !(error instanceof Error) || (error as { code?: unknown }).code !== deadlock)
        throw error;
    }
  }
}
