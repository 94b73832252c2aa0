import type { Capabilities } from './capabilities.ts';
import type { State } from './state.ts';

/**
 * Parameters of the messages a device sends, in the shape it means them. Everything is optional on the wire and nothing
 * may be trusted: a consumer looks at them as `Wire<ConnectParams>` and so on.
 */

/** Why a device (re)connected: `socket` is a plain reconnect, the rest are causes of a boot. */
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
/** One of `connectReasons`. */
export type ConnectReason = (typeof connectReasons)[number];

/** First message of a session. Switches leave `reason` out and send the event `device.reboot` right after. */
export interface ConnectParams {
  serial: string;
  firmware: string;
  /** Active configuration; 0 in a recovery boot, 1 on an unconfigured access point. */
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

/** Findings of a health check: keys are present only where something fails. */
export interface HealthData {
  unit?: { memory?: number };
  interfaces?: Record<string, HealthInterface>;
  radios?: Record<string, { failed_ssids?: Record<string, 'missing' | 'no_channel'>; phy?: string; prefix?: string }>;
  rrm_chanutil?: boolean;
}

/** What fails on one interface; false means that the check failed. */
export interface HealthInterface {
  location?: string;
  dhcp?: boolean;
  dns?: boolean;
  ssids?: Record<string, boolean>;
  radius?: Record<string, boolean>;
  warning?: readonly string[];
}

/** `sanity` is 0…100: the share of checks that passed. */
export interface HealthcheckParams {
  serial: string;
  uuid: number;
  sanity: number;
  data: HealthData;
  request_uuid?: string;
}

/** `severity` as syslog: 0 emergency … 7 debug. */
export interface LogParams {
  serial: string;
  log: string;
  severity: number;
  data?: unknown;
}

/** One realtime event: unix seconds (0 from some switches) and its body. */
export interface EventParams {
  serial: string;
  data: { event: readonly [number, { type: string; payload: Record<string, unknown> }] };
}

/** Streamed telemetry: per type, pairs of unix seconds and payload. Sent even when empty. */
export interface TelemetryParams {
  serial: string;
  data: Record<string, readonly (readonly [number, unknown])[]>;
  /** Set when the configuration asked for it, not a command. */
  adhoc?: number;
}

/** One network heard by a scan. */
export interface WifiScanEntry {
  bssid: string;
  ssid?: string;
  frequency?: number;
  channel?: number;
  /** dBm */
  signal?: number;
  sta_count?: number;
  ch_util?: number;
  tsf?: number;
  last_seen?: number;
  capability?: number;
  ies?: readonly unknown[];
  tip_serial?: string;
  tip_name?: string;
  tip_network_id?: number;
}

/** Periodic scan, only when `metrics.wifi-scan` asks for it. */
export interface WifiScanParams {
  serial: string;
  uuid: number;
  data: readonly WifiScanEntry[];
}

/** Switches only. */
export interface AlarmParams {
  serial: string;
  data: unknown;
}

/** Crash or console log of the boot before; `date` in unix seconds. `crashlog` of the document has the same body. */
export interface RebootLogParams {
  serial: string;
  uuid: number;
  type: 'crashlog' | 'console';
  date: number;
  info: readonly string[];
}

/** Sent instead of working normally after a failed boot; `reboot: "true"` asks to be told to reboot. */
export interface RecoveryParams {
  serial: string;
  uuid: number;
  firmware: string;
  reboot: boolean | string;
  loglines: readonly string[];
}

/** The device changed its own password: store it encrypted. */
export interface DeviceUpdateParams {
  serial: string;
  currentPassword: string;
}

/** To be relayed to the other devices of the same venue. */
export interface VenueBroadcastParams {
  serial: string;
  timestamp: number;
  data: unknown;
}

/** Defined by the protocol; today's access points never send it. */
export interface PingParams {
  serial: string;
  uuid: number;
  active?: number;
}

/** Defined by the protocol; today's access points never send it. */
export interface ConfigPendingParams {
  serial: string;
  active: number;
  uuid: number;
}
