import type { Input } from '../../app/api.ts';

export type Plan = Input<'/api/v3/wireless_template/apply'>['plan'];

export interface PlanDraft {
  way: 'waves' | 'at_once';
  canary: string;
  share: string;
  rest: string;
  stop_above: string;
  /** Start: empty for at once, else `2026-11-20T08:05` in the person's time zone. */
  start: string;
  windows: boolean;
}

export const usualPlan: PlanDraft = {
  way: 'waves',
  canary: '2',
  share: '25',
  rest: '60',
  stop_above: '5',
  start: '',
  windows: false,
};

export const planLimits = { canary: [0, 20], share: [1, 100], rest: [0, 86_400], stop_above: [0, 100] } as const;
export type PlanNumber = keyof typeof planLimits;
export type PlanField = PlanNumber | 'start';
export const planNumbers = Object.keys(planLimits) as PlanNumber[];

/** Returns the plan; "all at once" has no failure threshold. */
export function planOf(draft: PlanDraft): Plan {
  const { canary, share, rest, stop_above, windows } = draft;
  if (draft.way === 'at_once') return { canary: 0, share: 100, rest: 0, stop_above: 100, windows };
  return { canary: Number(canary), share: Number(share), rest: Number(rest), stop_above: Number(stop_above), windows };
}
