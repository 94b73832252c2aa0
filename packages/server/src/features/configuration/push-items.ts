import type { layers } from '@yunxun/contract';
import { asRecord } from '@yunxun/contract/device';
import type { JobItem } from '../jobs/service.ts';
import type { Pin } from './layers/store.ts';
import type { Staging, Wish } from './planner.ts';

/** The type of the jobs that bring configurations to devices. */
export const configurationJob = 'configuration';

/** What an item of a configuration job remembers. */
export interface PushDetail {
  /** The document it is about. */
  sha: string;
  staging: Staging;
}

/** An item whose document is compiled when it runs: there may be thousands of them. */
export interface LaterDetail extends Wish {
  staging: 'later';
  /** Before that the device is to run this version of a template; with `from`, only while it has that one. */
  pin?: PinChange;
}

export interface PinChange {
  kind: layers.TemplateKind;
  to: Pin | null;
  from?: Pin | null;
  /** From then on it stands for the network or group by which it came. */
  stands?: boolean;
}

/** What an item remembers. */
export function detailOf({ detail }: Pick<JobItem, 'detail'>): PushDetail | LaterDetail {
  return asRecord<PushDetail>(detail) as PushDetail | LaterDetail;
}

/** The template that an item gives its device, if it does. */
export function pinOf(item: Pick<JobItem, 'detail'>): PinChange | undefined {
  const detail = detailOf(item);
  return detail.staging === 'later' ? detail.pin : undefined;
}

/** Which item of a job holds a push: nobody else sends to the device meanwhile. */
export function holderOf({ job_id, seq }: Pick<JobItem, 'job_id' | 'seq'>): string {
  return `${job_id}.${seq}`;
}

/** The job whose item holds a push. */
export function jobOfHolder(holder: string | null): string | undefined {
  return holder?.split('.')[0];
}
