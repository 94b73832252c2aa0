/** From `current` back to `first` (`YYYY-MM`), at most ten years. */
export function monthsBetween(first: string, current: string): string[] {
  const [year = 0, month = 0] = current.split('-').map(Number);
  const all = Array.from({ length: 120 }, (_, back) =>
    new Date(Date.UTC(year, month - 1 - back, 1)).toISOString().slice(0, 7),
  );
  return all.filter((name) => name >= first);
}
