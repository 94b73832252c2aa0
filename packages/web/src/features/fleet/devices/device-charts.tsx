import type { Data } from '../../../app/api.ts';
import { t } from '../../../app/i18n.ts';
import { useRead } from '../../../app/use-call.ts';
import type { AxisKind } from '../../../ui/chart/axis.ts';
import { Legend } from '../../../ui/chart/frame.tsx';
import { LineChart, type LineSeries } from '../../../ui/chart/line-chart.tsx';
import { Failed } from '../../../ui/empty.tsx';
import { bytes, bytesTick, clock, percent, shortTime } from '../../../ui/format.ts';
import { Loading } from '../../../ui/skeleton.tsx';

type Series = Data<'/api/v3/ap/series'>;
type Line = Series['down'];

const bands = ['2.4G', '5G', '6G'] as const;
const refreshMs = 60_000;

interface Kind {
  key: string;
  title: string;
  series: (data: Series) => LineSeries[];
  format: (value: number) => string;
  tick?: (value: number) => string;
  axis?: AxisKind;
  max?: number;
}

const reported = (line: Line) => line.some((value) => value !== null);
const single = (key: string, name: string, values: Line, color: number): LineSeries[] =>
  reported(values) ? [{ key, name, values, color }] : [];
const byBand = (lines: Series['noise']): LineSeries[] =>
  bands.flatMap((band, color) => (lines[band].some(Boolean) ? single(band, band, lines[band], color) : []));

const rounded = (value: number) => String(Math.round(value * 10) / 10);

const kinds = (): readonly Kind[] => [
  {
    key: 'terminals',
    title: t('charts.terminals'),
    format: rounded,
    axis: 'number',
    series: (data) => {
      const lines = byBand(data.terminals);
      return lines.length > 0 ? lines : single('all', t('charts.terminals'), data.all_terminals, 0);
    },
  },
  {
    key: 'flow',
    title: t('charts.flow'),
    format: bytes,
    tick: bytesTick,
    axis: 'bytes',
    series: (data) => [
      ...single('down', t('aps.rate_down'), data.down, 0),
      ...single('up', t('aps.rate_up'), data.up, 1),
    ],
  },
  {
    key: 'util',
    title: t('device.radio_util'),
    format: percent,
    axis: 'number',
    max: 100,
    series: (data) => byBand(data.utilization),
  },
  {
    key: 'noise',
    title: t('device.radio_noise'),
    format: (value) => `${Math.round(value)} dBm`,
    axis: 'number',
    tick: rounded,
    series: (data) => byBand(data.noise),
  },
  {
    key: 'load',
    title: t('charts.load'),
    format: percent,
    axis: 'number',
    max: 100,
    series: (data) => [
      ...single('cpu', t('networks.cpu'), data.cpu, 0),
      ...single('memory', t('networks.memory'), data.memory, 1),
    ],
  },
];

export function DeviceCharts({ serial }: { serial: string }) {
  const { data, error, refetch } = useRead('/api/v3/ap/series', { serial }, { refetchMs: refreshMs });
  if (error && !data) return <Failed error={error} retry={() => void refetch()} small />;
  return (
    <Loading until={data !== undefined} lines={8}>
      {data && (
        <div className="stack">
          {kinds().map((kind) => (
            <Chart key={kind.key} kind={kind} data={data} />
          ))}
        </div>
      )}
    </Loading>
  );
}

function Chart({ kind, data }: { kind: Kind; data: Series }) {
  const series = kind.series(data);
  const begin = Date.parse(data.from);
  return (
    <section>
      <h3 className="section-title">{kind.title}</h3>
      {series.length > 1 && <Legend items={series.map(({ key, name, color }) => ({ key, name, color: color ?? 0 }))} />}
      <LineChart
        label={t('charts.label', { name: kind.title })}
        x={data.down.map((_, index) => begin + index * data.step_s * 1000)}
        clock
        xLabel={(at) => clock(new Date(at))}
        xTitle={(at) => shortTime(new Date(at))}
        series={series}
        format={kind.format}
        height={150}
        none={t('charts.none')}
        {...(kind.tick ? { tick: kind.tick } : {})}
        {...(kind.axis ? { axis: kind.axis } : {})}
        {...(kind.max ? { max: kind.max } : {})}
      />
    </section>
  );
}
