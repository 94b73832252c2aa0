import type { AlarmKind } from '@yunxun/contract';
import type { Tx } from '../../platform/database/index.ts';
import { type AlarmingEvent, type EventPeriod, eventPeriods } from '../fleet/event-periods.ts';
import { sdwanNames } from '../sdwan/names.ts';
import type { Observation, ObservationRequest } from './observations.ts';

export const eventKinds: Readonly<Record<AlarmingEvent, AlarmKind>> = {
  crash: 'device_crashed',
  sdwan_path: 'sdwan_path_changed',
};

/** Covers all accounts. System role. */
export async function readEventPeriods(
  tx: Tx,
  { now, endedSince }: Pick<ObservationRequest, 'now' | 'endedSince'>,
): Promise<Observation[]> {
  const periods = await withNames(tx, await eventPeriods(tx, { now, since: endedSince }));
  return periods.map(({ accountId, serial, event, part, since, ended }) => ({
    ...{ accountId, serial, kind: eventKinds[event], part, since, ended, isProblem: true, value: null },
  }));
}

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
