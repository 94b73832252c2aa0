import type { Data } from '../../app/api.ts';
import { t } from '../../app/i18n.ts';
import { BarChart } from '../../ui/chart/bar-chart.tsx';
import { Legend } from '../../ui/chart/frame.tsx';
import { Donut, Ranking } from '../../ui/chart/shares.tsx';
import { bytes, bytesTick, count } from '../../ui/format.ts';
import { Panel, PanelsComing, Since, usePeriod } from './model.tsx';
import { NoSource, PartSource } from './no-source.tsx';
import { StatCard } from './stat-card.tsx';
import { terminalParts } from './terminals.ts';
import { SELDOM_MS, useHome } from './use-home.ts';

type FlowModel = Data<'/api/v3/user_stat/flow_model'>;
type Category = FlowModel['app_times'][number]['name'];
/** Categories with a colour of their own; the rest is drawn as one. */
const COLORED = 5;

/** When and by what the flow was made, and by whose terminals. */
export function FlowModelCard() {
  const { day, choice } = usePeriod('flow');
  const answer = useHome('/api/v3/user_stat/flow_model', { day }, { refreshMs: SELDOM_MS });
  return (
    <StatCard
      title={t('card.flow_model')}
      answer={answer}
      acts={
        <span className="row">
          {answer.data && <Since from={answer.data.from} />}
          {choice}
        </span>
      }
      height={560}
      skeleton={<PanelsComing shapes={['wide', 'wide', '', '', '']} />}
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
          <Panel metric="app_stage" asOf={data.as_of} shape="wide">
            {data.app_source === 'none' ? <NoSource how="application" /> : <ApplicationSlots data={data} />}
            <PartSource source={data.app_source} />
          </Panel>
          <Panel metric="auth_type" asOf={data.as_of}>
            <Donut
              label={t('metric.auth_type')}
              parts={data.auth_type.map(({ name, value }) => ({ key: name, name: t(`auth_type.${name}`), value }))}
              format={count}
              middle={t('home.users')}
              none={<NoSource how="auth" />}
            />
          </Panel>
          <Panel
            metric="client_type"
            asOf={data.as_of}
            note={data.client_type_unknown > 0 && t('home.unknown_platform', { n: count(data.client_type_unknown) })}
          >
            <Donut
              label={t('metric.client_type')}
              parts={terminalParts(data.client_type, data.client_type_other, day)}
              format={count}
              middle={t('home.users')}
              none={t('home.none_yet')}
            />
          </Panel>
          <Panel metric="app_times" asOf={data.as_of}>
            {data.app_source === 'none' ? (
              <NoSource how="application" />
            ) : (
              <Ranking
                label={t('metric.app_times')}
                parts={data.app_times.map(({ name, value }) => ({
                  ...{ key: name, name: t(`app_category.${name}`), value },
                  ...{ to: '/flow_monitor', search: { category: name } },
                }))}
                format={count}
              />
            )}
          </Panel>
        </div>
      )}
    </StatCard>
  );
}

function ApplicationSlots({ data }: { data: FlowModel }) {
  const sums = new Map<Category, number>();
  for (const { items } of data.app_stage) {
    for (const { name, value } of items) sums.set(name, (sums.get(name) ?? 0) + value);
  }
  const ranked = [...sums].toSorted(([, a], [, b]) => b - a).map(([name]) => name);
  const own = ranked.slice(0, COLORED);
  const value = (slot: FlowModel['app_stage'][number], wanted: (name: Category) => boolean) =>
    slot.items.reduce((sum, item) => sum + (wanted(item.name) ? item.value : 0), 0);
  const series = own.map((category) => ({
    key: category as string,
    name: t(`app_category.${category}`),
    values: data.app_stage.map((slot) => value(slot, (name) => name === category)),
  }));
  if (ranked.length > COLORED) {
    const values = data.app_stage.map((slot) => value(slot, (name) => !own.includes(name)));
    series.push({ key: 'rest', name: t('home.rest'), values });
  }
  return (
    <div className="stack stack-s">
      <Legend items={series.map(({ key, name }, color) => ({ key, name, color }))} />
      <BarChart
        label={t('metric.app_stage')}
        places={data.app_stage.map(({ name }) => name)}
        placeTitle={t('home.day_part')}
        series={series}
        format={bytes}
        tick={bytesTick}
        axis="bytes"
        height={192}
      />
    </div>
  );
}
