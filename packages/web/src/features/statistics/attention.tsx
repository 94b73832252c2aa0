import type { ReactNode } from 'react';
import type { Data } from '../../app/api.ts';
import { t } from '../../app/i18n.ts';
import type { Answer } from '../../ui/answer.tsx';
import { Button } from '../../ui/button.tsx';
import { count, mac } from '../../ui/format.ts';
import { Icon, type IconName } from '../../ui/icon.tsx';
import { openJobs } from '../../ui/job-drawer-state.ts';
import { jobName, reasonText } from '../../ui/job-name.ts';
import { Link } from '../../ui/link.tsx';
import { RelativeTime } from '../../ui/time.tsx';
import { StatCard } from './stat-card.tsx';
import './attention.css';

type Attended = Data<'/api/v3/overview/attention'>;

const LINES = [6, 6, 4, 3] as const;

export function AttentionCard({ answer }: { answer: Answer<Attended> }) {
  const { data } = answer;
  const total = data ? attentionTotal(data) : 0;
  return (
    <StatCard
      title={t('card.attention')}
      metric="attention"
      answer={answer}
      asOf={(attended) => attended.as_of}
      className="attention"
      actions={total > 0 && <span className="figure">{count(total)}</span>}
      height={200}
    >
      {(attended) => <Problems data={attended} />}
    </StatCard>
  );
}

export const attentionTotal = (data: Attended): number =>
  [data.config_failed, data.jobs_failed, data.waiting].reduce((all, { total }) => all + total, 0) +
  data.drifted +
  data.unknown;

function Problems({ data }: { data: Attended }) {
  const kinds = [data.config_failed, data.jobs_failed, data.waiting].filter(({ total }) => total > 0);
  const shown = LINES[kinds.length] ?? 3;
  return (
    <>
      <Group
        icon="alert"
        tone="bad"
        title={t('overview.config_failed')}
        total={data.config_failed.total}
        shown={shown}
        all="/networks"
        search={{ sync_state: 'failed' }}
      >
        {data.config_failed.list.slice(0, shown).map((row) => (
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
        shown={shown}
        all="/jobs"
        search={{ status: 'failed' }}
      >
        {data.jobs_failed.list.slice(0, shown).map((row) => (
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
      <Group
        icon="unlink"
        tone="warn"
        title={t('overview.drifted')}
        total={data.drifted}
        shown={0}
        all="/networks"
        search={{ sync_state: 'drifted' }}
      />
      <Group
        icon="info"
        tone="info"
        title={t('overview.unknown')}
        total={data.unknown}
        shown={0}
        all="/networks"
        search={{ status: 'unknown' }}
      />
      <Group
        icon="inbox"
        tone="info"
        title={t('overview.waiting')}
        total={data.waiting.total}
        shown={shown}
        all="/waiting_devices"
      >
        {data.waiting.list.slice(0, shown).map((row) => (
          <Line
            key={row.serial}
            to="/waiting_devices"
            name={mac(row.serial)}
            mono
            what={[
              row.model ?? t(`kind.${row.kind}`),
              t(row.gwid === null ? 'overview.waiting_line' : 'overview.unconfirmed_line'),
            ]}
            end={<span className="btn-link">{t(row.gwid === null ? 'overview.place' : 'waiting.confirm')}</span>}
          />
        ))}
      </Group>
    </>
  );
}

function Group(props: {
  icon: IconName;
  tone: 'bad' | 'warn' | 'info';
  title: string;
  total: number;
  shown: number;
  all: string;
  search?: Record<string, string>;
  children?: ReactNode;
}) {
  if (props.total === 0) return null;
  const all = (
    <Link to={props.all} search={props.search ?? {}}>
      {t('overview.show_all')}
    </Link>
  );
  return (
    <section className="attention-group">
      <h3 className={`attention-title tone-${props.tone}`}>
        <Icon name={props.icon} size={16} />
        {props.title}
        <span>{count(props.total)}</span>
        {props.shown === 0 && all}
      </h3>
      {props.children && <ul>{props.children}</ul>}
      {props.shown > 0 && props.total > props.shown && (
        <p className="small attention-more">
          <span className="dim">{t('overview.more', { n: props.total - props.shown })}</span> {all}
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
        <strong className={props.mono ? 'mono ellipsis' : 'ellipsis'} title={props.name}>
          {props.name}
        </strong>
        <span className="quiet ellipsis">{props.what.filter(Boolean).join(' · ')}</span>
        {props.end}
      </Link>
    </li>
  );
}
