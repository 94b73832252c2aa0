import type { Data } from '../../app/api.ts';
import { t } from '../../app/i18n.ts';
import { useMay } from '../../app/shell/current.ts';
import { Ranking } from '../../ui/chart/shares.tsx';
import { bytes } from '../../ui/format.ts';
import { Link } from '../../ui/link.tsx';
import { ApplicationSlots, bytesByCategory } from './application-slots.tsx';
import { Covered } from './flow-model.tsx';
import { Since, usePeriod } from './model.tsx';
import { NoSource } from './no-source.tsx';
import { StatCard } from './stat-card.tsx';
import { SELDOM_MS, useHome } from './use-home.ts';
import './overview.css';

const ROWS = 10;

/** `reported`: supports reports, maybe without any yet. */
export function NetworkFlow({ gwid, reported }: { gwid: string; reported: boolean }) {
  const { day, choice } = usePeriod('flow');
  const answer = useHome('/api/v3/user_stat/flow_model', { day, gwid }, { refreshMs: SELDOM_MS });
  return (
    <StatCard
      title={t('card.network_flow')}
      metric="app_stage"
      answer={answer}
      asOf={(data) => data.as_of}
      actions={
        <span className="row">
          {answer.data && answer.data.app_source !== 'none' && <Since from={answer.data.from} />}
          {choice}
        </span>
      }
      height={220}
    >
      {(data) => (data.app_source === 'none' ? <NoGatewaySource reported={reported} /> : <Applications data={data} />)}
    </StatCard>
  );
}

function NoGatewaySource({ reported }: { reported: boolean }) {
  const mayBind = useMay('network.bind');
  if (reported) return <NoSource how="network_soon" />;
  return (
    <NoSource how="network">
      {mayBind && (
        <Link to="/waiting_devices" className="small">
          {t('source.network_link')}
        </Link>
      )}
    </NoSource>
  );
}

function Applications({ data }: { data: Data<'/api/v3/user_stat/flow_model'> }) {
  return (
    <div className="network-flow">
      <Covered data={data} />
      <Ranking
        label={t('home.categories')}
        rows={ROWS}
        parts={bytesByCategory(data.app_stage).map(([key, value]) => ({ key, name: t(`app_category.${key}`), value }))}
        format={bytes}
        none={t('home.none_yet')}
      />
      <ApplicationSlots stages={data.app_stage} />
    </div>
  );
}
