import { useState } from 'react';
import { t } from '../../app/i18n.ts';
import { useRead } from '../../app/use-call.ts';
import { Failed } from '../../ui/empty.tsx';
import { reasonText } from '../../ui/job-name.ts';
import { PlainPager } from '../../ui/plain-pager.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { RelativeTime } from '../../ui/time.tsx';
import { refreshEvery } from './plugin.ts';

const limit = 10;

export function PluginLog({ id }: { id: string }) {
  const [page, setPage] = useState(1);
  const input = { id, page, limit };
  const { data, error, refetch } = useRead('/api/v3/plugin/log', input, {
    keepPrevious: true,
    refetchMs: refreshEvery,
  });
  if (!data) return error ? <Failed small error={error} retry={() => void refetch()} /> : <Skeleton height={120} />;
  if (data.total === 0) return <p className="dim">{t('plugins.log_none')}</p>;
  return (
    <>
      <table className="plain-table">
        <thead>
          <tr>
            <th scope="col">{t('plugins.time')}</th>
            <th scope="col">{t('plugins.gateway')}</th>
            <th scope="col">{t('plugins.version')}</th>
            <th scope="col">{t('plugins.event')}</th>
          </tr>
        </thead>
        <tbody>
          {data.list.map((row) => (
            <tr key={row.id}>
              <td>
                <RelativeTime at={row.at} />
              </td>
              <td>{row.name}</td>
              <td>{row.version}</td>
              <td>
                {t(`plugins.event_${row.event}`)}
                {row.reason && <div className="small dim">{reasonText(`plugin_${row.reason}`)}</div>}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <PlainPager page={page} pages={Math.ceil(data.total / limit)} onChange={setPage} />
    </>
  );
}
