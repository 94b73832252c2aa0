const made = new Map<string, number>();

/** Returns the name, then the name with a number: networks of an account have names of their own. */
export function numbered({ accountId }: { accountId: string }, name: string): string {
  const key = `${accountId} ${name}`;
  const count = (made.get(key) ?? 0) + 1;
  made.set(key, count);
  return count === 1 ? name : `${name}-${count}`;
}
