import { t } from '../../app/i18n.ts';
import { useRead } from '../../app/use-call.ts';
import { Button } from '../../ui/button.tsx';
import { Failed } from '../../ui/empty.tsx';
import { Card } from '../../ui/page.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { Tag } from '../../ui/status.tsx';

const tones = { ok: 'ok', wrong: 'bad', unknown: 'warn', unneeded: 'none' } as const;

/** Walks a guest's way, and says what is wrong and how to mend it. */
export function Check({ gwid }: { gwid: string }) {
  const { data, error, refetch, isFetching } = useRead('/api/v3/portal/check', { gwid });
  if (error && !data) return <Failed error={error} retry={() => void refetch()} small />;
  if (!data) return <Skeleton height={240} />;
  return (
    <Card title={t('site_portal.tab_check')}>
      <div className="stack">
        <p className="small dim">{t('site_portal.check_about')}</p>
        <ol className="stack stack-s">
          {data.checks.map(({ step, state, finding, name }) => (
            <Step key={step} name={t(`site_portal.check_${step}`)} state={state}>
              {finding !== 'fine' &&
                finding !== 'unneeded' &&
                t(`site_portal.finding_${finding}`, { name: name ?? '' })}
            </Step>
          ))}
        </ol>
        {data.exempt.length > 0 && (
          <section className="stack stack-s">
            <h3>{t('site_portal.check_exempt')}</h3>
            <ul className="stack stack-s">
              {data.exempt.map(({ device, remark }) => (
                <li key={device}>
                  <span className="mono">{device}</span> {remark}
                </li>
              ))}
            </ul>
          </section>
        )}
        {data.access_points.map(({ serial, name, steps }) => (
          <section key={serial} className="stack stack-s">
            <h3>{name}</h3>
            <ol className="stack stack-s">
              {steps.map(({ step, state, finding }) => (
                <Step key={step} name={t(`site_portal.gate_step_${step}`)} state={state}>
                  {finding !== 'fine' && finding !== 'unneeded' && t(`site_portal.gate_finding_${finding}`)}
                </Step>
              ))}
            </ol>
          </section>
        ))}
        <div>
          <Button busy={isFetching} onClick={() => void refetch()}>
            {t('site_portal.check_again')}
          </Button>
        </div>
      </div>
    </Card>
  );
}

function Step({ name, state, children }: { name: string; state: keyof typeof tones; children: string | false }) {
  return (
    <li>
      <span className="row">
        <strong>{name}</strong>
        <Tag tone={tones[state]}>{t(`site_portal.check_state_${state}`)}</Tag>
      </span>
      {children && <p>{children}</p>}
    </li>
  );
}
