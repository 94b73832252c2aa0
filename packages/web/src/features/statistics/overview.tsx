import { t } from '../../app/i18n.ts';
import { useMay, useUser } from '../../app/shell/current.ts';
import { useRead } from '../../app/use-call.ts';
import { Failed } from '../../ui/empty.tsx';
import { Card, Page } from '../../ui/page.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { AsOf } from '../../ui/time.tsx';
import { WaitingGuide } from '../fleet/waiting-guide.tsx';
import { Attention } from './attention.tsx';
import { LatestJobs } from './latest-jobs.tsx';
import { OnlineCard } from './online-card.tsx';
import './overview.css';

/** Is anything on fire? Problems first, then how much is online; before the first device, how to connect one. */
export function OverviewScreen() {
  const mayJobs = useMay('job.read');
  const { home_section: first } = useUser().personalization;
  const { data, error, refetch } = useRead('/api/v3/overview/attention', {}, { refetchMs: 30_000 });
  if (error && !data) {
    return (
      <Page title={t('home.index')}>
        <section className="card">
          <Failed error={error} retry={() => void refetch()} />
        </section>
      </Page>
    );
  }
  if (!data) {
    return (
      <Page title={t('home.index')}>
        <div className="grid" aria-busy="true">
          {['span-8', 'span-4'].map((span) => (
            <Card key={span} className={span}>
              <Skeleton height={260} />
            </Card>
          ))}
        </div>
      </Page>
    );
  }
  const none = data.networks.total === 0 && data.aps.total === 0 && data.waiting.total === 0;
  if (none) {
    return (
      <Page title={t('overview.start')}>
        <WaitingGuide />
      </Page>
    );
  }
  const online = (
    <>
      <OnlineCard title={t('overview.networks')} counts={data.networks} to="/networks" />
      <OnlineCard title={t('overview.aps')} counts={data.aps} to="/networks" />
    </>
  );
  // revenue, users and alarms have no cards yet: what needs attention comes first then
  if (first === 'network') {
    return (
      <Page title={t('home.index')} beside={<AsOf at={data.as_of} staleAfterSeconds={90} />}>
        <div className="online-first">{online}</div>
        <Attention data={data} />
        {mayJobs && <LatestJobs />}
      </Page>
    );
  }
  return (
    <Page title={t('home.index')} beside={<AsOf at={data.as_of} staleAfterSeconds={90} />}>
      <div className="grid">
        <div className="span-8 stack">
          <Attention data={data} />
          {mayJobs && <LatestJobs />}
        </div>
        <div className="span-4 stack">{online}</div>
      </div>
    </Page>
  );
}
