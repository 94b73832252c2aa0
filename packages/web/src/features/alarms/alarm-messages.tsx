import { t } from '../../app/i18n.ts';
import { useRead } from '../../app/use-call.ts';
import { Tag } from '../../ui/status.tsx';
import { ShortTime } from '../../ui/time.tsx';
import { Trouble } from './notice-table.tsx';
import { deliveryTones } from './subscription.ts';

/** Messages of an alarm that one drawer shows. */
const maxShown = 50;

export function AlarmMessages({ id }: { id: string }) {
  const { data } = useRead('/api/v3/alarm_notice/list', { alarm_id: id, page: 1, limit: maxShown });
  if (!data || data.total === 0) return null;
  return (
    <section>
      <h3 className="section-title">{t('subscription.notices')}</h3>
      <ul className="alarm-list">
        {data.list.map((notice) => (
          <li key={notice.id}>
            <div className="spread">
              <span>
                {notice.subscription}{' '}
                <span className="dim">
                  {t(`subscription.channel_${notice.channel}`)} · {notice.recipient}
                </span>
              </span>
              <span className="row small">
                <Tag tone={deliveryTones[notice.state]}>{t(`subscription.state_${notice.state}`)}</Tag>
                <ShortTime at={notice.created_at} />
              </span>
            </div>
            <div className="small">{notice.items[0]?.text}</div>
            <Trouble notice={notice} />
          </li>
        ))}
      </ul>
      {data.total > data.list.length && (
        <p className="small dim">{t('subscription.more', { n: data.total - data.list.length })}</p>
      )}
    </section>
  );
}
