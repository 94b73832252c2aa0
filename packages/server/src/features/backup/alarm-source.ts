import { type AlarmSource, presetValues } from '../alarms/observations.ts';
import { overdueBackups } from './overdue.ts';

export const backupAlarms: AlarmSource<'backup_overdue'> = {
  kinds: {
    backup_overdue: presetValues(['GENERAL', 86_400, null], ['GENERAL', 10_800, null], ['MIDDLE', 3600, null]),
  },
  read: async (tx) =>
    (await overdueBackups(tx)).map(({ accountId, gwid, since }) => ({
      accountId,
      gwid,
      serial: null,
      part: '',
      since,
      kind: 'backup_overdue' as const,
      isProblem: true,
      value: null,
    })),
};
