import type { configuration, DeviceKind, gateway, layers, switches } from '@yunxun/contract';
import type { Capabilities, EdgeFoundWan, EdgePort53Listener, UamCaptive } from '@yunxun/contract/device';
import type { ReportedSubnet } from '@yunxun/contract/subnet-collisions';

export type Band = configuration.Band;
export type Finding = configuration.Finding;
export type RadioSettings = configuration.RadioSettings;
export type GatewayIntent = gateway.GatewaySettings;
export type GeneralSettings = layers.GeneralSettings;

/** Secret null: read without secrets. */
export interface RadiusServer {
  host: string;
  port: number;
  secret: string | null;
}

export interface SsidKey {
  id: string;
  label: string;
  key: string | null;
  mac: string | null;
  vlan: number | null;
}

export interface Ssid {
  id: string;
  enabled: boolean;
  name: string;
  security: configuration.Security;
  key: string | null;
  bands: readonly Band[];
  vlan: number | null;
  hidden: boolean;
  isolate: boolean;
  maximum_clients: number | null;
  down_mbps: number | null;
  up_mbps: number | null;
  /** Only with enterprise security. */
  radius?: { auth: RadiusServer; acct: RadiusServer | null };
  keys?: readonly SsidKey[];
}

export interface WirelessIntent {
  country: string | null;
  ssids: readonly Ssid[];
  radios: readonly RadioSettings[];
}

export interface DeviceOverride {
  radios: readonly RadioSettings[];
  ssids_off: readonly string[];
  lan_address: string | null;
  ports?: readonly switches.PortSettings[];
}

/** Without fields that an upper layer locks. */
export interface OverrideInForce extends Omit<DeviceOverride, 'ports'> {
  ports?: readonly OwnPort[];
}

export interface PortFacts {
  name: string;
  /** Last link in Mbit/s and duplex; null: never up. */
  speed: number | null;
  duplex: 'half' | 'full' | null;
  top_speed: number | null;
  poe: boolean;
  /** Leads to the gateway; missing on all ports: unknown. */
  uplink: boolean;
}

/** Locked fields are missing. */
export type OwnPort = Pick<switches.PortSettings, 'port'> & Partial<switches.PortSettings>;

/** Maximum dBm by band; unknown bands are missing. */
export type TxPowerCaps = Partial<Record<Band, number>>;

export interface GatewayReport {
  subnets: readonly ReportedSubnet[];
  /** False until an unconfigured host reports in this session: older addresses may be of another site. */
  current: boolean;
  /** Of the running document. */
  lans: readonly { name: string; subnet: string }[];
  /** WAN ports of a host that no console has configured. */
  found?: readonly EdgeFoundWan[];
  /** Other DNS servers of the host on every address. */
  port53?: readonly EdgePort53Listener[];
}

export interface DeviceFacts {
  serial: string;
  name: string;
  kind: DeviceKind;
  routes: boolean;
  /** Factory LAN; null or missing: none, or bridged into the uplink. */
  lan?: string | null;
  /** Null before the first connection. */
  capabilities: Capabilities | null;
  /** Visible only while the radios run at `max`. */
  reach?: TxPowerCaps;
  /** Missing or empty before the first report. */
  ports?: readonly PortFacts[];
  report?: GatewayReport;
}

export interface GuestGate {
  /** A renamed SSID keeps its id; one of another layer has the name. */
  ssids: readonly { id: string; name: string }[];
  captive: UamCaptive;
  /** Of Disconnect-Requests. */
  secret: string;
}

export interface CompileInput {
  device: DeviceFacts;
  network: WirelessIntent;
  override: OverrideInForce;
  /** Null or missing: device defaults. */
  general?: GeneralSettings;
  /** Null or missing: gateway defaults. */
  gateway?: GatewayIntent | null;
  /** Sorted MACs, twelve hexadecimal digits. */
  blocked?: readonly string[];
  cycled?: readonly string[];
  /** Null or missing: no SSID has a sign-in. */
  gate?: GuestGate | null;
}

export const noIntent: WirelessIntent = { country: null, ssids: [], radios: [] };
export const noOverride: DeviceOverride = { radios: [], ssids_off: [], lan_address: null };
