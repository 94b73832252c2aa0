import { type AlarmKind, type AlarmLevel, type AlarmPreset, type AlarmRuleHours, alarms } from '@yunxun/contract';
import { type MeasuredKind, type PresetValues, presetValues } from './observations.ts';
import { sourceKinds } from './sources.ts';

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

const values: Readonly<Record<AlarmKind, PresetValues>> = {
  network_offline: presetValues(['FATAL', 600, null], ['FATAL', 180, null], ['FATAL', 60, null]),
  gateway_offline: presetValues(['FATAL', 600, null], ['FATAL', 180, null], ['FATAL', 60, null]),
  uplink_lost: presetValues(['MIDDLE', 1800, null], ['MIDDLE', 300, null], ['FATAL', 120, null]),
  switch_offline: presetValues(['MIDDLE', 1800, null], ['MIDDLE', 300, null], ['MIDDLE', 120, null]),
  ap_offline: presetValues(['MIDDLE', 1800, null], ['MIDDLE', 300, null], ['MIDDLE', 120, null]),
  wan_down: presetValues(['MIDDLE', 600, null], ['MIDDLE', 60, null], ['FATAL', 0, null]),
  health_low: presetValues(['GENERAL', 3600, 40], ['GENERAL', 600, 60], ['GENERAL', 300, 75]),
  memory_high: presetValues(['GENERAL', 3600, 98], ['GENERAL', 600, 95], ['GENERAL', 300, 85]),
  channel_busy: presetValues(null, ['GENERAL', 1800, 85], ['GENERAL', 900, 70]),
  temperature_high: presetValues(['MIDDLE', 1800, 95], ['MIDDLE', 600, 90], ['MIDDLE', 300, 80]),
  load_high: presetValues(['GENERAL', 3600, 8], ['GENERAL', 900, 4], ['GENERAL', 600, 2]),
  config_failed: presetValues(['MIDDLE', 0, null], ['MIDDLE', 0, null], ['MIDDLE', 0, null]),
  config_drifted: presetValues(['GENERAL', 3600, null], ['GENERAL', 600, null], ['GENERAL', 0, null]),
  certificate_shared: presetValues(['MIDDLE', 0, null], ['MIDDLE', 0, null], ['FATAL', 0, null]),
  wan_latency_high: presetValues(['GENERAL', 3600, 300], ['GENERAL', 600, 150], ['GENERAL', 300, 100]),
  wan_loss_high: presetValues(['GENERAL', 3600, 20], ['GENERAL', 600, 10], ['MIDDLE', 300, 5]),
  device_crashed: presetValues(['GENERAL', 0, null], ['MIDDLE', 0, null], ['MIDDLE', 0, null]),
  port_slow: presetValues(['GENERAL', 3600, null], ['GENERAL', 600, null], ['MIDDLE', 300, null]),
  certificate_expiring: presetValues(['MIDDLE', 0, 7], ['MIDDLE', 0, 30], ['MIDDLE', 0, 60]),
  storage_low: presetValues(['MIDDLE', 3600, 98], ['MIDDLE', 600, 90], ['MIDDLE', 300, 80]),
  ...sourceKinds,
};

export function standardRule(kind: AlarmKind, preset: AlarmPreset = 'normal'): Rule {
  const own = values[kind][preset];
  const [level, tolerance, threshold] = own ?? values[kind].normal;
  const scope: Rule['scope'] = { type: 'all', ids: [] };
  return { id: null, kind, enabled: own !== null, level, tolerance, threshold, scope, hours: null };
}

/** Keeps scope and hours. */
export function withPreset({ kind, scope, hours }: Rule, preset: AlarmPreset): Rule {
  return { ...standardRule(kind, preset), scope, hours };
}

/** In the order of screens. */
export const ruleKinds = Object.keys(values) as AlarmKind[];

export function exceeds(kind: MeasuredKind, value: number, threshold: number): boolean {
  return alarms.alarmThresholds[kind].worse === 'below' ? value < threshold : value >= threshold;
}
