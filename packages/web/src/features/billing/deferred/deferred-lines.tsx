import { useState } from 'react';
import type { Row } from '../../../app/api.ts';
import { t } from '../../../app/i18n.ts';
import { useRead } from '../../../app/use-call.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { Failed } from '../../../ui/empty.tsx';
import { money } from '../../../ui/format.ts';
import { PlainPager } from '../../../ui/plain-pager.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { ShortTime } from '../../../ui/time.tsx';

const perPage = 50;

export function DeferredLines({
  item: { id, name, order_no, code },
  onClose,
}: {
  item: Row<'/api/v3/billing/deferred/list'>;
  onClose: () => void;
}) {
  const [page, setPage] = useState(1);
  const asked = { id, page, limit: perPage };
  const { data, error, refetch } = useRead('/api/v3/billing/deferred/lines', asked, { keepPrevious: true });
  return (
    <Dialog title={t('deferred.lines', { name, number: order_no ?? `…${code}` })} drawer onClose={onClose}>
      {error && !data ? <Failed error={error} retry={() => void refetch()} /> : null}
      {!error && !data ? <Skeleton /> : null}
      {data?.total === 0 && <p className="dim">{t('deferred.lines_none')}</p>}
      {data && data.total > 0 && (
        <table className="plain-table">
          <thead>
            <tr>
              <th>{t('deferred.day')}</th>
              <th className="right">{t('deferred.change')}</th>
              <th>{t('deferred.booked_at')}</th>
              <th>{t('deferred.booking')}</th>
            </tr>
          </thead>
          <tbody>
            {data.list.map(({ day, change, booked_at, transaction_id }) => (
              <tr key={day}>
                <td className="nowrap">{day}</td>
                <td className="right nowrap">{money(Number(change))}</td>
                <td className="nowrap">{booked_at === null ? '—' : <ShortTime at={booked_at} />}</td>
                <td className="mono wraps">{transaction_id ?? '—'}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {data && <PlainPager page={page} pages={Math.ceil(data.total / perPage)} onChange={setPage} />}
    </Dialog>
  );
}
