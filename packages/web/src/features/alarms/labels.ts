import type { AlarmKind, AlarmState } from '@yunxun/contract';
import {
  type AlarmThreshold,
  accountAlarmKinds,
  alarmThresholds,
  networkAlarmKinds,
} from '@yunxun/contract/alarm-kinds';
import type { Row } from '../../app/api.ts';
import { type MessageKey, t } from '../../app/i18n.ts';
import { mac } from '../../ui/format.ts';
import type { Tone } from '../../ui/status.tsx';

export type AlarmRow = Row<'/api/v3/alarm/list'>;

export const kinds = [
  'network_offline',
  'gateway_offline',
  'uplink_lost',
  'switch_offline',
  'ap_offline',
  'wan_down',
  'health_low',
  'memory_high',
  'channel_busy',
  'temperature_high',
  'load_high',
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
  'portal_failed',
  'console_disk',
  'sms_balance_low',
  'payment_difference',
] as const satisfies readonly AlarmKind[];

export const thresholds: Partial<Record<AlarmKind, AlarmThreshold>> = alarmThresholds;

export const networkKinds: readonly AlarmKind[] = networkAlarmKinds;
export const accountKinds: readonly AlarmKind[] = accountAlarmKinds;

export function unitText(kind: AlarmKind): string {
  const unit = thresholds[kind]?.unit ?? '';
  return unit === 'd' ? t('alarm.unit_days') : unit;
}

const stateTones: Record<AlarmState, Tone> = {
  firing: 'bad',
  acknowledged: 'info',
  silenced: 'none',
  recovered: 'ok',
};

export function stateText({ state, lasts }: Pick<AlarmRow, 'state' | 'lasts'>): string {
  return lasts ? t('alarm.state_closed') : t(`alarm.state_${state}`);
}

/** Only a problem that is over is green. */
export function stateTone({ state, lasts }: Pick<AlarmRow, 'state' | 'lasts'>): Tone {
  return lasts ? 'none' : stateTones[state];
}

/** Names the WAN, or the folder, where it is one of several. */
export function kindText({ kind, part }: Pick<AlarmRow, 'kind' | 'part'>): string {
  return part ? `${t(`alarm.kind_${kind}`)} · ${part}` : t(`alarm.kind_${kind}`);
}

export function nameText({ name, serial }: Pick<AlarmRow, 'name' | 'serial'>): string {
  return name || (serial === null ? t('alarm.account') : mac(serial));
}

const countTexts: Partial<Record<AlarmKind, MessageKey>> = {
  payment_difference: 'alarm.orders',
  sms_balance_low: 'alarm.messages_left',
};

export function valueText(kind: AlarmKind, value: number): string {
  const unit = unitText(kind);
  const counted = countTexts[kind];
  if (counted) return t(counted, { n: value });
  if (kind === 'port_slow') return `${value} Mbit/s`;
  return unit === '%' ? `${value}%` : `${value} ${unit}`.trim();
}
