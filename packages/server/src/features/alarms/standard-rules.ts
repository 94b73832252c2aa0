import type { AlarmKind, AlarmLevel, AlarmPreset, AlarmRuleHours } from '@yunxun/contract';
import { alarmKinds, kindParts, type MeasuredKind } from '@yunxun/contract/alarm-kinds';

export interface Rule {
  /** Null: the main rule of its kind. */
  id: string | null;
  kind: AlarmKind;
  enabled: boolean;
  level: AlarmLevel;
  /** Seconds before a problem is an alarm. */
  tolerance: number;
  threshold: number | null;
  scope: { type: 'all' | 'networks' | 'groups'; ids: string[] };
  /** Null: always. */
  hours: AlarmRuleHours[] | null;
}

export function standardRule(kind: AlarmKind, preset: AlarmPreset = 'normal'): Rule {
  const { presets } = kindParts[kind];
  const own = presets[preset];
  const [level, tolerance, threshold] = own ?? presets.normal;
  const scope: Rule['scope'] = { type: 'all', ids: [] };
  return { id: null, kind, enabled: own !== null, level, tolerance, threshold, scope, hours: null };
}

/** Keeps scope and hours. */
export function withPreset({ kind, scope, hours }: Rule, preset: AlarmPreset): Rule {
  return { ...standardRule(kind, preset), scope, hours };
}

export const standardRules = (): Rule[] => alarmKinds.map((kind) => standardRule(kind));

export function exceeds(kind: AlarmKind, value: number, threshold: number): boolean {
  return kindParts[kind].threshold?.worse === 'below' ? value < threshold : value >= threshold;
}

/** Returns the mildest threshold, so that one query finds any account's problems. */
export function mildest(rules: readonly Rule[]): (kind: MeasuredKind) => number {
  return (kind) => {
    const all = rules.flatMap((rule) => (rule.kind === kind ? (rule.threshold ?? []) : []));
    return kindParts[kind].threshold?.worse === 'below' ? Math.max(...all) : Math.min(...all);
  };
}
