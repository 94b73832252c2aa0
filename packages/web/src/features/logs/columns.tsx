import { t } from '../../app/i18n.ts';
import { exactTime } from '../../ui/format.ts';
import { operatorName } from '../../ui/operator.ts';
import { Tag } from '../../ui/status.tsx';
import type { Column } from '../../ui/table/columns.ts';
import { actionName, objectKind, objectName } from './labels.ts';
import { Operator } from './operator.tsx';
import type { OperationRow } from './undo-button.tsx';

function ResultTag({ result }: { result: 'success' | 'failed' }) {
  return (
    <Tag tone={result === 'success' ? 'ok' : 'bad'} shape={result === 'success' ? 'check' : 'cross'}>
      {t(`log.${result}`)}
    </Tag>
  );
}

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

export function resultColumn(): Column<{ result: 'success' | 'failed' }> {
  return {
    key: 'result',
    title: t('log.result'),
    cell: (row) => <ResultTag result={row.result} />,
    text: (row) => t(`log.${row.result}`),
  };
}

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
      // contains the address: a separate column would be hidden at 1280 pixels
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
