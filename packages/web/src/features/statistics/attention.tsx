import type { ReactNode } from 'react';
import type { Data } from '../../app/api.ts';
import { t } from '../../app/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { Empty } from '../../ui/empty.tsx';
import { count, duration, mac } from '../../ui/format.ts';
import { Icon, type IconName } from '../../ui/icon.tsx';
import { openJobs } from '../../ui/job-drawer-state.ts';
import { jobName, reasonText } from '../../ui/job-name.ts';
import { Link } from '../../ui/link.tsx';
import { Card } from '../../ui/page.tsx';
import { StatusTag } from '../../ui/status.tsx';
import { RelativeTime, useNow } from '../../ui/time.tsx';

/** Lines of each kind; the list behind them has the rest. */
const SHOWN = 6;

type Answer = Data<'/api/v3/overview/attention'>;

/** Everything that needs somebody, worst first; nothing here means that nothing does. */
export function Attention({ data }: { data: Answer }) {
  const now = useNow();
  const total = data.offline.total + data.config_failed.total + data.jobs_failed.total + data.waiting.total;
  if (total === 0) {
    return (
      <Card title={t('overview.attention')}>
        <Empty icon="check" title={t('overview.calm')}>
          {t('overview.calm_body')}
        </Empty>
      </Card>
    );
  }
  return (
    <Card title={t('overview.attention')} acts={<span className="figure">{count(total)}</span>} flush>
      <Group
        icon="power"
        tone="bad"
        title={t('overview.offline')}
        total={data.offline.total}
        all="/networks"
        search={{ status: 'offline' }}
      >
        {data.offline.list.slice(0, SHOWN).map((row) => (
          <Line
            key={row.serial ?? row.gwid ?? row.remark}
            to={row.gwid ? `/network/${row.gwid}` : '/waiting_devices'}
            search={row.type === 'device' && row.serial ? { tab: 'devices', device: row.serial } : {}}
            name={row.remark || mac(row.serial ?? '')}
            what={[
              row.since
                ? t('overview.offline_for', { time: duration((now - Date.parse(row.since)) / 1000) })
                : t('status.never_connected'),
              row.online_user ? t('overview.offline_users', { n: row.online_user }) : '',
            ]}
            end={<StatusTag status="offline" />}
          />
        ))}
      </Group>
      <Group
        icon="alert"
        tone="bad"
        title={t('overview.config_failed')}
        total={data.config_failed.total}
        all="/networks"
        search={{ sync_state: 'failed' }}
      >
        {data.config_failed.list.slice(0, SHOWN).map((row) => (
          <Line
            key={row.serial ?? row.remark}
            to={row.gwid ? `/network/${row.gwid}` : '/networks'}
            search={row.serial ? { tab: 'devices', device: row.serial } : {}}
            name={row.remark || mac(row.serial ?? '')}
            what={[row.reason ? reasonText(row.reason) : '']}
            end={<RelativeTime at={row.since} />}
          />
        ))}
      </Group>
      <Group
        icon="tasks"
        tone="warn"
        title={t('overview.jobs_failed')}
        total={data.jobs_failed.total}
        all="/jobs"
        search={{ status: 'failed' }}
      >
        {data.jobs_failed.list.slice(0, SHOWN).map((row) => (
          <li key={row.job_id} className="attention-line">
            <strong>{jobName(row.type)}</strong>
            <span className="quiet">{t('overview.job_failed_sum', { total: row.total, failed: row.failed })}</span>
            <span className="row">
              <RelativeTime at={row.finished_at} />
              <Button kind="link" onClick={() => openJobs(row.job_id)}>
                {t('overview.open_job')}
              </Button>
            </span>
          </li>
        ))}
      </Group>
      <Group icon="inbox" tone="info" title={t('overview.waiting')} total={data.waiting.total} all="/waiting_devices">
        {data.waiting.list.slice(0, SHOWN).map((row) => (
          <Line
            key={row.serial}
            to="/waiting_devices"
            name={mac(row.serial)}
            mono
            what={[row.model ?? t(`kind.${row.kind}`), t('overview.waiting_line')]}
            end={<span className="btn-link">{t('overview.place')}</span>}
          />
        ))}
      </Group>
    </Card>
  );
}

function Group(props: {
  icon: IconName;
  tone: 'bad' | 'warn' | 'info';
  title: string;
  total: number;
  /** The list that has all of them. */
  all: string;
  search?: Record<string, string>;
  children: ReactNode;
}) {
  if (props.total === 0) return null;
  return (
    <section className="attention-group">
      <h3 className={`attention-title tone-${props.tone}`}>
        <Icon name={props.icon} size={16} />
        {props.title}
        <span>{count(props.total)}</span>
      </h3>
      <ul>{props.children}</ul>
      {props.total > SHOWN && (
        <p className="small attention-more">
          <span className="dim">{t('overview.more', { n: props.total - SHOWN })}</span>{' '}
          <Link to={props.all} search={props.search ?? {}}>
            {t('overview.show_all')}
          </Link>
        </p>
      )}
    </section>
  );
}

function Line(props: {
  to: string;
  search?: Record<string, string>;
  name: string;
  mono?: boolean;
  what: readonly string[];
  end: ReactNode;
}) {
  return (
    <li>
      <Link to={props.to} search={props.search ?? {}} className="attention-line">
        <strong className={props.mono ? 'mono ellipsis' : 'ellipsis'}>{props.name}</strong>
        <span className="quiet ellipsis">{props.what.filter(Boolean).join(' · ')}</span>
        {props.end}
      </Link>
    </li>
  );
}
