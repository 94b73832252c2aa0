import { t } from '../../app/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { exactTime } from '../../ui/format.ts';
import { openJobs } from '../../ui/job-drawer-state.ts';
import { ChangesTable } from './changes-table.tsx';
import { actionName, objectKind, objectName } from './labels.ts';
import { Operator } from './operator.tsx';
import { type OperationRow, UndoButton } from './undo-button.tsx';

export function ActionDetail({ row, onClose }: { row: OperationRow; onClose: () => void }) {
  return (
    <Dialog drawer title={actionName(row.action)} onClose={onClose}>
      <dl className="facts">
        <dt>{t('log.time')}</dt>
        <dd>
          {exactTime(new Date(row.time))} <span className="small dim">{t('log.number', { n: row.seq })}</span>
        </dd>
        <dt>{t('log.operator')}</dt>
        <dd>
          <Operator row={row} />
        </dd>
        <dt>{t('log.object')}</dt>
        <dd>
          <span className="dim">{objectKind(row.object.type)}</span> {objectName(row.object)}
        </dd>
        <dt>{t('log.source')}</dt>
        <dd>
          {t(`log.source_${row.source}`)} {row.ip && <span className="mono small dim">{row.ip}</span>}
        </dd>
      </dl>
      {row.undoes !== null && <p className="notice">{t('log.undoes', { n: row.undoes })}</p>}
      <ChangesTable before={row.before} after={row.after} />
      <div className="row">
        {row.job_id && (
          <Button icon="tasks" onClick={() => openJobs(row.job_id)}>
            {t('log.job')}
          </Button>
        )}
        <UndoButton row={row} done={onClose} />
      </div>
    </Dialog>
  );
}
