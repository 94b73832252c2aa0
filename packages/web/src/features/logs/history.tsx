import { useState } from 'react';
import { t } from '../../app/i18n.ts';
import { useRead } from '../../app/use-call.ts';
import { Button } from '../../ui/button.tsx';
import { Empty, Failed } from '../../ui/empty.tsx';
import { Loading } from '../../ui/skeleton.tsx';
import { Tag } from '../../ui/status.tsx';
import { ShortTime } from '../../ui/time.tsx';
import { changesOf } from './changes.ts';
import { Operator } from './operator.tsx';
import { type OperationRow, UndoButton } from './undo-button.tsx';
import { actionName, fieldName, useWords } from './words.ts';
import './logs.css';

/** Operations that are shown at first, and that each "earlier" adds. */
const step = 10;
/** The longest page of the list. */
const most = 200;

/** What was done to one thing, newest first: who, when, which values, and back again. */
export function ObjectHistory({ type, id }: { type: string; id: string }) {
  const [limit, setLimit] = useState(step);
  const { data, error, refetch } = useRead(
    '/api/v3/log/action/list',
    { object_type: type, object_id: id, page: 1, limit },
    { keepPrevious: true },
  );
  if (error && !data) return <Failed error={error} retry={() => void refetch()} small />;
  return (
    <Loading until={data !== undefined} lines={5}>
      {data?.total === 0 && (
        <Empty icon="list" title={t('history.none')} small>
          {t('history.none_body')}
        </Empty>
      )}
      <ol className="history">
        {data?.list.map((row) => (
          <Entry key={row.seq} row={row} />
        ))}
      </ol>
      {data && data.total > data.list.length && limit < most && (
        <Button kind="link" onClick={() => setLimit(Math.min(most, limit + step * 2))}>
          {t('history.more')}
        </Button>
      )}
    </Loading>
  );
}

function Entry({ row }: { row: OperationRow }) {
  const changes = changesOf(row.before, row.after, useWords());
  return (
    <li>
      <div className="spread">
        <span className="row">
          <strong>{actionName(row.action)}</strong>
          {row.result === 'failed' && (
            <Tag tone="bad" shape="cross">
              {t('log.failed')}
            </Tag>
          )}
          {row.undoes !== null && <span className="label">{t('log.undoes', { n: row.undoes })}</span>}
        </span>
        <UndoButton row={row} />
      </div>
      <div className="row small dim">
        <ShortTime at={row.time} />
        <Operator row={row} />
        <span>{t('log.number', { n: row.seq })}</span>
      </div>
      {changes.length > 0 && (
        <dl className="history-changes small">
          {changes.map((change) => (
            <div key={change.field}>
              <dt className="dim">{fieldName(change.field)}</dt>
              <dd>
                <del>{change.before}</del> <span aria-hidden="true">→</span> <ins>{change.after}</ins>
              </dd>
            </div>
          ))}
        </dl>
      )}
    </li>
  );
}
