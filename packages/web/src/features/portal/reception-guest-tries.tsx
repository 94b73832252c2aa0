import { t } from '../../app/i18n.ts';
import { useRead } from '../../app/use-call.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Empty, Failed } from '../../ui/empty.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { ShortTime } from '../../ui/time.tsx';
import { type ActedGuest, nameOf } from './reception-guest.ts';
import { adviceText, failureText, wayText } from './reception-words.ts';

const shown = 20;

export function GuestTries({ gwid, guest, onClose }: { gwid: string; guest: ActedGuest; onClose: () => void }) {
  const asked = { gwid, id: guest.id, limit: shown };
  const { data, error, refetch } = useRead('/api/v3/portal/reception/try/list', asked);
  return (
    <Dialog title={t('reception.tries_of', { name: nameOf(guest) })} onClose={onClose}>
      {error && !data && <Failed small error={error} retry={() => void refetch()} />}
      {!error && !data && <Skeleton height={120} />}
      {data?.list.length === 0 && (
        <Empty small icon="check" title={t('reception.tries_empty')}>
          {t('reception.tries_empty_body')}
        </Empty>
      )}
      {data && (
        <ul className="reception-tries">
          {data.list.map(({ id, at, way, reason, exempt }) => (
            <li key={id} className="reception-reason">
              <strong>{failureText(reason)}</strong>
              <span className="small">{adviceText(reason)}</span>
              <span className="small dim">
                <ShortTime at={at} /> {wayText(way)}
              </span>
              {exempt && <span className="small">{t('reception.exempt')}</span>}
            </li>
          ))}
        </ul>
      )}
    </Dialog>
  );
}
