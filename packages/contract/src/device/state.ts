/** Counters since boot, `delta_counters` since the last report. `tx`: download. */
export interface State {
  version?: number;
  exceptions?: Record<string, unknown>;
  unit?: StateUnit;
  radios?: readonly StateRadio[];
  interfaces?: readonly StateInterface[];
  'link-state'?: { upstream?: Record<string, LinkState>; downstream?: Record<string, LinkState> };
  'lldp-peers'?: {
    upstream?: Record<string, readonly LldpPeer[]>;
    downstream?: Record<string, readonly LldpPeer[]>;
  };
  captive?: Record<string, CaptiveGuest>;
  dynamic_vlans?: readonly unknown[];
  poe?: { consumption?: number; ports?: readonly { id?: number; status?: string; consumption?: number }[] };
  gps?: { latitude?: number; longitude?: number; elevation?: number };
  fingerprint?: Record<string, unknown>;
  /** Switches. */
  'mac-forwarding-table'?: Record<string, unknown>;
  'default-gateway'?: readonly unknown[];
  public_ip?: string;
}

export interface StateUnit {
  /** Unix seconds. */
  localtime?: number;
  /** Seconds. */
  uptime?: number;
  /** Over 1, 5 and 15 minutes. */
  load?: readonly number[];
  /** Percent; total first. */
  cpu_load?: readonly number[];
  /** Bytes. */
  memory?: { total?: number; free?: number; cached?: number; buffered?: number };
  /** Average and maximum, degrees Celsius. */
  temperature?: readonly number[];
  /** Switches, in watts. */
  poe?: {
    'max-power-budget'?: number;
    'power-consumed'?: number;
    'power-threshold'?: number;
    'power-status'?: string;
  };
}

export interface StateRadio {
  channel?: number;
  channels?: readonly number[];
  frequency?: readonly number[];
  /** MHz; text on older firmware. */
  channel_width?: number | string;
  /** dBm */
  tx_power?: number;
  phy?: string;
  band?: readonly string[] | string;
  temperature?: number;
  /** Percent. */
  chanUtil?: number;
  survey?: readonly RadioSurvey[];
  /** Older firmware, milliseconds. */
  active_ms?: number;
  busy_ms?: number;
  receive_ms?: number;
  transmit_ms?: number;
  noise?: number;
}

/** Milliseconds; noise in dBm. */
export interface RadioSurvey {
  frequency?: number;
  noise?: number;
  busy?: number;
  time?: number;
  time_rx?: number;
  time_tx?: number;
}

export interface Counters {
  rx_bytes?: number;
  rx_packets?: number;
  rx_errors?: number;
  rx_dropped?: number;
  tx_bytes?: number;
  tx_packets?: number;
  tx_errors?: number;
  tx_dropped?: number;
  multicast?: number;
  collisions?: number;
}

export interface StateInterface {
  /** `up0v0`, `down1v0`, … */
  name?: string;
  /** `/interfaces/<index>` */
  location?: string;
  uptime?: number;
  ipv4?: {
    addresses?: readonly string[];
    leasetime?: number;
    dhcp_server?: string;
    leases?: readonly { address?: string; assigned?: number; hostname?: string; mac?: string }[];
  };
  ipv6?: { addresses?: readonly { address?: string; valid?: number }[]; leases?: readonly unknown[] };
  /** Older firmware. */
  ipv6_addresses?: readonly unknown[];
  dns_servers?: readonly string[];
  ntp_server?: string;
  counters?: Counters;
  delta_counters?: Counters;
  clients?: readonly StateClient[];
  ssids?: readonly StateSsid[];
  'mesh-path'?: unknown;
}

export interface StateClient {
  mac?: string;
  ipv4_addresses?: readonly string[];
  ipv6_addresses?: readonly string[];
  /** `WAN`, `LAN1`, or a wireless interface. */
  ports?: readonly string[];
  last_seen?: number;
  fingerprint?: Fingerprint;
}

export interface Fingerprint {
  vendor?: string;
  device?: string;
  class?: string;
  device_name?: string;
}

export interface StateSsid {
  ssid?: string;
  bssid?: string;
  mode?: string;
  band?: string | readonly string[];
  phy?: string;
  radio?: { $ref?: string };
  frequency?: readonly number[];
  /** `/interfaces/<n>/ssids/<n>` */
  location?: string;
  iface?: string;
  counters?: Counters;
  delta_counters?: Counters;
  vlan_ifaces?: readonly unknown[];
  associations?: readonly Association[];
}

/** kbit/s and modulation. */
export interface StationRate {
  bitrate?: number;
  chwidth?: number;
  mcs?: number;
  nss?: number;
  sgi?: boolean;
  ht?: boolean;
  vht?: boolean;
  he?: boolean;
  eht?: boolean;
}

export interface Association {
  station?: string;
  bssid?: string;
  /** Seconds. */
  connected?: number;
  inactive?: number;
  /** dBm */
  rssi?: number;
  ack_signal?: number;
  ack_signal_avg?: number;
  rx_bytes?: number;
  tx_bytes?: number;
  rx_packets?: number;
  tx_packets?: number;
  tx_retries?: number;
  tx_failed?: number;
  rx_duration?: number;
  tx_duration?: number;
  rx_rate?: StationRate;
  tx_rate?: StationRate;
  dynamic_vlan?: number;
  /** Text, or a lease object. */
  ipaddr_v4?: unknown;
  ipaddr_v6?: unknown;
  fingerprint?: Fingerprint;
  wds_interface?: string;
  connection_type?: string;
  delta_counters?: Counters;
  tid_stats?: readonly unknown[];
}

export interface LinkState {
  /** 0 or 1; boolean on switches. */
  carrier?: number | boolean;
  /** Mbit/s; text on some boards. */
  speed?: number | string;
  duplex?: string;
  counters?: Counters;
  delta_counters?: Counters;
  /** Switches. */
  poe?: PortPower;
  ieee8021x?: Record<string, unknown>;
  'transceiver-info'?: Record<string, unknown>;
}

export interface PortPower {
  'class-requested'?: number;
  'class-assigned'?: number;
  /** mW */
  'output-power'?: number;
  /** mA */
  'output-current'?: number;
  'output-voltage'?: string;
  temp?: string;
  /** `delivering-power`, `searching`, `disabled`. */
  status?: string;
  'fault-status'?: string;
  counters?: Record<string, number>;
}

export interface LldpPeer {
  name?: string;
  mac?: string;
  description?: string;
  capability?: readonly string[];
  management_ips?: readonly string[];
  port_id?: string;
  port_descr?: string;
  port?: string;
}

/** From the guest's view. */
export interface CaptiveGuest {
  status?: 'Authenticated' | 'Garden';
  idle?: number;
  /** Seconds. */
  time?: number;
  ip4addr?: string;
  ip6addr?: string;
  packets_ul?: number;
  packets_dl?: number;
  bytes_ul?: number;
  bytes_dl?: number;
  username?: string;
}
