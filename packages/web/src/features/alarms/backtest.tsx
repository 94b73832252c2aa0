import { useState } from 'react';
import type { Data, Input } from '../../app/api.ts';
import { t } from '../../app/i18n.ts';
import { useRead } from '../../app/use-call.ts';
import { BarChart } from '../../ui/chart/bar-chart.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Failed } from '../../ui/empty.tsx';
import { count, duration, exactTime } from '../../ui/format.ts';
import { Link } from '../../ui/link.tsx';
import { Loading } from '../../ui/skeleton.tsx';
import { ShortTime } from '../../ui/time.tsx';
import { useDebounced } from '../../ui/use-debounced.ts';
import { valueText } from './labels.ts';
import { ThresholdChart } from './threshold-chart.tsx';

type Rule = Input<'/api/v3/alarm_rule/simulate'>['rule'];
type Simulation = Data<'/api/v3/alarm_rule/simulate'>;

/** Milliseconds in which a moved line rests before it is tested. */
const restMs = 400;

export function BacktestDialog({ rule, onClose }: { rule: Rule; onClose: () => void }) {
  const [threshold, setThreshold] = useState(rule.threshold);
  return (
    <Dialog wide title={t('alarm.backtest_rule', { name: t(`alarm.kind_${rule.kind}`) })} onClose={onClose}>
      <Backtest rule={{ ...rule, threshold }} saved={rule.threshold} onThreshold={setThreshold} />
    </Dialog>
  );
}

interface Props {
  rule: Rule;
  isFresh?: boolean;
  /** Of the saved rule, where a tried one differs from it without a field that shows it. */
  saved?: number | null;
  onThreshold: (threshold: number) => void;
}

export function Backtest({ rule, isFresh: fresh = false, saved, onThreshold }: Props) {
  const tested = useDebounced(JSON.stringify(rule), restMs);
  const { data, error, refetch } = useRead(
    '/api/v3/alarm_rule/simulate',
    { rule: JSON.parse(tested) as Rule, fresh },
    { keepPrevious: true },
  );
  return (
    <div className="stack">
      <Threshold rule={rule} isFresh={fresh} saved={saved} onThreshold={onThreshold} />
      {error && !data ? (
        <Failed small error={error} retry={() => void refetch()} />
      ) : (
        <Loading until={data !== undefined} lines={6}>
          {data && <Result data={data} />}
        </Loading>
      )}
    </div>
  );
}

/** Nothing without a stored history. The curve does not depend on the threshold. */
function Threshold({ rule, isFresh: fresh = false, saved, onThreshold }: Props) {
  const { threshold } = rule;
  const [drawn] = useState(threshold);
  const { data } = useRead(
    '/api/v3/alarm_rule/levels',
    { rule: { ...rule, threshold: drawn }, fresh },
    { enabled: threshold !== null, keepPrevious: true },
  );
  if (!data?.curve || threshold === null) return null;
  return (
    <section>
      <h3>{t('alarm.backtest_levels')}</h3>
      <p className="small dim">{t('alarm.backtest_levels_hint')}</p>
      <ThresholdChart kind={rule.kind} curve={data.curve} threshold={threshold} onChange={onThreshold} />
      {saved !== undefined && saved !== null && saved !== threshold && (
        <p className="small">
          {t('alarm.backtest_tried', {
            tried: valueText(rule.kind, threshold),
            saved: valueText(rule.kind, saved),
          })}
        </p>
      )}
    </section>
  );
}

function Result({ data }: { data: Simulation }) {
  if (!data.tested) return <p className="quiet">{t('alarm.backtest_untested')}</p>;
  const { alarms, notices, days, longest, networks } = data;
  return (
    <section className="stack" aria-label={t('alarm.backtest')}>
      <p className="quiet">
        {t('alarm.backtest_from', { from: exactTime(new Date(data.from)) })}{' '}
        {data.step !== null && t('alarm.backtest_step')}
      </p>
      <p>
        <strong className="backtest-sum">{t('alarm.backtest_alarms', { n: alarms })}</strong>{' '}
        <span>{t('alarm.backtest_notices', { n: notices })}</span>
        <br />
        <span className="small dim">{t('alarm.backtest_notice_means')}</span>
      </p>
      <BarChart
        label={t('alarm.backtest_chart')}
        placeTitle={t('alarm.backtest_day')}
        places={days.map(({ day }) => day.slice(5))}
        series={[{ key: 'alarms', name: t('alarm.alarms_count'), values: days.map((day) => day.alarms) }]}
        format={count}
        height={140}
        none={t('alarm.backtest_quiet')}
      />
      {longest && (
        <div>
          <h3>{t('alarm.backtest_longest')}</h3>
          <p>
            {longest.name} · {longest.network} · {duration(longest.seconds)} · <ShortTime at={longest.began_at} />
            {longest.lasts && <span className="dim"> · {t('alarm.backtest_lasts')}</span>}
          </p>
        </div>
      )}
      {networks.length > 0 && (
        <table className="plain-table">
          <thead>
            <tr>
              <th>{t('alarm.backtest_networks')}</th>
              <th className="right">{t('alarm.alarms_count')}</th>
            </tr>
          </thead>
          <tbody>
            {networks.map(({ gwid, network, alarms: made }) => (
              <tr key={gwid}>
                <td>
                  <Link to={`/network/${gwid}`}>{network}</Link>
                </td>
                <td className="right">{count(made)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <Variants variants={data.variants} />
    </section>
  );
}

function Variants({ variants }: Pick<Simulation, 'variants'>) {
  const tolerances = [...new Set(variants.map(({ tolerance }) => tolerance))];
  const made = (tolerance: number, grouped: boolean) =>
    variants.find((one) => one.tolerance === tolerance && one.grouped === grouped);
  return (
    <table className="plain-table">
      <caption className="backtest-caption">{t('alarm.backtest_variants')}</caption>
      <thead>
        <tr>
          <th rowSpan={2}>{t('alarm.tolerance')}</th>
          <th colSpan={2} className="right">
            {t('alarm.grouped')}
          </th>
          <th colSpan={2} className="right">
            {t('alarm.ungrouped')}
          </th>
        </tr>
        <tr>
          {[true, false].flatMap((grouped) => [
            <th key={`${grouped} alarms`} className="right">
              {t('alarm.alarms_count')}
            </th>,
            <th key={`${grouped} notices`} className="right">
              {t('alarm.notices_count')}
            </th>,
          ])}
        </tr>
      </thead>
      <tbody>
        {tolerances.map((tolerance) => (
          <tr key={tolerance}>
            <td>{tolerance === 0 ? t('alarm.at_once') : duration(tolerance)}</td>
            {[true, false].flatMap((grouped) => [
              <td key={`${grouped} alarms`} className="right">
                {count(made(tolerance, grouped)?.alarms ?? 0)}
              </td>,
              <td key={`${grouped} notices`} className="right">
                {count(made(tolerance, grouped)?.notices ?? 0)}
              </td>,
            ])}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
