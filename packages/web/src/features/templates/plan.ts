import type { Input } from '../../app/api.ts';

export type Plan = Input<'/api/v3/wireless_template/apply'>['plan'];

/** A plan while it is filled in; numbers as they were typed. */
export interface PlanDraft {
  way: 'waves' | 'at_once';
  canary: string;
  share: string;
  rest: string;
  stop_above: string;
  /** When it begins: at once, or at a time of the person's own clock (`datetime-local`). */
  start: string;
  /** Each device waits for its network's maintenance window. */
  windows: boolean;
}

export const usualPlan: PlanDraft = {
  ...{ way: 'waves', canary: '2', share: '25', rest: '60', stop_above: '5', start: '' },
  windows: false,
};

export const planLimits = { canary: [0, 20], share: [1, 100], rest: [0, 86_400], stop_above: [0, 100] } as const;
export type PlanField = keyof typeof planLimits;
export const planFields = Object.keys(planLimits) as PlanField[];

/** The plan that a draft means; all at once knows no stop. */
export function planOf(draft: PlanDraft): Plan {
  const { canary, share, rest, stop_above, windows } = draft;
  if (draft.way === 'at_once') return { canary: 0, share: 100, rest: 0, stop_above: 100, windows };
  return { canary: Number(canary), share: Number(share), rest: Number(rest), stop_above: Number(stop_above), windows };
}
