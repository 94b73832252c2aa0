export function grouped<T, K>(list: readonly T[], keyOf: (value: T) => K): Map<K, T[]> {
  const found = new Map<K, T[]>();
  for (const value of list) {
    const group = found.get(keyOf(value));
    if (group) group.push(value);
    else found.set(keyOf(value), [value]);
  }
  return found;
}
