import type { Data } from '../../app/api.ts';
import { t } from '../../app/i18n.ts';
import { count } from '../../ui/format.ts';
import { Link } from '../../ui/link.tsx';
import { Card } from '../../ui/page.tsx';
import { StatusTag } from '../../ui/status.tsx';
import { Ring } from './ring.tsx';

type Counts = Data<'/api/v3/overview/attention'>['networks'];
const shown = ['online', 'offline', 'restarting', 'never_connected', 'unknown'] as const;

/** How many of a kind are online, and in which state the others are; every number opens the list it counts. */
export function OnlineCard({ title, counts, to }: { title: string; counts: Counts; to: string }) {
  return (
    <Card title={title}>
      <div className="online-card">
        <Ring
          part={counts.online}
          whole={counts.total}
          label={t('overview.ring', { name: title, online: counts.online, total: counts.total })}
        />
        <ul>
          {shown
            .filter((status) => counts[status] > 0 || status === 'online' || status === 'offline')
            .map((status) => (
              <li key={status}>
                <Link to={to} search={{ status }} className="online-line">
                  <StatusTag status={status} />
                  <span>{count(counts[status])}</span>
                </Link>
              </li>
            ))}
        </ul>
      </div>
    </Card>
  );
}
