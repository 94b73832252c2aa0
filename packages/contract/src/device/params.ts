import type { Capabilities } from './capabilities.ts';
import type { State } from './state.ts';

/** Optional and untrusted: use `Wire<ConnectParams>`. */

/** `socket`: plain reconnect; else boot causes. */
export const connectReasons = [
  'socket',
  'coldboot',
  'reboot',
  'upgrade',
  'upgradefailed',
  'crashlog',
  'recovery',
  'factory',
  'transfer',
  'certupdate',
  'fixedconfig',
] as const;
export type ConnectReason = (typeof connectReasons)[number];

/** Switches send `device.reboot` instead of `reason`. */
export interface ConnectParams {
  serial: string;
  firmware: string;
  /** 0 in recovery, 1 unconfigured. */
  uuid: number;
  reason?: ConnectReason;
  capabilities: Capabilities;
  password?: string;
  defaults?: { country?: string };
  discovery?: { type?: 'DHCP' | 'FLASH' | 'STANDARD_FQDN' | 'OpenLAN'; updated?: number };
  wanip?: readonly string[];
  restricted?: number;
  'udhcpc-vsi'?: Record<string, unknown>;
}

/** Periodic report; usually compressed. */
export interface StateParams {
  serial: string;
  uuid: number;
  state: State;
  request_uuid?: string;
}

/** Only failing checks have keys. */
export interface HealthData {
  unit?: { memory?: number };
  interfaces?: Record<string, HealthInterface>;
  radios?: Record<string, { failed_ssids?: Record<string, 'missing' | 'no_channel'>; phy?: string; prefix?: string }>;
  rrm_chanutil?: boolean;
}

export interface HealthInterface {
  location?: string;
  dhcp?: boolean;
  dns?: boolean;
  ssids?: Record<string, boolean>;
  radius?: Record<string, boolean>;
  warning?: readonly string[];
}

/** `sanity`: percent passed. */
export interface HealthcheckParams {
  serial: string;
  uuid: number;
  sanity: number;
  data: HealthData;
  request_uuid?: string;
}

/** `severity`: 0 emergency … 7 debug. */
export interface LogParams {
  serial: string;
  log: string;
  severity: number;
  data?: unknown;
}

/** Unix seconds (0 from some switches) and body. */
export interface EventParams {
  serial: string;
  data: { event: readonly [number, { type: string; payload: Record<string, unknown> }] };
}

/** Pairs of Unix seconds and payload per type. */
export interface TelemetryParams {
  serial: string;
  data: Record<string, readonly (readonly [number, unknown])[]>;
  /** By configuration, not command. */
  adhoc?: number;
}

export interface WifiScanEntry {
  bssid: string;
  ssid?: string;
  frequency?: number;
  channel?: number;
  /** dBm */
  signal?: number;
  sta_count?: number;
  /** BSS Load utilization, 0-255. */
  ch_util?: number;
  tsf?: number;
  last_seen?: number;
  capability?: number;
  ies?: readonly unknown[];
  tip_serial?: string;
  tip_name?: string;
  tip_network_id?: number;
}

/** Periodic scan; requires `metrics.wifi-scan`. */
export interface WifiScanParams {
  serial: string;
  uuid: number;
  data: readonly WifiScanEntry[];
}

export interface AlarmParams {
  serial: string;
  data: unknown;
}

/** Of the previous boot; `date` in Unix seconds. */
export interface RebootLogParams {
  serial: string;
  uuid: number;
  type: 'crashlog' | 'console';
  date: number;
  info: readonly string[];
}

/** `reboot: "true"` asks for a reboot. */
export interface RecoveryParams {
  serial: string;
  uuid: number;
  firmware: string;
  reboot: boolean | string;
  loglines: readonly string[];
}

/** Store encrypted. */
export interface DeviceUpdateParams {
  serial: string;
  currentPassword: string;
}

/** Relay to the venue's other devices. */
export interface VenueBroadcastParams {
  serial: string;
  timestamp: number;
  data: unknown;
}

/** Never sent by current access points. */
export interface PingParams {
  serial: string;
  uuid: number;
  active?: number;
}

/** Never sent by current access points. */
export interface ConfigPendingParams {
  serial: string;
  active: number;
  uuid: number;
}
