import { deviceEvents } from '../../fleet/index.ts';
import type { AlarmSource } from '../source.ts';

export const crashSource: AlarmSource<'device_crashed'> = {
  kinds: {
    device_crashed: {
      async read(tx, accountId, { now, from }) {
        const events = await deviceEvents.periods(tx, { now, since: from, accountId });
        return events.filter(({ event }) => event === 'crash');
      },
    },
  },
  read: async (_tx, { events }) =>
    events.flatMap(({ accountId, serial, event, part, since, ended }) =>
      event === 'crash'
        ? [{ accountId, serial, kind: 'device_crashed' as const, part, since, ended, isProblem: true, value: null }]
        : [],
    ),
};
