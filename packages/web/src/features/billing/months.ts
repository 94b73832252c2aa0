/** `YYYY-MM` by the browser's clock: the month that is usually closed next. */
export function lastMonth(now: Date): string {
  return monthName(now.getFullYear(), now.getMonth() - 1);
}

/** From the current month back to `first`, at most ten years. */
export function monthsBetween(first: string, now: Date): string[] {
  const all = Array.from({ length: 120 }, (_, back) => monthName(now.getFullYear(), now.getMonth() - back));
  return all.filter((month) => month >= first);
}

function monthName(year: number, month: number): string {
  return new Date(Date.UTC(year, month, 1)).toISOString().slice(0, 7);
}
