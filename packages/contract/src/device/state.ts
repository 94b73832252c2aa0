/**
 * The state report (`params.state`). Absolute counters run since boot; `delta_counters` since the report before.
 * Seen from the access point: `tx` goes to the station (download), `rx` comes from it (upload).
 */
export interface State {
  version?: number;
  /** Collectors that crashed on the device. */
  exceptions?: Record<string, unknown>;
  unit?: StateUnit;
  radios?: readonly StateRadio[];
  interfaces?: readonly StateInterface[];
  'link-state'?: { upstream?: Record<string, LinkState>; downstream?: Record<string, LinkState> };
  'lldp-peers'?: {
    upstream?: Record<string, readonly LldpPeer[]>;
    downstream?: Record<string, readonly LldpPeer[]>;
  };
  /** By MAC of the guest. */
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

/** The box itself. */
export interface StateUnit {
  /** Unix seconds. */
  localtime?: number;
  /** Seconds. */
  uptime?: number;
  /** Load averages over 1, 5 and 15 minutes. */
  load?: readonly number[];
  /** Percent; the first is the total. */
  cpu_load?: readonly number[];
  /** Bytes. */
  memory?: { total?: number; free?: number; cached?: number; buffered?: number };
  /** Average and highest, degrees Celsius. */
  temperature?: readonly number[];
}

/** One radio. */
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

/** What a radio heard on one channel; times in milliseconds, noise in dBm. */
export interface RadioSurvey {
  frequency?: number;
  noise?: number;
  busy?: number;
  time?: number;
  time_rx?: number;
  time_tx?: number;
}

/** Traffic counters of a port, an interface, a network or a station. */
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

/** One interface of the configuration, with everyone on it. */
export interface StateInterface {
  /** `up0v0`, `down1v0`, … */
  name?: string;
  /** `/interfaces/<index in the configuration>` */
  location?: string;
  uptime?: number;
  ipv4?: {
    addresses?: readonly string[];
    leasetime?: number;
    dhcp_server?: string;
    leases?: readonly { address?: string; assigned?: number; hostname?: string; mac?: string }[];
  };
  ipv6?: { addresses?: readonly { address?: string; valid?: number }[]; leases?: readonly unknown[] };
  /** Older firmware, and the schema file. */
  ipv6_addresses?: readonly unknown[];
  dns_servers?: readonly string[];
  ntp_server?: string;
  counters?: Counters;
  delta_counters?: Counters;
  clients?: readonly StateClient[];
  ssids?: readonly StateSsid[];
  'mesh-path'?: unknown;
}

/** A wired or bridged neighbour. */
export interface StateClient {
  mac?: string;
  ipv4_addresses?: readonly string[];
  ipv6_addresses?: readonly string[];
  /** `WAN`, `LAN1`, or the name of a wireless interface. */
  ports?: readonly string[];
  last_seen?: number;
  fingerprint?: Fingerprint;
}

/** What kind of machine somebody is, by the device's own guess. */
export interface Fingerprint {
  vendor?: string;
  device?: string;
  class?: string;
  device_name?: string;
}

/** One wireless network on one radio. */
export interface StateSsid {
  ssid?: string;
  bssid?: string;
  mode?: string;
  band?: string | readonly string[];
  phy?: string;
  radio?: { $ref?: string };
  frequency?: readonly number[];
  /** `/interfaces/<n>/ssids/<n>` of the configuration. */
  location?: string;
  iface?: string;
  counters?: Counters;
  delta_counters?: Counters;
  vlan_ifaces?: readonly unknown[];
  associations?: readonly Association[];
}

/** Rate in kbit/s and how it is coded. */
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

/** One station on a wireless network. */
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

/** One socket of the box. */
export interface LinkState {
  carrier?: number;
  /** Mbit/s; text on some boards. */
  speed?: number | string;
  duplex?: string;
  counters?: Counters;
  delta_counters?: Counters;
  /** Switches. */
  poe?: Record<string, unknown>;
  ieee8021x?: Record<string, unknown>;
  'transceiver-info'?: Record<string, unknown>;
}

/** A neighbour by LLDP. */
export interface LldpPeer {
  name?: string;
  mac?: string;
  description?: string;
  capability?: readonly string[];
  management_ips?: readonly string[];
  port_id?: string;
  port_descr?: string;
}

/** A guest of the captive portal. Traffic in bytes, as seen by the guest: `ul` upload. */
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
