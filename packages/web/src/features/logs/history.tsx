import { useState } from 'react';
import { t } from '../../app/i18n.ts';
import { useRead } from '../../app/use-call.ts';
import { Button } from '../../ui/button.tsx';
import { fieldName } from '../../ui/changes/change-labels.ts';
import { changesOf, nothing } from '../../ui/changes/changes.ts';
import { Empty, Failed } from '../../ui/empty.tsx';
import { Loading } from '../../ui/skeleton.tsx';
import { Tag } from '../../ui/status.tsx';
import { ShortTime } from '../../ui/time.tsx';
import { actionName, useLabels } from './labels.ts';
import { Operator } from './operator.tsx';
import { type OperationRow, UndoButton } from './undo-button.tsx';
import './logs.css';

const step = 10;

export function ObjectHistory({ type, id }: { type: string; id: string }) {
  const [pages, setPages] = useState(1);
  const earlier = () => setPages((before) => before + 1);
  return (
    <div className="history">
      {Array.from({ length: pages }, (_, index) => {
        const page = index + 1;
        return <Operations key={page} of={{ type, id }} page={page} {...(page === pages ? { earlier } : {})} />;
      })}
    </div>
  );
}

function Operations({ of, page, earlier }: { of: { type: string; id: string }; page: number; earlier?: () => void }) {
  const { data, error, refetch } = useRead('/api/v3/log/action/list', {
    object_type: of.type,
    object_id: of.id,
    page,
    limit: step,
  });
  if (error && !data) return <Failed error={error} retry={() => void refetch()} small />;
  return (
    <Loading until={data !== undefined} lines={5}>
      {data?.total === 0 && (
        <Empty icon="list" title={t('history.none')} small>
          {t('history.none_body')}
        </Empty>
      )}
      <ol start={(page - 1) * step + 1}>
        {data?.list.map((row) => (
          <Entry key={row.seq} row={row} />
        ))}
      </ol>
      {earlier && data && data.total > page * step && (
        <Button kind="link" onClick={earlier}>
          {t('history.more', { n: data.total - page * step })}
        </Button>
      )}
    </Loading>
  );
}

function Entry({ row }: { row: OperationRow }) {
  const changes = changesOf(row.before, row.after, useLabels(row));
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
            <div key={change.field.join('/')}>
              <dt className="dim">{fieldName(change.field)}</dt>
              <dd>
                {change.before !== nothing && (
                  <>
                    <del>{change.before}</del> <span aria-hidden="true">→</span>{' '}
                  </>
                )}
                <ins>{change.after}</ins>
              </dd>
            </div>
          ))}
        </dl>
      )}
    </li>
  );
}
