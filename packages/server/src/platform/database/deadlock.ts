const deadlock = '40P01';
const maxTries = 3;

/** Retries: transactions may lock rows in different order. */
export async function againOnDeadlock<T>(transaction: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await transaction();
    } catch (error) {
      if (tries >= maxTries || !(error instanceof Error) || (error as { code?: unknown }).code !== deadlock)
        throw error;
    }
  }
}
