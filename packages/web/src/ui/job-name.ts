import { textOf } from '../app/i18n.ts';

/** The name of a kind of job in the page's language. */
export function jobName(type: string): string {
  return textOf(`job_type.${type}`) ?? type;
}

/** A reason is a key of the catalogue, or the device's own words, shown as they are. */
export function reasonText(reason: string): string {
  return textOf(`job.${reason}`) ?? textOf(reason) ?? reason;
}
