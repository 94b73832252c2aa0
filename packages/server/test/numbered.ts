const made = new Map<string, number>();

/** Returns the name, then the name with a number: networks of an account have names of their own. */
export function numbered(name: string): string {
  const count = (made.get(name) ?? 0) + 1;
  made.set(name, count);
  return count === 1 ? name : `${name}-${count}`;
}
