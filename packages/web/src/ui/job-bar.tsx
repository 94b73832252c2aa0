import type { Data } from '../app/api.ts';
import { type MessageKey, t } from '../app/i18n.ts';
import { chosenName } from './network-labels.ts';

type Job = Data<'/api/v3/job/list'>['list'][number];

/** Formats counters, which add up to the total. */
export function sums(job: Job): string {
  const parts: [MessageKey, number][] = [
    ['jobs.sum_done', job.done],
    ['jobs.sum_failed', job.failed],
    ['jobs.sum_running', job.running],
    ['jobs.sum_waiting', job.waiting_offline],
    ['jobs.sum_queued', job.queued],
    ['jobs.sum_skipped', job.skipped],
  ];
  const texts = parts.filter(([, n]) => n > 0).map(([key, n]) => t(key, { n }));
  return [t('jobs.sum_total', { n: job.total }), ...texts].join(' · ');
}

export function aboutOf({ about, networks }: Job): string | null {
  return about ?? (networks > 0 ? chosenName(networks) : null);
}

/** Returns "running" while online devices work, "nothing" without items, "skipped" if all were skipped. */
export function shownStatus(job: Job): Job['status'] | 'skipped' | 'nothing' {
  if (job.total === 0) return 'nothing';
  if (job.status === 'waiting_offline' && job.running > 0) return 'running';
  return job.status === 'succeeded' && job.skipped === job.total ? 'skipped' : job.status;
}

/** Shows what has ended. */
export function JobBar({ job }: { job: Job }) {
  const share = (n: number) => `${job.total ? (n / job.total) * 100 : 0}%`;
  return (
    <span className="bar" role="img" aria-label={sums(job)}>
      <i style={{ width: share(job.done), background: 'var(--ok)' }} />
      <i style={{ width: share(job.failed), background: 'var(--bad)' }} />
      <i style={{ width: share(job.skipped), background: 'var(--ink-3)' }} />
    </span>
  );
}
