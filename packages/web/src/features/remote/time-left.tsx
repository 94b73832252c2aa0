import { t } from '../../app/i18n.ts';
import { useSecondsUntil } from '../../ui/countdown.ts';
import { minutesSeconds } from '../../ui/format.ts';

export function Left({ until }: { until: string }) {
  const seconds = useSecondsUntil(until);
  return <span className="quiet nowrap">{t('remote.left', { time: minutesSeconds(seconds) })}</span>;
}
