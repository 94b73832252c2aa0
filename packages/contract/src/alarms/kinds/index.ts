import type { AlarmKindParts, AlarmThreshold } from '../kind.ts';
import { apOffline } from './ap-offline.ts';
import { backupOverdue } from './backup-overdue.ts';
import { certificateExpiring } from './certificate-expiring.ts';
import { certificateShared } from './certificate-shared.ts';
import { channelBusy } from './channel-busy.ts';
import { configDrifted } from './config-drifted.ts';
import { configFailed } from './config-failed.ts';
import { consoleDisk } from './console-disk.ts';
import { deviceCrashed } from './device-crashed.ts';
import { dhcpPoolLow } from './dhcp-pool-low.ts';
import { gatewayOffline } from './gateway-offline.ts';
import { healthLow } from './health-low.ts';
import { loadHigh } from './load-high.ts';
import { memoryHigh } from './memory-high.ts';
import { networkOffline } from './network-offline.ts';
import { paymentDifference } from './payment-difference.ts';
import { paymentException } from './payment-exception.ts';
import { peripheralOffline } from './peripheral-offline.ts';
import { portSlow } from './port-slow.ts';
import { portalFailed } from './portal-failed.ts';
import { sdwanDown } from './sdwan-down.ts';
import { sdwanPathChanged } from './sdwan-path-changed.ts';
import { smsBalanceLow } from './sms-balance-low.ts';
import { storageLow } from './storage-low.ts';
import { switchOffline } from './switch-offline.ts';
import { temperatureHigh } from './temperature-high.ts';
import { upgradeFailed } from './upgrade-failed.ts';
import { uplinkLost } from './uplink-lost.ts';
import { wanDown } from './wan-down.ts';
import { wanLatencyHigh } from './wan-latency-high.ts';
import { wanLossHigh } from './wan-loss-high.ts';

export type { AlarmKindParts, AlarmPreset, AlarmSubject, AlarmThreshold, AlarmUnit } from '../kind.ts';
export { type AlarmGroup, alarmGroups } from '../kind.ts';

/** In the order of screens. */
const parts = {
  network_offline: networkOffline,
  gateway_offline: gatewayOffline,
  uplink_lost: uplinkLost,
  switch_offline: switchOffline,
  ap_offline: apOffline,
  wan_down: wanDown,
  health_low: healthLow,
  memory_high: memoryHigh,
  channel_busy: channelBusy,
  temperature_high: temperatureHigh,
  load_high: loadHigh,
  config_failed: configFailed,
  config_drifted: configDrifted,
  certificate_shared: certificateShared,
  wan_latency_high: wanLatencyHigh,
  wan_loss_high: wanLossHigh,
  device_crashed: deviceCrashed,
  port_slow: portSlow,
  certificate_expiring: certificateExpiring,
  storage_low: storageLow,
  backup_overdue: backupOverdue,
  dhcp_pool_low: dhcpPoolLow,
  upgrade_failed: upgradeFailed,
  peripheral_offline: peripheralOffline,
  portal_failed: portalFailed,
  sdwan_path_changed: sdwanPathChanged,
  sdwan_down: sdwanDown,
  console_disk: consoleDisk,
  sms_balance_low: smsBalanceLow,
  payment_difference: paymentDifference,
  payment_exception: paymentException,
} as const satisfies Readonly<Record<string, AlarmKindParts>>;

export type AlarmKind = keyof typeof parts;
export type MeasuredKind = {
  [K in AlarmKind]: (typeof parts)[K] extends { threshold: AlarmThreshold } ? K : never;
}[AlarmKind];

export type AlarmNameKey = `alarm.kind_${AlarmKind | 'licence_expiring'}`;
export type AlarmSentenceKey = `alarm.${AlarmKind}`;

export const kindParts: Readonly<Record<AlarmKind, AlarmKindParts>> = parts;
export const alarmKinds = Object.keys(parts) as AlarmKind[];
