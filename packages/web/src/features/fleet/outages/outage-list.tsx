import type { OutageCause } from '@yunxun/contract';
import { useState } from 'react';
import { t, textOf } from '../../../app/i18n.ts';
import { useRead } from '../../../app/use-call.ts';
import { Empty, Failed } from '../../../ui/empty.tsx';
import { SelectField } from '../../../ui/field.tsx';
import { duration, mac } from '../../../ui/format.ts';
import { OutageCauseText } from '../../../ui/outage-cause.tsx';
import { PlainPager } from '../../../ui/plain-pager.tsx';
import { Loading } from '../../../ui/skeleton.tsx';
import { ShortTime } from '../../../ui/time.tsx';

const limit = 10;
const causes = ['power', 'link', 'planned', 'console', 'unknown'] as const satisfies readonly OutageCause[];

export function OutageList(of: { serial: string } | { gwid: string }) {
  const [cause, setCause] = useState<OutageCause | ''>('');
  const [page, setPage] = useState(1);
  const input = { ...of, page, limit, ...(cause && { cause }) };
  const { data, error, refetch } = useRead('/api/v3/outage/list', input, { keepPrevious: true, refetchMs: 60_000 });
  if (error && !data) return <Failed error={error} retry={() => void refetch()} small />;
  const pages = Math.max(1, Math.ceil((data?.total ?? 0) / limit));
  return (
    <section className="stack stack-s">
      <h3 className="section-title">
        {t('outages.list')}
        <SelectField
          small
          hideLabel
          label={t('outages.cause')}
          value={cause}
          onChange={(value) => {
            setCause(value);
            setPage(1);
          }}
          options={[
            { value: '', label: t('outages.all_causes') },
            ...causes.map((value) => ({ value, label: t(`outages.cause_${value}`) })),
          ]}
        />
      </h3>
      <Loading until={data !== undefined} lines={4}>
        {data?.total === 0 ? (
          <Empty icon="check" title={t('outages.none')} small>
            {t('outages.none_body')}
          </Empty>
        ) : (
          <table className="plain-table">
            <thead>
              <tr>
                {'gwid' in of && <th>{t('outages.device')}</th>}
                <th>{t('outages.began')}</th>
                <th>{t('outages.ended')}</th>
                <th>{t('outages.length')}</th>
                <th>{t('outages.cause')}</th>
              </tr>
            </thead>
            <tbody>
              {data?.list.map((row) => (
                <tr key={row.serial + row.began_at}>
                  {'gwid' in of && <td>{row.remark || mac(row.serial)}</td>}
                  <td>
                    <ShortTime at={row.began_at} />
                  </td>
                  <td>{row.ended_at === null ? t('outages.lasts') : <ShortTime at={row.ended_at} />}</td>
                  <td>
                    {duration(row.seconds)}
                    {row.unheard_s > 0 && row.cause !== 'console' && (
                      <div className="small dim">{t('outages.unheard', { time: duration(row.unheard_s) })}</div>
                    )}
                  </td>
                  <td>
                    <OutageCauseText cause={row.cause} />
                    {row.boot_reason && (
                      <div className="small dim">{textOf(`restart_reason.${row.boot_reason}`) ?? row.boot_reason}</div>
                    )}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </Loading>
      <PlainPager page={page} pages={pages} onChange={setPage} />
    </section>
  );
}
