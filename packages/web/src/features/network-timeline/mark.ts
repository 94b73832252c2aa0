import { useNavigate } from '@tanstack/react-router';
import type { Data } from '../../app/api.ts';
import { openJobs } from '../../ui/job-drawer-state.ts';

export type Timeline = Data<'/api/v3/network/timeline'>;
export type Mark = Timeline['marks'][number];

export const lookBackMs = 2 * 3_600_000;

export const markKey = (mark: Mark): string =>
  [mark.kind, mark.at, mark.job_id, mark.alarm?.id, mark.serial, mark.cause].join(' ');

/** For a mark without a job. */
export function searchOf(mark: Mark): { tab: string; device?: string } {
  return mark.serial ? { tab: 'devices', device: mark.serial } : { tab: 'events' };
}

/** Its job, alarm, device, or the network's outages. */
export function useOpenMark(): (mark: Mark) => void {
  const navigate = useNavigate();
  return (mark) => {
    if (mark.job_id) openJobs(mark.job_id);
    else if (mark.alarm) void navigate({ to: '/alarm', search: { alarm: mark.alarm.id } as never });
    else void navigate({ to: '.', search: searchOf(mark) as never });
  };
}

/** Or reach into it. Milliseconds. */
export function marksWithin(marks: readonly Mark[], from: number, to: number): Mark[] {
  return marks.filter(({ at, until }) => {
    const end = until === null ? Number.POSITIVE_INFINITY : Date.parse(until);
    return Date.parse(at) <= to && end >= from;
  });
}
