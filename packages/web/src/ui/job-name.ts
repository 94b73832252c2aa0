import { textOf } from '../app/i18n.ts';

export function jobName(type: string): string {
  return textOf(`job_type.${type}`) ?? type;
}

/** Translates a reason key; returns other text, the device's own, unchanged. */
export function reasonText(reason: string): string {
  return textOf(`job.${reason}`) ?? textOf(reason) ?? reason;
}

/**
 * Returns whether the item waits for an offline device; rebooting, upgrading and not yet reporting devices are other
 * cases.
 */
export function awaitsReturn({ status, reason }: { status: string; reason: string | null }): boolean {
  return status === 'waiting_offline' && (reason === null || ['job.offline', 'job.never_connected'].includes(reason));
}
