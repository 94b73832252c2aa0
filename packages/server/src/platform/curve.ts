import { type RawBuilder, sql } from 'kysely';

const hour = 3_600_000;
export const curveHours = 24;

/** Returns the time 24 hours ago, each hour since, and now. */
export function curveTimes(now: Date): Date[] {
  return Array.from({ length: curveHours + 1 }, (_, place) => new Date(now.getTime() - (curveHours - place) * hour));
}

/** Selects how many of the ascending `times` are before a moment. */
export function timesBefore(moment: RawBuilder<unknown>, times: readonly Date[]): RawBuilder<number> {
  return sql<number>`width_bucket(${moment} - interval '1 microsecond', ${[...times]}::timestamptz[])`;
}

export interface Lasting {
  /** `timesBefore` the beginning, and the end. */
  began: number;
  ended: number;
  count: number;
}

/** Counts at each time what had begun and not ended. */
export function countsAt(rows: readonly Lasting[], times: number): number[] {
  const changes = Array<number>(times + 1).fill(0);
  for (const { began, ended, count } of rows) {
    if (ended <= began) continue;
    changes[began]! += count;
    changes[ended]! -= count;
  }
  let sum = 0;
  return changes.slice(0, times).map((change) => {
    sum += change;
    return sum;
  });
}
