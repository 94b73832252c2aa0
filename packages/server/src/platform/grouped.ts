export function grouped<T, K>(list: readonly T[], keyOf: (value: T) => K): Map<K, T[]> {
  const found = new Map<K, T[]>();
  for (const value of list) {
    const key = keyOf(value);
    const group = found.get(key);
    if (group) group.push(value);
    else found.set(key, [value]);
  }
  return found;
}
