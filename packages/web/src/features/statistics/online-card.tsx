import { t } from '../../app/i18n.ts';
import type { Answer } from '../../ui/answer.tsx';
import { Ring } from '../../ui/chart/rings.tsx';
import { count } from '../../ui/format.ts';
import { Link } from '../../ui/link.tsx';
import { StatusTag, statusTone } from '../../ui/status.tsx';
import type { Metric } from './explain.tsx';
import { StatCard } from './stat-card.tsx';
import type { StripData } from './strip/figures.ts';

const shown = ['online', 'offline', 'restarting', 'never_connected', 'unknown'] as const;

interface Props {
  answer: Answer<StripData>;
  kind: 'networks' | 'aps';
  title: string;
  metric: Metric;
  to: string;
}

export function OnlineCard({ answer, kind, title, metric, to }: Props) {
  return (
    <StatCard
      title={title}
      metric={metric}
      answer={answer}
      asOf={(data) => data.as_of}
      height={120}
      line={(data) => (data[kind].total === 0 ? t(`home.none_${kind}`) : null)}
    >
      {({ [kind]: counts }) => (
        <div className="online-card">
          <Link to={to}>
            <Ring
              part={counts.online}
              whole={counts.total}
              parts={shown.map((status) => ({ key: status, value: counts[status], tone: statusTone(status) }))}
              label={t('overview.ring', { name: title, online: counts.online, total: counts.total })}
            />
          </Link>
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
      )}
    </StatCard>
  );
}
