import type { WirelessBand } from '@yunxun/contract';
import type { Data } from '../../app/api.ts';
import { t } from '../../app/i18n.ts';
import type { Answer } from '../../ui/answer.tsx';
import type { AxisKind } from '../../ui/chart/axis.ts';
import { Legend } from '../../ui/chart/frame.tsx';
import { LineChart, type LineSeries } from '../../ui/chart/line-chart.tsx';
import { bitRate, bytes, bytesTick, clock, shortTime } from '../../ui/format.ts';
import { dbm, share, short } from './labels.ts';
import { Panel } from './panel.tsx';

type Series = Data<'/api/v3/wireless/series'>;
type Line = Series['current']['rate'];

interface Kind {
  key: string;
  title: string;
  what: string;
  format: (value: number) => string;
  tick?: (value: number) => string;
  axis?: AxisKind;
  max?: number;
  read: (data: Series) => readonly LineSeries[];
}

const bands: readonly WirelessBand[] = ['2.4G', '5G', '6G'];
const bps = (kbps: number): string => bitRate(kbps * 1000);

/** Omits bands never measured or used. */
const byBand =
  (of: 'terminals' | 'flow' | 'utilization' | 'noise') =>
  ({ current, previous }: Series): LineSeries[] =>
    bands.flatMap((band, color) => {
      const [values, before] = [current[of][band], previous[of][band]];
      return [...values, ...before].some(Boolean) ? lineOf(band, band, color, values, before) : [];
    });

function lineOf(key: string, name: string, color: number, values: Line, previous: Line): LineSeries[] {
  const reported = (line: Line) => line.some((value) => value !== null);
  if (!reported(values) && !reported(previous)) return [];
  return [{ key, name, color, values, ...(reported(previous) ? { previous } : {}) }];
}

const kinds = (): readonly Kind[] => [
  {
    key: 'terminals',
    title: t('radio_chart.terminals'),
    what: t('radio_what.terminals'),
    format: short,
    read: byBand('terminals'),
  },
  {
    key: 'flow',
    title: t('radio_chart.flow'),
    what: t('radio_what.flow'),
    format: bytes,
    tick: bytesTick,
    axis: 'bytes',
    read: byBand('flow'),
  },
  {
    key: 'utilization',
    title: t('radio_part.utilization'),
    what: t('radio_what.utilization_line'),
    format: share,
    axis: 'number',
    max: 100,
    read: byBand('utilization'),
  },
  {
    key: 'noise',
    title: t('radio_part.noise'),
    what: t('radio_what.noise_line'),
    format: dbm,
    tick: short,
    axis: 'number',
    read: byBand('noise'),
  },
  {
    key: 'quality',
    title: t('radio_chart.quality'),
    what: t('radio_what.quality'),
    format: share,
    axis: 'number',
    read: ({ current, previous }) => [
      ...lineOf('weak', t('radio_part.weak'), 0, current.weak, previous.weak),
      ...lineOf('retries', t('radio_part.retries'), 1, current.retries, previous.retries),
    ],
  },
  {
    key: 'rate',
    title: t('radio_chart.rate'),
    what: t('radio_what.rate'),
    format: bps,
    axis: 'number',
    read: ({ current, previous }) => lineOf('rate', t('radio_chart.rate'), 2, current.rate, previous.rate),
  },
];

export function Charts({ answer }: { answer: Answer<Series> }) {
  return kinds().map((kind) => (
    <Panel key={kind.key} title={kind.title} what={kind.what} answer={answer} height={228}>
      {(data) => <Chart kind={kind} data={data} />}
    </Panel>
  ));
}

function Chart({ kind, data }: { kind: Kind; data: Series }) {
  const series = kind.read(data);
  const begin = Date.parse(data.from);
  const x = data.current.rate.map((_, index) => begin + index * data.step_s * 1000);
  const ghost = series.some(({ previous }) => previous)
    ? [{ key: 'before', name: t('radio.day_before'), color: series[0]?.color ?? 0, ghost: true }]
    : [];
  return (
    <div className="stack stack-s">
      <Legend items={[...series.map(({ key, name, color }) => ({ key, name, color: color ?? 0 })), ...ghost]} />
      <LineChart
        label={t('radio_chart.label', { name: kind.title })}
        x={x}
        clock
        xLabel={(at) => clock(new Date(at))}
        xTitle={(at) => shortTime(new Date(at))}
        series={series}
        format={kind.format}
        height={200}
        {...(kind.tick ? { tick: kind.tick } : {})}
        {...(kind.axis ? { axis: kind.axis } : {})}
        {...(kind.max ? { max: kind.max } : {})}
      />
    </div>
  );
}
