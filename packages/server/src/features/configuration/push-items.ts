import type { layers } from '@yunxun/contract';
import { asRecord } from '@yunxun/contract/device';
import type { JobItem } from '../jobs/index.ts';
import type { Assignment } from './layers/template-store.ts';
import type { PushReason, StageOutcome } from './planner.ts';

export const configurationJob = 'configuration';

export interface PushDetail {
  sha: string;
  staging: StageOutcome;
}

/** Compiled when the item runs, for thousands of items. */
export interface LaterDetail extends PushReason {
  staging: 'later';
  /** Assigned before compiling; with `from`, only in its place. */
  pin?: AssignmentChange;
}

export interface AssignmentChange {
  kind: layers.TemplateKind;
  to: Assignment | null;
  from?: Assignment | null;
  stands?: boolean;
}

export function detailOf({ detail }: Pick<JobItem, 'detail'>): PushDetail | LaterDetail {
  return asRecord<PushDetail>(detail) as PushDetail | LaterDetail;
}

export function assignmentOf(item: Pick<JobItem, 'detail'>): AssignmentChange | undefined {
  const detail = detailOf(item);
  return detail.staging === 'later' ? detail.pin : undefined;
}

/** Items of other holders wait. */
export function holderOf({ job_id, seq }: Pick<JobItem, 'job_id' | 'seq'>): string {
  return `${job_id}.${seq}`;
}

export function jobOfHolder(holder: string | null): string | undefined {
  return holder?.split('.')[0];
}
