import { t } from '../../app/i18n.ts';
import { oneOf, useSearch } from '../../app/search.ts';
import { Legend } from '../../ui/chart/frame.tsx';
import { LineChart } from '../../ui/chart/line-chart.tsx';
import { Choice } from '../../ui/choice.tsx';
import { count } from '../../ui/format.ts';
import { Link } from '../../ui/link.tsx';
import { DayGaps, gapTexts } from './day-gaps.tsx';
import { StatCard } from './stat-card.tsx';
import { useHome } from './use-home.ts';

const WEEK = 7;
const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);
const kinds = ['online_number', 'new_user_number', 'old_user_number'] as const;

export function TrendCard() {
  const [search, change] = useSearch();
  const day = oneOf(search.trend, ['7', '30']) === '30' ? 30 : 7;
  // 30 days contain the last week and the one before
  const answer = useHome('/api/v3/user_stat/client_num', { day: 30 });
  const choice = (
    <Choice
      label={t('home.period')}
      hideLabel
      value={day}
      options={[7, 30].map((value) => ({ value, label: t('home.last_days', { n: value }) }))}
      onChange={(value) => change({ trend: value === 7 ? undefined : value })}
    />
  );
  return (
    <StatCard
      title={t('card.trend')}
      metric="trend"
      answer={answer}
      asOf={(rows) => rows.at(-1)?.as_of ?? null}
      actions={choice}
      height={284}
      line={(month) =>
        month.every(({ online_number }) => online_number === null) ? (
          <>
            <p>{t('home.none_yet')}</p>
            <DayGaps rows={month} />
          </>
        ) : null
      }
    >
      {(month) => {
        const rows = month.slice(-day);
        const today = rows.at(-1);
        const before = day === WEEK ? month.slice(-2 * WEEK, -WEEK) : null;
        const series = kinds.map((kind, index) => ({
          key: kind,
          name: t(`home.${kind}`),
          values: rows.map((row) => row[kind]),
          area: index === 0,
          ...(index === 0 && before?.some((row) => row[kind] !== null)
            ? { previous: before.map((row) => row[kind]) }
            : {}),
        }));
        const ghost = series[0]?.previous
          ? [{ key: 'before', name: t('home.week_before'), color: 0, ghost: true }]
          : [];
        return (
          <div className="stack stack-s">
            <div className="spread">
              <Legend items={[...series.map(({ key, name }, color) => ({ key, name, color })), ...ghost]} />
              {today?.online_number != null && (
                <Link to="/networks/online_users" search={{ tab: 'today' }} className="small nowrap">
                  {t('home.today_online', { n: count(today.online_number) })}
                </Link>
              )}
            </div>
            <LineChart
              label={t('home.trend_chart', { n: day })}
              x={rows.map((row) => Date.parse(row.date))}
              xLabel={(at) => dayOf(at).slice(5)}
              xTitle={dayOf}
              series={series}
              format={count}
              height={252}
              none={t('home.none_yet')}
              why={gapTexts(rows)}
            />
            <DayGaps rows={rows} />
          </div>
        );
      }}
    </StatCard>
  );
}
