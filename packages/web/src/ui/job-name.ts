import { textOf } from '../app/i18n.ts';

/** A cause may have a name of its own. */
export function jobName(type: string, cause: string | null = null): string {
  return textOf(`job_type.${type}.${cause}`) ?? textOf(`job_type.${type}`) ?? type;
}

/** Names the only device where the cause has a name of its own. */
export function jobTitle({ type, cause, about }: { type: string; cause: string | null; about: string | null }): string {
  const own = about === null ? null : textOf(`job_title.${type}.${cause}`, { name: about });
  return own ?? jobName(type, cause);
}

/** Translates a reason key; the device's own text stays. */
export function reasonText(reason: string): string {
  return textOf(`job.${reason}`) ?? textOf(reason) ?? reason;
}

/** Excludes rebooting, upgrading and not yet reporting devices. */
export function awaitsReturn({ status, reason }: { status: string; reason: string | null }): boolean {
  return status === 'waiting_offline' && (reason === null || ['job.offline', 'job.never_connected'].includes(reason));
}
