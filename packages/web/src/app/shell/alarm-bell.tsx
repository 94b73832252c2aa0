import { LevelShape, levels, levelTone } from '../../ui/alarm-level.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Link } from '../../ui/link.tsx';
import { t } from '../i18n.ts';
import { useRead } from '../use-call.ts';

/** Counts open, unsilenced alarms and shows their worst level; a fact of the stream refreshes it. */
export function AlarmBell() {
  const { data } = useRead('/api/v3/alarm/stat', {});
  const active = data?.active ?? 0;
  const open = levels.filter((level) => (data?.by_level[level] ?? 0) > 0);
  const [worst] = open;
  const each = open.map((level) =>
    t('header.alarms_of', { level: t(`alarm_level.${level}`), n: data?.by_level[level] ?? 0 }),
  );
  const label = data
    ? [t('header.alarms', { n: active }), ...each].join(t('header.alarms_between'))
    : t('messages.alarm');
  return (
    <span className="job-bell">
      <Link to="/alarm" className="btn btn-quiet btn-icon" title={label}>
        <Icon name="alert" size={18} />
        <span className="sr">{label}</span>
      </Link>
      {worst && (
        <span className={`count count-${levelTone(worst)}`} aria-hidden="true">
          <LevelShape level={worst} />
          {active > 99 ? '99+' : active}
        </span>
      )}
    </span>
  );
}
