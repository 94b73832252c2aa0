export function moved<T>(list: readonly T[], from: number, to: number): T[] {
  const rest = list.filter((_item, index) => index !== from);
  const item = list[from];
  if (item !== undefined) rest.splice(to, 0, item);
  return rest;
}
