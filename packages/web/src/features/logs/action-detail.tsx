import { t } from '../../app/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { exactTime } from '../../ui/format.ts';
import { openJobs } from '../../ui/job-drawer-state.ts';
import { operatorName } from '../../ui/operator.ts';
import { actionName, type OperationRow } from './action-log.tsx';
import { changesOf } from './changes.ts';

/** One operation with the values that it changed, before and after side by side. */
export function ActionDetail({ row, onClose }: { row: OperationRow; onClose: () => void }) {
  const changes = changesOf(row.before, row.after);
  return (
    <Dialog drawer title={actionName(row.action)} onClose={onClose}>
      <dl className="facts">
        <dt>{t('log.time')}</dt>
        <dd>{exactTime(new Date(row.time))}</dd>
        <dt>{t('log.operator')}</dt>
        <dd>{operatorName(row.operator)}</dd>
        <dt>{t('log.object')}</dt>
        <dd>{row.object.name}</dd>
        <dt>{t('log.source')}</dt>
        <dd>
          {t(`log.source_${row.source}`)} {row.ip && <span className="mono small dim">{row.ip}</span>}
        </dd>
      </dl>
      {changes.length === 0 ? (
        <p className="dim">{t('log.no_values')}</p>
      ) : (
        <table className="plain-table">
          <thead>
            <tr>
              <th>{t('log.field')}</th>
              <th>{t('log.before')}</th>
              <th>{t('log.after')}</th>
            </tr>
          </thead>
          <tbody>
            {changes.map((change) => (
              <tr key={change.field}>
                <td className="mono small wraps">{change.field}</td>
                <td className="quiet wraps">{change.before}</td>
                <td className="wraps">{change.after}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {row.job_id && (
        <div>
          <Button icon="tasks" onClick={() => openJobs(row.job_id)}>
            {t('log.job')}
          </Button>
        </div>
      )}
    </Dialog>
  );
}
