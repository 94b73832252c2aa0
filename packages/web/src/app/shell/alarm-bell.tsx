import { Icon } from '../../ui/icon.tsx';
import { Link } from '../../ui/link.tsx';
import { t } from '../i18n.ts';
import { useRead } from '../use-call.ts';

/** Counts open, unsilenced alarms; a fact of the stream refreshes it. */
export function AlarmBell() {
  const { data } = useRead('/api/v3/alarm/stat', {});
  const active = data?.active ?? 0;
  const label = data ? t('header.alarms', { n: active }) : t('messages.alarm');
  return (
    <span className="job-bell">
      <Link to="/alarm" className="btn btn-quiet btn-icon" title={label}>
        <Icon name="alert" size={18} />
        <span className="sr">{label}</span>
      </Link>
      {active > 0 && (
        <span className="count" aria-hidden="true">
          {active > 99 ? '99+' : active}
        </span>
      )}
    </span>
  );
}
