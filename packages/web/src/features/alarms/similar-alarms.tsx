import type { Row } from '../../app/api.ts';
import { t } from '../../app/i18n.ts';
import { useSearch } from '../../app/search.ts';
import { useRead } from '../../app/use-call.ts';
import { Failed } from '../../ui/empty.tsx';
import { duration, exactTime } from '../../ui/format.ts';
import { Link } from '../../ui/link.tsx';
import { type AlarmRow, valueText } from './labels.ts';

/** Earlier alarms of the same kind about the same object, with how they ended. */
export function SimilarAlarms({ alarm }: { alarm: AlarmRow }) {
  const { data, error, refetch } = useRead('/api/v3/alarm/similar', { id: alarm.id });
  const [search] = useSearch();
  if (error && !data) return <Failed error={error} retry={() => void refetch()} small />;
  if (!data) return null;
  return (
    <section>
      <h3 className="section-title">{t('alarm.similar')}</h3>
      {data.total === 0 ? (
        <p className="small dim">{t('alarm.similar_none')}</p>
      ) : (
        <ul className="alarm-list">
          {data.list.map((one) => (
            <li key={one.id}>
              <div className="spread">
                <Link to="/alarm" search={{ ...search, alarm: one.id }}>
                  {exactTime(new Date(one.began_at))}
                </Link>
                <span className="small">
                  {duration(one.seconds)}
                  {one.count > 1 && ` · ${t('alarm.times', { n: one.count })}`}
                  {one.value !== null && ` · ${valueText(alarm.kind, one.value)}`}
                </span>
              </div>
              <div className="small dim">{endText(one)}</div>
              {one.note && <div className="small">{one.note}</div>}
            </li>
          ))}
        </ul>
      )}
      {data.total > data.list.length && (
        <p className="small dim">{t('alarm.children_more', { n: data.total - data.list.length })}</p>
      )}
    </section>
  );
}

function endText({ end, person }: Row<'/api/v3/alarm/similar'>): string {
  if (end === null) return t('alarm.similar_open');
  return person ? t('alarm.similar_resolved_by', { name: person }) : t(`alarm.similar_${end}`);
}
