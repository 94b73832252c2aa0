import { t } from '../../app/i18n.ts';
import { useRead } from '../../app/use-call.ts';
import { Failed } from '../../ui/empty.tsx';
import { count, percent } from '../../ui/format.ts';
import { Card } from '../../ui/page.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { failureText } from './reception-words.ts';

const refreshMs = 30_000;

export function Funnel({ gwid }: { gwid: string }) {
  const { data, error, refetch } = useRead('/api/v3/portal/funnel', { gwid }, { refetchMs: refreshMs });
  if (error && !data) return <Failed error={error} retry={() => void refetch()} small />;
  if (!data) return <Skeleton height={160} />;
  const all = data.steps[0]?.visits ?? 0;
  return (
    <Card title={t('site_portal.funnel')}>
      <ol className="portal-steps">
        {data.steps.map(({ step, visits }) => (
          <li key={step}>
            <span className="portal-step">
              <span>{t(`site_portal.step_${step}`)}</span>
              <span>
                <strong>{count(visits)}</strong>{' '}
                {all > 0 && <span className="dim">{percent((100 * visits) / all)}</span>}
              </span>
            </span>
            <progress max={Math.max(1, all)} value={visits} aria-label={t(`site_portal.step_${step}`)} />
          </li>
        ))}
      </ol>
      <h3>{t('site_portal.failures')}</h3>
      {data.failures.length === 0 ? (
        <p className="quiet">{t('site_portal.failures_none')}</p>
      ) : (
        <ul className="portal-failures">
          {data.failures.map(({ reason, visits }) => (
            <li key={reason}>
              <span>{failureText(reason)}</span>
              <span className="dim">{t('site_portal.visits', { n: visits })}</span>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
