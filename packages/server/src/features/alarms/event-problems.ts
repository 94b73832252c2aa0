import type { AlarmKind } from '@yunxun/contract';
import type { AlarmingEvent, EventPeriod } from '../fleet/event-periods.ts';
import type { Observation } from './observations.ts';

export const eventKinds: Readonly<Record<AlarmingEvent, AlarmKind>> = {
  crash: 'device_crashed',
  sdwan_path: 'sdwan_path_changed',
};

export function crashes(events: readonly EventPeriod[]): Observation[] {
  return events.flatMap(({ accountId, serial, event, part, since, ended }) =>
    event === 'crash'
      ? [{ accountId, serial, kind: eventKinds.crash, part, since, ended, isProblem: true, value: null }]
      : [],
  );
}
