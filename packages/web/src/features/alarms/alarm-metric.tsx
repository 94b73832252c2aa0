import { t } from '../../app/i18n.ts';
import { useRead } from '../../app/use-call.ts';
import { LineChart, type LineSeries } from '../../ui/chart/line-chart.tsx';
import { clock, shortTime } from '../../ui/format.ts';
import { type AlarmRow, valueText } from './labels.ts';

/** Poll interval of a curve that goes on, in milliseconds; the server adds a value every five minutes. */
const refreshMs = 60_000;
/** Milliseconds; shorter charts show times of day. */
const dayMs = 86_400_000;

const wanKinds: ReadonlySet<AlarmRow['kind']> = new Set(['wan_latency_high', 'wan_loss_high']);

/** The curve of an alarm's metric against its threshold; nothing where no history is stored. */
export function AlarmMetric({ alarm }: { alarm: AlarmRow }) {
  const { kind, id, recovered_at: recovered } = alarm;
  const { data } = useRead(
    '/api/v3/alarm/metric',
    { id },
    { enabled: alarm.threshold !== null, refetchMs: recovered === null ? refreshMs : false },
  );
  if (!data?.curve) return null;
  const { from, step, values, threshold } = data.curve;
  const x = values.map((_, n) => Date.parse(from) + n * step * 1000);
  const isDay = x.at(-1)! - x[0]! <= dayMs;
  const series: LineSeries[] = [
    { key: 'value', name: t(`alarm.kind_${kind}`), values, color: 0 },
    ...(threshold === null
      ? []
      : [{ key: 'threshold', name: t('alarm.threshold'), values: values.map(() => threshold), color: 3 }]),
  ];
  return (
    <section>
      <h3 className="section-title">{t('alarm.metric')}</h3>
      <LineChart
        label={t('alarm.metric')}
        x={x}
        xLabel={(at) => (isDay ? clock(new Date(at)) : shortTime(new Date(at)))}
        xTitle={(at) => shortTime(new Date(at))}
        clock={isDay}
        series={series}
        format={(value) => valueText(kind, value)}
        tick={(value) => String(Math.round(value))}
        axis="number"
        height={180}
      />
      {wanKinds.has(kind) && <p className="small dim">{t('alarm.metric_wans')}</p>}
    </section>
  );
}
