import type { Data } from '../../app/api.ts';
import { t } from '../../app/i18n.ts';
import { BarChart } from '../../ui/chart/bar-chart.tsx';
import { Donut, Ranking, ShareBar } from '../../ui/chart/shares.tsx';
import { count } from '../../ui/format.ts';
import { Panel, PanelsComing, Since, usePeriod } from './model.tsx';
import { StatCard } from './stat-card.tsx';
import { listOf, terminalParts } from './terminals.ts';
import { SELDOM_MS, useHome } from './use-home.ts';

type Dwell = Data<'/api/v3/user_stat/user_model'>['user_time'][number]['name'];

/** Labels of the buckets, whose names are no catalogue keys. */
const dwell = {
  '<30': 'home.dwell_below_30',
  '>30': 'home.dwell_above_30',
  '1~2': 'home.dwell_1_2',
  '2~4': 'home.dwell_2_4',
  '>4': 'home.dwell_above_4',
} as const satisfies Record<Dwell, string>;
const BRANDS = 10;

export function UserModelCard() {
  const { day, choice } = usePeriod('users');
  const answer = useHome('/api/v3/user_stat/user_model', { day }, { refreshMs: SELDOM_MS });
  return (
    <StatCard
      title={t('card.user_model')}
      answer={answer}
      actions={
        <span className="row">
          {answer.data && <Since from={answer.data.from} />}
          {choice}
        </span>
      }
      height={280}
      line={({ users }) => (users === 0 ? t('home.none_yet') : null)}
      skeleton={<PanelsComing shapes={['', '', '']} />}
    >
      {(data) => (
        <div className="panels">
          <Panel
            metric="user_label"
            asOf={data.as_of}
            note={data.random_mac > 0 && t('home.random', { n: count(data.random_mac) })}
          >
            <ShareBar
              label={t('metric.user_label')}
              parts={data.user_label.map(({ name, value }, color) => ({
                key: name,
                name: t(`user_group.${name}`),
                value,
                color: color * 2,
                to: '/networks/online_users',
                search: { ...listOf(day), known: name },
              }))}
              format={count}
              none={t('home.none_yet')}
            />
          </Panel>
          <Panel metric="terminal_type" asOf={data.as_of} note={unknown(data.terminal_type_unknown, 'platform')}>
            <Donut
              label={t('metric.terminal_type')}
              parts={terminalParts(data.terminal_type, data.terminal_type_other, day)}
              format={count}
              middle={t('home.users')}
              none={t('home.none_yet')}
            />
          </Panel>
          <Panel
            metric="terminal_brand"
            asOf={data.as_of}
            shape="tall"
            note={unknown(data.terminal_brand_unknown, 'brand')}
          >
            <Ranking
              label={t('metric.terminal_brand')}
              rows={BRANDS}
              whole={data.terminal_brand.reduce((sum, { value }) => sum + value, data.terminal_brand_other)}
              parts={data.terminal_brand.map(({ name, value }) => ({ key: name, name, value }))}
              format={count}
              none={t('home.none_yet')}
            />
          </Panel>
          <Panel metric="user_time" asOf={data.as_of}>
            <BarChart
              label={t('metric.user_time')}
              places={data.user_time.map(({ name }) => t(dwell[name]))}
              placeTitle={t('home.dwell')}
              series={[{ key: 'visits', name: t('home.visits'), values: data.user_time.map(({ value }) => value) }]}
              format={count}
              none={t('home.none_yet')}
            />
          </Panel>
          <Panel metric="client_time_block" asOf={data.as_of}>
            <BarChart
              label={t('metric.client_time_block')}
              places={data.client_time_block.map(({ name }) => name)}
              placeTitle={t('home.day_part')}
              series={[
                {
                  key: 'visits',
                  name: t('home.visits'),
                  color: 2,
                  values: data.client_time_block.map(({ value }) => value),
                },
              ]}
              format={count}
              none={t('home.none_yet')}
            />
          </Panel>
        </div>
      )}
    </StatCard>
  );
}

const unknown = (n: number, what: 'platform' | 'brand') => n > 0 && t(`home.unknown_${what}`, { n: count(n) });
