import type { Data } from '../../app/api.ts';
import { t } from '../../app/i18n.ts';
import { BarChart } from '../../ui/chart/bar-chart.tsx';
import { Legend } from '../../ui/chart/frame.tsx';
import { bytes, bytesTick } from '../../ui/format.ts';

type Stages = Data<'/api/v3/user_stat/flow_model'>['app_stage'];
type Category = Stages[number]['items'][number]['name'];
const COLORED = 5;

export function bytesByCategory(stages: Stages): [Category, number][] {
  const sums = new Map<Category, number>();
  for (const { items } of stages) {
    for (const { name, value } of items) sums.set(name, (sums.get(name) ?? 0) + value);
  }
  return [...sums].toSorted(([, a], [, b]) => b - a);
}

export function ApplicationSlots({ stages }: { stages: Stages }) {
  const ranked = bytesByCategory(stages).map(([name]) => name);
  const own = ranked.slice(0, COLORED);
  const value = (slot: Stages[number], wanted: (name: Category) => boolean) =>
    slot.items.reduce((sum, item) => sum + (wanted(item.name) ? item.value : 0), 0);
  const series = own.map((category) => ({
    key: category as string,
    name: t(`app_category.${category}`),
    values: stages.map((slot) => value(slot, (name) => name === category)),
  }));
  if (ranked.length > COLORED) {
    const values = stages.map((slot) => value(slot, (name) => !own.includes(name)));
    series.push({ key: 'rest', name: t('home.rest'), values });
  }
  return (
    <div className="stack stack-s">
      <Legend items={series.map(({ key, name }, color) => ({ key, name, color }))} />
      <BarChart
        label={t('metric.app_stage')}
        places={stages.map(({ name }) => name)}
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
