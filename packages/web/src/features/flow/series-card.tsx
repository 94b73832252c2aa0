import type { ApplicationCategory, FlowSpan } from '@yunxun/contract';
import type { Data } from '../../app/api.ts';
import { t } from '../../app/i18n.ts';
import type { Answer } from '../../ui/answer.tsx';
import { AnswerCard } from '../../ui/answer-card.tsx';
import { Button } from '../../ui/button.tsx';
import { BarChart, type BarSeries } from '../../ui/chart/bar-chart.tsx';
import { Legend } from '../../ui/chart/frame.tsx';
import { bytes, bytesTick, clock, percent, shortTime } from '../../ui/format.ts';

type Series = Data<'/api/v3/flow/series'>;
type Category = Series['categories'][number];

/** The palette has six; others share the last. */
const OWN_COLORS = 5;

const both = ({ down, up }: Category) => down + up;
const total = (categories: readonly Category[]) => categories.reduce((sum, one) => sum + both(one), 0);

export function SeriesCard({ answer, span }: { answer: Answer<Series>; span: FlowSpan }) {
  return (
    <AnswerCard title={t('flow.by_category')} answer={answer} height={280}>
      {(data) => {
        const series = seriesOf(data);
        const begin = Date.parse(data.from);
        const name = span === '7d' || span === '30d' ? shortTime : clock;
        const places = Array.from({ length: (Date.parse(data.to) - begin) / (data.step_s * 1000) }, (_, place) =>
          name(new Date(begin + place * data.step_s * 1000)),
        );
        return (
          <div className="stack stack-s">
            <Totals data={data} />
            {series.length > 0 && (
              <Legend items={series.map((one, color) => ({ key: one.key, name: one.name, color }))} />
            )}
            <BarChart
              label={t('flow.chart')}
              places={places}
              placeTitle={t('flow.time')}
              series={series}
              format={bytes}
              tick={bytesTick}
              axis="bytes"
              height={240}
              none={t('flow.quiet')}
              why={places.map(() => t('gap.before_first_report'))}
            />
            {data.counted_from && (
              <p className="small dim">{t('home.counted_since', { since: shortTime(new Date(data.counted_from)) })}</p>
            )}
          </div>
        );
      }}
    </AnswerCard>
  );
}

function seriesOf({ categories }: Series): BarSeries[] {
  const own = categories.slice(0, categories.length > OWN_COLORS + 1 ? OWN_COLORS : OWN_COLORS + 1);
  const rest = categories.slice(own.length);
  const series = own.map(({ name, values }): BarSeries => ({ key: name, name: t(`app_category.${name}`), values }));
  if (rest.length === 0) return series;
  const values = (rest[0]?.values ?? []).map((_, place) =>
    rest.reduce<number | null>((sum, one) => {
      const value = one.values[place] ?? null;
      return value === null ? sum : (sum ?? 0) + value;
    }, null),
  );
  return [...series, { key: 'rest', name: t('flow.rest'), values }];
}

function Totals({ data: { categories, compare } }: { data: Series }) {
  const all = total(categories);
  const unknown = categories.find(({ name }) => name === 'Unknown');
  return (
    <p className="flow-totals">
      <b className="figure">{bytes(all)}</b>
      {all > 0 && (
        <span className="small dim">
          {t('flow.unknown_share', { share: percent(((unknown ? both(unknown) : 0) / all) * 100) })}
        </span>
      )}
      <span className="small dim">
        {compare === null
          ? t('flow.compare_none')
          : compare.before === 0
            ? t('flow.compare_zero')
            : t('flow.compare', { before: bytes(compare.before), now: bytes(compare.now), change: changeOf(compare) })}
      </span>
    </p>
  );
}

function changeOf({ now, before }: { now: number; before: number }): string {
  const change = ((now - before) / before) * 100;
  return `${change > 0 ? '+' : ''}${percent(change)}`;
}

export function Categories(props: { answer: Answer<Series>; onPick: (name: ApplicationCategory) => void }) {
  return (
    <AnswerCard title={t('flow.categories')} answer={props.answer} height={320}>
      {({ categories }) => {
        const all = total(categories);
        if (all === 0) return <p className="dim">{t('flow.quiet')}</p>;
        return (
          <table className="plain-table">
            <thead>
              <tr>
                <th scope="col">{t('flow.category')}</th>
                <th scope="col" className="flow-number">
                  {t('flow.down')}
                </th>
                <th scope="col" className="flow-number">
                  {t('flow.up')}
                </th>
                <th scope="col" className="flow-number">
                  {t('flow.share')}
                </th>
              </tr>
            </thead>
            <tbody>
              {categories.map((row) => (
                <tr key={row.name}>
                  <th scope="row">
                    <Button kind="link" onClick={() => props.onPick(row.name)}>
                      {t(`app_category.${row.name}`)}
                    </Button>
                  </th>
                  <td className="flow-number">{bytes(row.down)}</td>
                  <td className="flow-number">{bytes(row.up)}</td>
                  <td className="flow-number">{percent((both(row) / all) * 100)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        );
      }}
    </AnswerCard>
  );
}
