import { useMemo } from 'react';
import type { Data } from '../../app/api.ts';
import { t } from '../../app/i18n.ts';
import { Legend } from '../../ui/chart/frame.tsx';
import { LineChart } from '../../ui/chart/line-chart.tsx';
import { bytes, bytesTick, clock, minuteTime } from '../../ui/format.ts';

type Quarters = Data<'/api/v3/user_online/detail'>['quarters'];

const quarterMs = 900_000;

/** 15-minute steps: signal (wireless) and traffic. Absence is a gap. */
export function DayCharts({ quarters, wired }: { quarters: Quarters; wired: boolean }) {
  const heard = quarters.some(({ rssi }) => rssi !== null);
  const moved = quarters.some(({ down, up }) => down + up > 0);
  const { x, of } = useMemo(() => {
    const reported = new Map(quarters.map((quarter) => [Date.parse(quarter.at), quarter]));
    const end = Math.floor(Date.now() / quarterMs) * quarterMs;
    const places = Array.from({ length: 97 }, (_, index) => end - (96 - index) * quarterMs);
    return {
      x: places,
      of: (value: (quarter: Quarters[number]) => number | null) =>
        places.map((at) => {
          const quarter = reported.get(at);
          return quarter ? value(quarter) : null;
        }),
    };
  }, [quarters]);
  const shared = {
    x,
    xLabel: (at: number) => clock(new Date(at)),
    xTitle: (at: number) => minuteTime(new Date(at)),
    clock: true,
    height: 170,
  };
  const flows = [
    { key: 'down', name: t('users.down'), values: of(({ down }) => down), area: true },
    { key: 'up', name: t('users.up'), values: of(({ up }) => up) },
  ];
  return (
    <div className="users-charts">
      {(heard || !wired) && (
        <section>
          <h3 className="users-title">{t('users.signal_24h')}</h3>
          <LineChart
            {...shared}
            label={t('users.signal_24h')}
            series={[{ key: 'rssi', name: t('users.rssi'), values: of(({ rssi }) => rssi) }]}
            axis="number"
            format={(n) => t('users.dbm', { n: Math.round(n) })}
            none={t('users.no_signal')}
          />
        </section>
      )}
      <section>
        <h3 className="users-title">{t('users.flow_24h')}</h3>
        {moved && <Legend items={flows.map(({ key, name }, color) => ({ key, name, color }))} />}
        <LineChart
          {...shared}
          label={t('users.flow_24h')}
          series={flows}
          axis="bytes"
          format={bytes}
          tick={bytesTick}
          none={t('users.no_flow')}
        />
      </section>
    </div>
  );
}
