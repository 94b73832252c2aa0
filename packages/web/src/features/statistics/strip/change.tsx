import { t } from '../../../app/i18n.ts';
import { count } from '../../../ui/format.ts';

interface Props {
  value: number | null;
  unit?: '%' | undefined;
  /** What a rise means; a fall means the opposite. */
  rise?: 'good' | 'bad' | undefined;
}

/** A difference against a day before; nothing if unknown. */
export function Change({ value, unit, rise }: Props) {
  if (value === null) return null;
  const shown = unit === '%' ? Math.round(value) : value;
  const isGood = shown > 0 === (rise === 'good');
  const tone = shown === 0 || !rise ? 'dim' : isGood ? 'change-good' : 'change-bad';
  const sign = shown > 0 ? '+' : shown < 0 ? '−' : '±';
  return (
    <span className={`change nowrap ${tone}`} title={t('strip.against')}>
      {`${sign}${count(Math.abs(shown))}${unit === '%' ? '%' : ''}`}
    </span>
  );
}
