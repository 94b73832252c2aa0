import type { DayGap } from '@yunxun/contract';
import { t } from '../../app/i18n.ts';

interface Row {
  gap: DayGap | null;
}

const gaps = ['not_counted', 'no_report', 'before_first_report'] as const satisfies readonly DayGap[];

export const gapTexts = (rows: readonly Row[]): (string | null)[] => rows.map(({ gap }) => gap && t(`gap.${gap}`));

export function DayGaps({ rows }: { rows: readonly Row[] }) {
  const counted = gaps.map((gap) => [gap, rows.filter((row) => row.gap === gap).length] as const);
  if (counted.every(([, days]) => days === 0)) return null;
  return (
    <ul className="day-gaps small dim">
      {counted.map(([gap, n]) => n > 0 && <li key={gap}>{t(`gap.${gap}_days`, { n })}</li>)}
    </ul>
  );
}
