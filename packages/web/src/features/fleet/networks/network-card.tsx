import { t } from '../../../app/i18n.ts';
import { count } from '../../../ui/format.ts';
import { Link } from '../../../ui/link.tsx';
import { StatusTag, SyncChip } from '../../../ui/status.tsx';
import { RelativeTime } from '../../../ui/time.tsx';
import { Tags } from '../tag-list.tsx';
import type { NetworkRow } from './network-columns.tsx';

export function NetworkCard({ row }: { row: NetworkRow }) {
  const old = row.status !== 'online';
  return (
    <>
      <Link to={`/network/${row.gwid}`} className="card-name ellipsis" title={row.remark}>
        {row.remark}
      </Link>
      <span className="row">
        <StatusTag status={row.status} />
        {row.sync_state && (
          <SyncChip
            state={row.sync_state}
            trialUntil={row.trial_until}
            returnedAt={row.returned_at}
            reason={row.sync_reason}
          />
        )}
      </span>
      <dl className="facts">
        <dt>{t('networks.users')}</dt>
        <dd className={old ? 'stale' : undefined}>{row.online_user === null ? '—' : count(row.online_user)}</dd>
        <dt>{t('networks.aps')}</dt>
        <dd>{t('networks.of_total', { online: row.ap_online_num, total: row.ap_num })}</dd>
        <dt>{t('networks.last_seen')}</dt>
        <dd>
          <RelativeTime at={row.last_seen} />
        </dd>
      </dl>
      {row.tags.length > 0 && <Tags tags={row.tags} />}
    </>
  );
}
