import { textOf } from '../app/i18n.ts';

export function jobName(type: string): string {
  return textOf(`job_type.${type}`) ?? type;
}

/** Translates a reason key; the device's own text stays. */
export function reasonText(reason: string): string {
  return textOf(`job.${reason}`) ?? textOf(reason) ?? reason;
}

/** Excludes rebooting, upgrading and not yet reporting devices. */
export function awaitsReturn({ status, reason }: { status: string; reason: string | null }): boolean {
  return status === 'waiting_offline' && (reason === null || ['job.offline', 'job.never_connected'].includes(reason));
}
