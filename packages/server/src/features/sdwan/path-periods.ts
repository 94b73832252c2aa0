import type { Tx } from '../../platform/database/index.ts';
import type { EventPeriod } from '../fleet/event-periods.ts';
import { sdwanNames } from './names.ts';

/** Names SD-WAN networks; omits deleted ones. */
export async function withNames(tx: Tx, periods: readonly EventPeriod[]): Promise<EventPeriod[]> {
  const paths = periods.filter(({ event }) => event === 'sdwan_path');
  const names = await sdwanNames(
    tx,
    paths.map(({ part }) => part),
  );
  return periods.flatMap((period) => {
    if (period.event !== 'sdwan_path') return [period];
    const name = names.get(period.part);
    return name === undefined ? [] : [{ ...period, part: name }];
  });
}
