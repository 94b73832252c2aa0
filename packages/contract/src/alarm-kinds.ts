/** Kinds with a source. */
export const alarmKinds = [
  'network_offline',
  'gateway_offline',
  'switch_offline',
  'ap_offline',
  'wan_down',
  'health_low',
  'memory_high',
  'channel_busy',
  'temperature_high',
  'config_failed',
  'config_drifted',
  'upgrade_failed',
  'certificate_shared',
  'peripheral_offline',
  'wan_latency_high',
  'wan_loss_high',
  'device_crashed',
  'port_slow',
  'dhcp_pool_low',
  'certificate_expiring',
  'backup_overdue',
  'storage_low',
  'sdwan_path_changed',
  'sdwan_down',
  'uplink_lost',
  'load_high',
  'portal_failed',
  'console_disk',
  'sms_balance_low',
  'payment_difference',
] as const;
export type AlarmKind = (typeof alarmKinds)[number];

export const networkAlarmKinds = [
  'network_offline',
  'uplink_lost',
  'backup_overdue',
  'portal_failed',
] as const satisfies readonly AlarmKind[];

/** About the account or the console, not about a network. */
export const accountAlarmKinds = [
  'console_disk',
  'sms_balance_low',
  'payment_difference',
] as const satisfies readonly AlarmKind[];

export interface AlarmThreshold {
  unit: string;
  min: number;
  max: number;
  /** Side of a problem. */
  worse: 'above' | 'below';
}

export const alarmThresholds = {
  health_low: { unit: '%', min: 1, max: 99, worse: 'below' },
  memory_high: { unit: '%', min: 50, max: 100, worse: 'above' },
  channel_busy: { unit: '%', min: 20, max: 100, worse: 'above' },
  temperature_high: { unit: '°C', min: 40, max: 120, worse: 'above' },
  /** Of one minute, as the device reports it. */
  load_high: { unit: '', min: 1, max: 100, worse: 'above' },
  /** Failed sign-ins of 30 minutes. */
  portal_failed: { unit: '', min: 5, max: 10_000, worse: 'above' },
  wan_latency_high: { unit: 'ms', min: 10, max: 10_000, worse: 'above' },
  wan_loss_high: { unit: '%', min: 1, max: 100, worse: 'above' },
  dhcp_pool_low: { unit: '%', min: 50, max: 100, worse: 'above' },
  certificate_expiring: { unit: 'd', min: 1, max: 180, worse: 'below' },
  console_disk: { unit: '%', min: 50, max: 100, worse: 'above' },
  storage_low: { unit: '%', min: 50, max: 100, worse: 'above' },
} as const satisfies Partial<Record<AlarmKind, AlarmThreshold>>;
