import type { Route } from '../../platform/http/call.ts';
import type { Configuration } from '../configuration/index.ts';
import { createRestores, type RestoreDeps } from './restore.ts';
import { backupRoutes } from './routes.ts';
import { type BackupDeps, createBackups } from './service.ts';

export { backupAlarms } from './alarm-source.ts';
export { lastBackups } from './newest.ts';

export function createBackup(
  deps: BackupDeps & Pick<RestoreDeps, 'simulateReplacement'> & { changes: Configuration['changes'] },
) {
  const backups = createBackups(deps);
  const restores = createRestores({ ...deps, backups });
  deps.changes.join(backups.beforeChange);
  return {
    beforeUpgrade: backups.beforeUpgrade,
    routes: (): Route[] => backupRoutes({ ...deps, backups, restores }),
    unbind: backups.unbind,
    tasks: backups.tasks,
    schedules: backups.schedules,
    objects: backups.objects,
  };
}

export type Backup = ReturnType<typeof createBackup>;
