import { Suspense } from 'react';
import type { Row } from '../../app/api.ts';
import { call } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { type Reverted, RevertPreview } from '../../app/lazy-parts.ts';
import { may } from '../../app/may-open.ts';
import { queryClient } from '../../app/session.ts';
import { useUser } from '../../app/shell/current.ts';
import { Button } from '../../ui/button.tsx';
import { fieldName } from '../../ui/changes/change-labels.ts';
import { changesOf, type Labels } from '../../ui/changes/changes.ts';
import { ask } from '../../ui/dialog-host.tsx';
import { openJobs } from '../../ui/job-drawer-state.ts';
import { permissionName } from '../../ui/refusal.ts';
import { Skeleton } from '../../ui/skeleton.tsx';
import { notify } from '../../ui/toast.tsx';
import { actionName, useLabels } from './labels.ts';

export type OperationRow = Row<'/api/v3/log/action/list'>;

const linesShown = 12;

/** Shows the effect first; nothing if it cannot be reverted. */
export function UndoButton({ row, done }: { row: OperationRow; done?: () => void }) {
  const user = useUser();
  const labels = useLabels(row);
  if (!row.undoable) return null;
  const { undo_permission: permission } = row;
  const why = user.viewing
    ? t('forbidden.viewing')
    : permission && !may(user, permission)
      ? t('undo.why', { permission: permissionName(permission) })
      : undefined;
  return (
    <Button icon="undo" why={why} onClick={() => askUndo(row, labels, done)}>
      {t('action.undo')}
    </Button>
  );
}

function wirelessBefore({ action, object, before }: OperationRow): Reverted | null {
  if (typeof before !== 'object' || before === null) return null;
  const { version: to } = before as { version?: unknown };
  if (typeof to !== 'number') return null;
  if (action === 'network.wireless.save') return { gwid: object.id, to };
  return action === 'group.settings.save' ? { group_id: object.id, to } : null;
}

function askUndo(row: OperationRow, labels: Labels, done?: () => void): void {
  const changes = changesOf(row.before, row.after, labels);
  const { name } = row.object;
  const wireless = wirelessBefore(row);
  ask({
    title: t('undo.title', { action: actionName(row.action) }),
    body: (
      <>
        <p>
          {changes.length === 0
            ? t('undo.plain', { name })
            : t(row.before === null ? 'undo.remove' : 'undo.back', { name })}
        </p>
        {wireless && (
          <Suspense fallback={<Skeleton height={48} />}>
            <RevertPreview {...wireless} />
          </Suspense>
        )}
        <p className="small dim">{t('undo.device')}</p>
      </>
    ),
    losses: changes
      .slice(0, linesShown)
      .map(({ field, before, after }) => t('undo.line', { field: fieldName(field), from: after, to: before })),
    confirm: t('action.undo'),
    act: async () => {
      const { job_id } = await call('/api/v3/log/action/undo', { seq: row.seq });
      void queryClient.invalidateQueries();
      notify('ok', t(job_id ? 'undo.started' : 'undo.done'));
      done?.();
      if (job_id) openJobs(job_id);
    },
  });
}
