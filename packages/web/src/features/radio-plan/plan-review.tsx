import { useState } from 'react';
import type { Data } from '../../app/api.ts';
import { t } from '../../app/i18n.ts';
import { useMay } from '../../app/shell/current.ts';
import { useRead, useWrite } from '../../app/use-call.ts';
import { Button } from '../../ui/button.tsx';
import { Empty, Failed } from '../../ui/empty.tsx';
import { mac } from '../../ui/format.ts';
import { openJobs } from '../../ui/job-drawer-state.ts';
import { Loading } from '../../ui/skeleton.tsx';
import './radio-plan.css';

type Result = Data<'/api/v3/ap/plan/result'>;

interface Props {
  id: string;
  back: () => void;
  leave: () => void;
}

export function PlanReview({ id, back, leave }: Props) {
  const { data, error, refetch } = useRead('/api/v3/ap/plan/result', { id });
  if (error && !data) return <Failed error={error} retry={() => void refetch()} small />;
  return (
    <Loading until={data !== undefined} lines={6}>
      {data && <Review data={data} back={back} leave={leave} />}
    </Loading>
  );
}

function Review({ data, back, leave }: { data: Result } & Omit<Props, 'id'>) {
  const mayWrite = useMay('config.write');
  const serials = [...new Set(data.items.map(({ serial }) => serial))];
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const apply = useWrite('/api/v3/ap/plan/apply', [
    '/api/v3/ap/plan/history',
    '/api/v3/ap/plan/result',
    '/api/v3/job/list',
  ]);
  const discard = useWrite('/api/v3/ap/plan/discard', ['/api/v3/ap/plan/history', '/api/v3/ap/plan/result']);
  const chosen = serials.filter((serial) => !left.has(serial));
  const proposed = data.state === 'proposed';
  const send = (takeBack: boolean) =>
    apply.mutate(takeBack ? { id: data.id, back: true } : { id: data.id, serials: chosen }, {
      onSuccess: ({ job_id }) => {
        leave();
        openJobs(job_id);
      },
    });
  const toggle = (serial: string) => {
    const next = new Set(left);
    if (!next.delete(serial)) next.add(serial);
    setLeft(next);
  };
  return (
    <div className="stack">
      <div className="row">
        <Button kind="link" icon="arrow_left" onClick={back}>
          {t('plan.all')}
        </Button>
      </div>
      <p className="small dim">{t('plan.based', { radios: data.radios, scanned: data.scanned, aps: data.aps })}</p>
      {proposed && data.scanned < data.aps && <p className="notice">{t('plan.unscanned')}</p>}
      {data.items.length === 0 ? (
        <Empty icon={data.scanned === 0 ? 'search' : 'check'} title={t('plan.nothing')} small>
          {t(data.scanned === 0 ? 'plan.nothing_known' : 'plan.nothing_body')}
        </Empty>
      ) : (
        <>
          <table className="plain-table plan-table">
            <thead>
              <tr>
                {proposed && <th aria-label={t('plan.chosen')} />}
                <th>{t('device.name')}</th>
                <th>{t('device.radio_band')}</th>
                <th>{t('wireless.channel')}</th>
                <th>{t('wireless.power')}</th>
                <th>{t('plan.gain')}</th>
              </tr>
            </thead>
            <tbody>
              {data.items.map((item) => (
                <tr key={`${item.serial}${item.band}`}>
                  {proposed && (
                    <td>
                      <input
                        type="checkbox"
                        className="box"
                        aria-label={item.remark || mac(item.serial)}
                        checked={!left.has(item.serial)}
                        onChange={() => toggle(item.serial)}
                      />
                    </td>
                  )}
                  <td>{item.remark || mac(item.serial)}</td>
                  <td>{t(`wireless.band_${item.band}`)}</td>
                  <td>
                    <FromTo
                      from={item.from_channel === null ? t('plan.unknown') : String(item.from_channel)}
                      to={String(item.to_channel)}
                    />
                  </td>
                  <td>
                    <FromTo from={t(`wireless.power_${item.from_power}`)} to={t(`wireless.power_${item.to_power}`)} />
                  </td>
                  <td>{item.gain > 0 ? t('plan.less', { n: item.gain }) : '—'}</td>
                </tr>
              ))}
            </tbody>
          </table>
          {mayWrite && proposed && <p className="notice notice-warn">{t('plan.warn')}</p>}
          {mayWrite && (
            <div className="row plan-acts">
              {proposed && (
                <>
                  <Button busy={discard.isPending} onClick={() => discard.mutate({ id: data.id }, { onSuccess: back })}>
                    {t('plan.discard')}
                  </Button>
                  <Button
                    kind="primary"
                    busy={apply.isPending}
                    why={chosen.length === 0 ? t('plan.none_chosen') : undefined}
                    onClick={() => send(false)}
                  >
                    {t('plan.apply', { n: chosen.length })}
                  </Button>
                </>
              )}
              {data.state === 'applied' && (
                <Button busy={apply.isPending} onClick={() => send(true)}>
                  {t('plan.revert')}
                </Button>
              )}
            </div>
          )}
        </>
      )}
    </div>
  );
}

function FromTo({ from, to }: { from: string; to: string }) {
  if (from === to) return <span className="dim">{from}</span>;
  return (
    <span className="nowrap">
      <span className="dim">{from}</span> → <strong>{to}</strong>
    </span>
  );
}
