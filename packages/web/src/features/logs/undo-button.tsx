import type { Row } from '../../app/api.ts';
import { call } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { may } from '../../app/may-open.ts';
import { queryClient } from '../../app/session.ts';
import { useUser } from '../../app/shell/current.ts';
import { Button } from '../../ui/button.tsx';
import { ask } from '../../ui/dialog-host.tsx';
import { openJobs } from '../../ui/job-drawer-state.ts';
import { permissionName } from '../../ui/refusal.ts';
import { notify } from '../../ui/toast.tsx';
import { changesOf, type Words } from './changes.ts';
import { actionName, fieldName, useWords } from './words.ts';

export type OperationRow = Row<'/api/v3/log/action/list'>;

/** Lines of what changes that the question shows. */
const linesShown = 12;

/** Takes an operation back, after saying what that will do; nothing where it cannot be taken back. */
export function UndoButton({ row, done }: { row: OperationRow; done?: () => void }) {
  const user = useUser();
  const words = useWords(row);
  if (!row.undoable) return null;
  const { undo_permission: permission } = row;
  const why = user.viewing
    ? t('forbidden.viewing')
    : permission && !may(user, permission)
      ? t('undo.why', { permission: permissionName(permission) })
      : undefined;
  return (
    <Button icon="undo" why={why} onClick={() => askUndo(row, words, done)}>
      {t('action.undo')}
    </Button>
  );
}

function askUndo(row: OperationRow, words: Words, done?: () => void): void {
  const changes = changesOf(row.before, row.after, words);
  const { name } = row.object;
  ask({
    title: t('undo.title', { action: actionName(row.action) }),
    body: (
      <>
        <p>
          {changes.length === 0
            ? t('undo.plain', { name })
            : t(row.before === null ? 'undo.remove' : 'undo.back', { name })}
        </p>
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
