/** Returns SQL of `startOfDay`; PostgreSQL takes a repeated midnight the second time. */
export function midnightSql(day: string, zone: string): string {
  const dayLater = `(((${day})::timestamp - interval '1 day') at time zone ${zone} + interval '24 hours')`;
  return `case when ${dayLater} at time zone ${zone} = (${day})::timestamp then ${dayLater}
    else (${day})::timestamp at time zone ${zone} end`;
}
