import { textOf } from '../app/i18n.ts';

/** The name of a kind of job in the page's language. */
export function jobName(type: string): string {
  return textOf(`job_type.${type}`) ?? type;
}

/** A reason is a key of the catalogue, or the device's own words, shown as they are. */
export function reasonText(reason: string): string {
  return textOf(`job.${reason}`) ?? textOf(reason) ?? reason;
}

/** Whether an item waits for a device that is away; one that restarts, is upgraded or has yet to report waits for something else. */
export function awaitsReturn({ status, reason }: { status: string; reason: string | null }): boolean {
  return status === 'waiting_offline' && (reason === null || ['job.offline', 'job.never_connected'].includes(reason));
}
