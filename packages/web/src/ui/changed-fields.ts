/** Returns the fields that a form changed: the others keep what another person saved meanwhile. */
export function changedFields<T extends object>(now: T, began: T): Partial<T> {
  const keys = Object.keys(now) as (keyof T)[];
  return Object.fromEntries(
    keys.filter((key) => !alike([now[key]], [began[key]])).map((key) => [key, now[key]]),
  ) as Partial<T>;
}

export function alike(one: object, other: object): boolean {
  return canonical(one) === canonical(other);
}

function canonical(value: object): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    inner !== null && typeof inner === 'object' && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}
