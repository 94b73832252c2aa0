import type { Data } from '../../app/api.ts';
import { t } from '../../app/i18n.ts';
import { methodName } from '../../app/method-name.ts';
import { BarChart } from '../../ui/chart/bar-chart.tsx';
import { Donut, Ranking } from '../../ui/chart/shares.tsx';
import { bytes, bytesTick, count, shortTime } from '../../ui/format.ts';
import { AppCoverage } from './app-coverage.tsx';
import { ApplicationSlots } from './application-slots.tsx';
import { Panel, PanelsComing, Since, usePeriod } from './model.tsx';
import { PartSource } from './no-source.tsx';
import { StatCard } from './stat-card.tsx';
import { terminalParts } from './terminals.ts';
import { SELDOM_MS, useHome } from './use-home.ts';

export function FlowModelCard() {
  const { day, choice } = usePeriod('flow');
  const answer = useHome('/api/v3/user_stat/flow_model', { day }, { refreshMs: SELDOM_MS });
  return (
    <StatCard
      title={t('card.flow_model')}
      answer={answer}
      actions={
        <span className="row">
          {answer.data && <Since from={answer.data.from} />}
          {choice}
        </span>
      }
      height={280}
      line={({ from }) => (from === null ? t('home.none_yet') : null)}
      skeleton={<PanelsComing shapes={['wide', 'wide']} />}
    >
      {(data) => (
        <div className="panels">
          <Panel metric="stage" asOf={data.as_of} shape="wide">
            <BarChart
              label={t('metric.stage')}
              places={data.stage.map(({ name }) => name)}
              placeTitle={t('home.day_part')}
              series={[{ key: 'flow', name: t('home.flow'), values: data.stage.map(({ value }) => value) }]}
              format={bytes}
              tick={bytesTick}
              axis="bytes"
              none={t('home.none_yet')}
            />
          </Panel>
          {data.app_source !== 'none' && (
            <Panel metric="app_stage" asOf={data.as_of} shape="wide">
              <Covered data={data} />
              <ApplicationSlots stages={data.app_stage} />
              <PartSource source={data.app_source} />
            </Panel>
          )}
          {data.auth_type.length > 0 && (
            <Panel metric="auth_type" asOf={data.as_of}>
              <Donut
                label={t('metric.auth_type')}
                parts={data.auth_type.map(({ name, value }) => ({
                  key: name,
                  name: name === 'portal' ? t('auth_type.portal') : methodName(name),
                  value,
                }))}
                format={count}
                middle={t('home.users')}
              />
              <p className="small dim">{t(`home.auth_source_${data.auth_source}`)}</p>
            </Panel>
          )}
          <Panel
            metric="client_type"
            asOf={data.as_of}
            {...(data.app_source === 'none' && data.auth_type.length === 0 ? { shape: 'wide' as const } : {})}
            note={data.client_type_unknown > 0 && t('home.unknown_platform', { n: count(data.client_type_unknown) })}
          >
            <Ranking
              label={t('metric.client_type')}
              parts={terminalParts(data.client_type, data.client_type_other, day)}
              format={count}
              none={t('home.none_yet')}
            />
          </Panel>
          {data.app_source !== 'none' && (
            <Panel
              metric="app_times"
              asOf={data.as_of}
              note={data.app_since && t('home.counted_since', { since: shortTime(new Date(data.app_since)) })}
            >
              <Ranking
                label={t('metric.app_times')}
                parts={data.app_times.map(({ name, value }) => ({
                  key: name,
                  name: t(`app_category.${name}`),
                  value,
                  to: '/flow_monitor',
                  search: { category: name },
                }))}
                format={count}
              />
            </Panel>
          )}
        </div>
      )}
    </StatCard>
  );
}

export function Covered({ data }: { data: Data<'/api/v3/user_stat/flow_model'> }) {
  const total = data.stage.reduce((sum, { value }) => sum + value, 0);
  return <AppCoverage measured={data.app_measured} since={data.app_since} total={total} />;
}
