import type { AlarmSource } from '../alarms/index.ts';
import { overdueBackups } from './overdue.ts';

export const backupAlarms: AlarmSource<'backup_overdue'> = {
  kinds: { backup_overdue: null },
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
