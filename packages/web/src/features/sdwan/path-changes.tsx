import { useState } from 'react';
import { t } from '../../app/i18n.ts';
import { useRead } from '../../app/use-call.ts';
import { Failed } from '../../ui/empty.tsx';
import { PlainPager } from '../../ui/plain-pager.tsx';
import { Loading } from '../../ui/skeleton.tsx';
import { RelativeTime } from '../../ui/time.tsx';

/** Milliseconds between reads, as the page's. */
const refetchMs = 5000;
const limit = 20;

interface Props {
  id: string;
  /** Only changes of this node; null: of all. */
  chosen: string | null;
  nameOf: (key: string) => string;
}

/** Changes of paths as the gateways reported them, the newest first. */
export function PathChanges({ id, chosen, nameOf }: Props) {
  const [page, setPage] = useState(1);
  const asked = { id, page, limit, ...(chosen === null ? {} : { key: chosen }) };
  const { data, error, refetch } = useRead('/api/v3/sdwan/path_change/list', asked, { refetchMs, keepPrevious: true });
  if (error && !data) return <Failed small error={error} retry={() => void refetch()} />;
  const nameOrNone = (key: string | null) => (key === null ? t('sdwan.path_unknown') : nameOf(key));
  return (
    <Loading until={data !== undefined}>
      {data?.total === 0 && <p className="quiet">{t('sdwan.path_never')}</p>}
      {data && data.total > 0 && (
        <table className="plain-table">
          <caption className="sr">{t('sdwan.tab_changes')}</caption>
          <thead>
            <tr>
              {(['at', 'name', 'path_from', 'path_to', 'prefixes'] as const).map((key) => (
                <th key={key} scope="col">
                  {t(`sdwan.col_${key}`)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {data.list.map((row) => (
              <tr key={`${row.at} ${row.key} ${row.prefixes[0]}`}>
                <td>
                  <RelativeTime at={row.at} />
                </td>
                <th scope="row">{nameOf(row.key)}</th>
                <td>{nameOrNone(row.from)}</td>
                <td>{nameOrNone(row.to)}</td>
                <td className="mono wraps">{row.prefixes.join(' ')}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {data && <PlainPager page={page} pages={Math.max(1, Math.ceil(data.total / limit))} onChange={setPage} />}
    </Loading>
  );
}
