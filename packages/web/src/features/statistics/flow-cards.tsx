import type { Data } from '../../app/api.ts';
import { t } from '../../app/i18n.ts';
import type { Answer } from '../../ui/answer.tsx';
import { BarChart } from '../../ui/chart/bar-chart.tsx';
import { Legend } from '../../ui/chart/frame.tsx';
import { Gauge } from '../../ui/chart/rings.tsx';
import { Ranking, type Share } from '../../ui/chart/shares.tsx';
import { bytes, bytesTick, count } from '../../ui/format.ts';
import { Link } from '../../ui/link.tsx';
import { AppCoverage } from './app-coverage.tsx';
import { DayGaps, gapTexts } from './day-gaps.tsx';
import type { Complex } from './figures.tsx';
import { PartSource } from './no-source.tsx';
import { StatCard } from './stat-card.tsx';

type ApFlow = Data<'/api/v3/user_stat/ap_complex'>;
/** Categories named in the short form. */
const SHOWN = 3;

export function FlowCard({ answer }: { answer: Answer<Complex> }) {
  return (
    <StatCard title={t('card.flow')} metric="flow" answer={answer} asOf={(data) => data.as_of} height={200}>
      {({ cumulative_flow: flow }) => (
        <div className="flow">
          <div>
            <Link to="/flow_monitor" className="figure figure-link">
              {bytes(flow.total)}
            </Link>
            <p className="small dim">{t('home.flow_note', { from: flow.from.slice(5) })}</p>
            <AppCoverage measured={flow.measured} since={flow.measured_since} total={flow.total} />
          </div>
          <Ranking
            label={t('home.top_categories')}
            rows={SHOWN}
            parts={flow.items.map(
              (item): Share => ({
                key: item.name,
                name: t(`app_category.${item.name}`),
                value: item.value,
                to: '/flow_monitor',
                search: { category: item.name },
              }),
            )}
            format={bytes}
          />
          <PartSource source={flow.source} />
        </div>
      )}
    </StatCard>
  );
}

export function BandsCard({ answer, hasAps }: { answer: Answer<ApFlow>; hasAps: boolean }) {
  return (
    <StatCard
      title={t('card.bands')}
      metric="bands"
      answer={answer}
      asOf={(data) => data.as_of}
      height={120}
      line={() => (hasAps ? null : t('home.none_aps'))}
    >
      {({ ap_flow: flow, bands }) => {
        const six = bands.find(({ name }) => name === '6G')?.online ?? 0;
        const parts: Share[] = [
          { key: '2G', name: '2.4G', value: flow.online },
          { key: '5G', name: '5G', value: flow.online_5g },
          ...(six > 0 ? [{ key: '6G', name: '6G', value: six }] : []),
        ].map((part, color) => ({ ...part, color }));
        const total = flow.online + flow.online_5g + six;
        return (
          <div className="bands">
            <Gauge
              label={parts.map((part) => t('home.band', { name: part.name, n: count(part.value) })).join(', ')}
              parts={parts}
            >
              <strong className="figure">{count(total)}</strong>
            </Gauge>
            <ul className="bands-parts">
              {parts.map((part) => (
                <li key={part.key}>
                  <Link to="/networks/online_users" search={{ band: part.key.slice(0, 1) }} className="band">
                    <Legend items={[{ key: part.key, name: part.name, color: part.color ?? 0 }]} />
                    <strong>{count(part.value)}</strong>
                  </Link>
                </li>
              ))}
            </ul>
          </div>
        );
      }}
    </StatCard>
  );
}

export function WirelessCard({ answer }: { answer: Answer<ApFlow> }) {
  return (
    <StatCard
      title={t('card.wireless')}
      metric="wireless"
      answer={answer}
      asOf={(data) => data.as_of}
      height={240}
      line={({ ap_flow }) => (ap_flow.week_flow === null ? t('home.none_yet') : null)}
    >
      {({ ap_flow: flow, days }) => {
        const series = [
          { key: 'download', name: t('home.download'), values: days.map((day) => day.download) },
          { key: 'upload', name: t('home.upload'), values: days.map((day) => day.upload), color: 2 },
        ];
        return (
          <div className="wireless">
            <dl className="wireless-sums">
              <Sum name={t('home.wireless_down')} value={flow.download} />
              <Sum name={t('home.wireless_up')} value={flow.upload} />
              <Sum name={t('home.wireless_week')} value={flow.week_flow} />
            </dl>
            {(flow.flow_source === 'clients' || flow.flow_source === 'both') && (
              <p className="dim">{t(`home.wireless_${flow.flow_source}`)}</p>
            )}
            <div className="stack stack-s">
              <Legend items={series.map(({ key, name, color }, index) => ({ key, name, color: color ?? index }))} />
              <BarChart
                label={t('home.wireless_chart')}
                places={days.map((day) => day.date.slice(5))}
                placeTitle={t('home.date')}
                series={series}
                format={bytes}
                tick={bytesTick}
                axis="bytes"
                height={196}
                none={t('home.none_yet')}
                why={gapTexts(days)}
              />
              <DayGaps rows={days} />
            </div>
          </div>
        );
      }}
    </StatCard>
  );
}

function Sum({ name, value }: { name: string; value: number | null }) {
  return (
    <div>
      <dt className="small dim">{name}</dt>
      <dd>
        <Link to="/wireless_monitor" className="sum">
          {value === null ? t('home.no_report') : bytes(value)}
        </Link>
      </dd>
    </div>
  );
}
