import { kindParts } from '@yunxun/contract/alarm-kinds';
import { t } from '../../app/i18n.ts';
import { useRead } from '../../app/use-call.ts';
import { Button } from '../../ui/button.tsx';
import { duration } from '../../ui/format.ts';
import { type AlarmRow, kindText, nameText, valueText } from './labels.ts';

/** Seconds. */
const minuteS = 60;

interface Props {
  /** Alarm that led to the rule. */
  id: string;
  maxTolerance: number;
  onTolerance: (seconds: number) => void;
  onThreshold: (value: number) => void;
}

/** Names the alarm behind the rule, and offers values that would not have raised it. */
export function RuleFrom({ id, maxTolerance, onTolerance, onThreshold }: Props) {
  const { data } = useRead('/api/v3/alarm/detail', { id });
  if (!data) return null;
  const { alarm } = data;
  const tolerance = toleranceBeyond(alarm, maxTolerance);
  const threshold = thresholdBeyond(alarm);
  const time = duration(alarm.seconds);
  const about = [
    `${kindText(alarm)} · ${nameText(alarm)}`,
    alarm.recovered_at === null ? t('alarm.rule_from_lasts', { time }) : t('alarm.rule_from_lasted', { time }),
    ...(alarm.value === null ? [] : [t('alarm.rule_from_value', { value: valueText(alarm.kind, alarm.value) })]),
  ].join(' · ');
  return (
    <div className="notice stack stack-s">
      <p>{t('alarm.rule_from', { about })}</p>
      {(tolerance !== null || threshold !== null) && (
        <div className="row">
          <span className="small">{t('alarm.rule_from_hint')}</span>
          {tolerance !== null && (
            <Button onClick={() => onTolerance(tolerance)}>
              {t('alarm.rule_from_tolerance', { time: duration(tolerance) })}
            </Button>
          )}
          {threshold !== null && (
            <Button onClick={() => onThreshold(threshold)}>
              {t('alarm.rule_from_threshold', { value: valueText(alarm.kind, threshold) })}
            </Button>
          )}
        </div>
      )}
    </div>
  );
}

/** Seconds, whole minutes; null if the problem lasts or is too long. */
function toleranceBeyond({ recovered_at: recovered, seconds }: AlarmRow, max: number): number | null {
  const beyond = (Math.floor(seconds / minuteS) + 1) * minuteS;
  return recovered === null || beyond > max ? null : beyond;
}

/** The next whole value on the good side; null without one. */
function thresholdBeyond({ kind, value }: AlarmRow): number | null {
  const bounds = kindParts[kind].threshold;
  if (!bounds || value === null) return null;
  const beyond = bounds.worse === 'below' ? Math.floor(value) : Math.floor(value) + 1;
  return beyond < bounds.min || beyond > bounds.max ? null : beyond;
}
