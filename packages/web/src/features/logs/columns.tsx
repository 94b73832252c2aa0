import { t } from '../../app/i18n.ts';
import { exactTime } from '../../ui/format.ts';
import { operatorName } from '../../ui/operator.ts';
import { Tag } from '../../ui/status.tsx';
import type { Column } from '../../ui/table/columns.ts';
import { Operator } from './operator.tsx';
import type { OperationRow } from './undo-button.tsx';
import { actionName, objectKind, objectName } from './words.ts';

/** How something ended. */
function ResultTag({ result }: { result: 'success' | 'failed' }) {
  return (
    <Tag tone={result === 'success' ? 'ok' : 'bad'} shape={result === 'success' ? 'check' : 'cross'}>
      {t(`log.${result}`)}
    </Tag>
  );
}

/** When a line of a log was written. */
export function timeColumn(): Column<{ time: string }> {
  return {
    key: 'time',
    title: t('log.time'),
    sort: 'time',
    width: 170,
    cell: (row) => <span className="nowrap">{exactTime(new Date(row.time))}</span>,
    text: (row) => exactTime(new Date(row.time)),
  };
}

/** How what a line tells of ended. */
export function resultColumn(): Column<{ result: 'success' | 'failed' }> {
  return {
    key: 'result',
    title: t('log.result'),
    cell: (row) => <ResultTag result={row.result} />,
    text: (row) => t(`log.${row.result}`),
  };
}

/** The columns of the operation log. */
export function operationColumns(): Column<OperationRow>[] {
  return [
    timeColumn(),
    {
      key: 'operator',
      title: t('log.operator'),
      cell: (row) => <Operator row={row} />,
      text: (row) => operatorName(row.operator),
    },
    {
      key: 'action',
      title: t('log.action'),
      cell: (row) => (
        <span className="row">
          <strong className="nowrap">{actionName(row.action)}</strong>
          {row.undoes !== null && <span className="label">{t('log.undoes', { n: row.undoes })}</span>}
        </span>
      ),
      text: (row) => actionName(row.action),
    },
    {
      key: 'object',
      title: t('log.object'),
      cell: (row) => (
        <span className="log-object">
          <span className="small dim">{objectKind(row.object.type)}</span>
          <span className="ellipsis log-name" title={objectName(row.object)}>
            {objectName(row.object)}
          </span>
        </span>
      ),
      text: (row) => objectName(row.object),
    },
    resultColumn(),
    {
      key: 'source',
      title: t('log.source'),
      // with the address in it: a column of its own would be behind the acts on a screen of 1280
      cell: (row) => (
        <span className="log-object nowrap">
          {t(`log.source_${row.source}`)}
          {row.ip && (
            <span className="mono small dim log-name ellipsis" title={row.ip}>
              {row.ip}
            </span>
          )}
        </span>
      ),
      text: (row) => t(`log.source_${row.source}`),
    },
  ];
}
