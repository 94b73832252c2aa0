import type { Data } from '../app/api.ts';
import { type MessageKey, t } from '../app/i18n.ts';

type Job = Data<'/api/v3/job/list'>['list'][number];

/** The sums of a job in one line; they always add up to its total. */
export function sums(job: Job): string {
  const parts: [MessageKey, number][] = [
    ['jobs.sum_done', job.done],
    ['jobs.sum_failed', job.failed],
    ['jobs.sum_waiting', job.waiting_offline],
    ['jobs.sum_skipped', job.skipped],
    ['jobs.sum_open', Math.max(0, job.open - job.waiting_offline)],
  ];
  const said = parts.filter(([, n]) => n > 0).map(([key, n]) => t(key, { n }));
  return [t('jobs.sum_total', { n: job.total }), ...said].join(' · ');
}

/** The status to show: work that was all skipped has not succeeded at anything, nor has work of which there was none. */
export function shownStatus(job: Job): Job['status'] | 'skipped' | 'nothing' {
  if (job.total === 0) return 'nothing';
  return job.status === 'succeeded' && job.skipped === job.total ? 'skipped' : job.status;
}

/** The sums as a bar. */
export function JobBar({ job }: { job: Job }) {
  const share = (n: number) => `${job.total ? (n / job.total) * 100 : 0}%`;
  return (
    <span className="bar" role="img" aria-label={sums(job)}>
      <i style={{ width: share(job.done), background: 'var(--ok)' }} />
      <i style={{ width: share(job.failed), background: 'var(--bad)' }} />
      <i style={{ width: share(job.waiting_offline), background: 'var(--warn)' }} />
      <i style={{ width: share(job.skipped), background: 'var(--ink-3)' }} />
    </span>
  );
}
