import { type AlarmKind, type AlarmLevel, type AlarmPreset, type AlarmRuleHours, alarms } from '@yunxun/contract';

/** Kinds with a threshold. */
export type MeasuredKind = keyof typeof alarms.alarmThresholds;

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

type Values = readonly [level: AlarmLevel, tolerance: number, threshold: number | null];

const values: Readonly<Record<AlarmKind, Readonly<Record<AlarmPreset, Values | null>>>> = {
  network_offline: of(['FATAL', 600, null], ['FATAL', 180, null], ['FATAL', 60, null]),
  gateway_offline: of(['FATAL', 600, null], ['FATAL', 180, null], ['FATAL', 60, null]),
  uplink_lost: of(['MIDDLE', 1800, null], ['MIDDLE', 300, null], ['FATAL', 120, null]),
  switch_offline: of(['MIDDLE', 1800, null], ['MIDDLE', 300, null], ['MIDDLE', 120, null]),
  ap_offline: of(['MIDDLE', 1800, null], ['MIDDLE', 300, null], ['MIDDLE', 120, null]),
  wan_down: of(['MIDDLE', 600, null], ['MIDDLE', 60, null], ['FATAL', 0, null]),
  health_low: of(['GENERAL', 3600, 40], ['GENERAL', 600, 60], ['GENERAL', 300, 75]),
  memory_high: of(['GENERAL', 3600, 98], ['GENERAL', 600, 95], ['GENERAL', 300, 85]),
  channel_busy: of(null, ['GENERAL', 1800, 85], ['GENERAL', 900, 70]),
  temperature_high: of(['MIDDLE', 1800, 95], ['MIDDLE', 600, 90], ['MIDDLE', 300, 80]),
  load_high: of(['GENERAL', 3600, 8], ['GENERAL', 900, 4], ['GENERAL', 600, 2]),
  config_failed: of(['MIDDLE', 0, null], ['MIDDLE', 0, null], ['MIDDLE', 0, null]),
  config_drifted: of(['GENERAL', 3600, null], ['GENERAL', 600, null], ['GENERAL', 0, null]),
  upgrade_failed: of(['MIDDLE', 0, null], ['MIDDLE', 0, null], ['MIDDLE', 0, null]),
  certificate_shared: of(['MIDDLE', 0, null], ['MIDDLE', 0, null], ['FATAL', 0, null]),
  peripheral_offline: of(['GENERAL', 3600, null], ['GENERAL', 600, null], ['MIDDLE', 300, null]),
  wan_latency_high: of(['GENERAL', 3600, 300], ['GENERAL', 600, 150], ['GENERAL', 300, 100]),
  wan_loss_high: of(['GENERAL', 3600, 20], ['GENERAL', 600, 10], ['MIDDLE', 300, 5]),
  device_crashed: of(['GENERAL', 0, null], ['MIDDLE', 0, null], ['MIDDLE', 0, null]),
  port_slow: of(['GENERAL', 3600, null], ['GENERAL', 600, null], ['MIDDLE', 300, null]),
  dhcp_pool_low: of(['MIDDLE', 1800, 98], ['MIDDLE', 600, 90], ['MIDDLE', 300, 80]),
  certificate_expiring: of(['MIDDLE', 0, 7], ['MIDDLE', 0, 30], ['MIDDLE', 0, 60]),
  backup_overdue: of(['GENERAL', 86_400, null], ['GENERAL', 10_800, null], ['MIDDLE', 3600, null]),
  storage_low: of(['MIDDLE', 3600, 98], ['MIDDLE', 600, 90], ['MIDDLE', 300, 80]),
  sdwan_path_changed: of(null, ['MIDDLE', 0, null], ['MIDDLE', 0, null]),
  sdwan_down: of(['FATAL', 600, null], ['FATAL', 60, null], ['FATAL', 0, null]),
};

/** Null: switched off. */
function of(quiet: Values | null, normal: Values, strict: Values): Record<AlarmPreset, Values | null> {
  return { quiet, normal, strict };
}

export function standardRule(kind: AlarmKind, preset: AlarmPreset = 'normal'): Rule {
  const own = values[kind][preset];
  const [level, tolerance, threshold] = own ?? values[kind].normal!;
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
