import type { configuration, DeviceKind, gateway, layers } from '@yunxun/contract';
import type { Capabilities } from '@yunxun/contract/device';

export type Band = configuration.Band;
export type Finding = configuration.Finding;
export type RadioSettings = configuration.RadioSettings;
/** Settings of the gateway of a network. */
export type GatewayIntent = gateway.GatewaySettings;
/** Settings of an access point beside its SSIDs and radios. */
export type GeneralSettings = layers.GeneralSettings;

/** An SSID as the operator means it, with its key. */
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
}

/** Wireless settings of a network. */
export interface WirelessIntent {
  country: string | null;
  ssids: readonly Ssid[];
  radios: readonly RadioSettings[];
}

/** Settings of one device that differ from its network's. */
export interface DeviceOverride {
  radios: readonly RadioSettings[];
  /** Ids of the network's SSIDs that this device does not send out. */
  ssids_off: readonly string[];
  /** Address and prefix of its LAN, when it routes. */
  lan_address: string | null;
}

/** The most dBm that the radios of a band reach; bands of which nobody knows it are missing. */
export type Reach = Partial<Record<Band, number>>;

/** What the compiler knows of a device. */
export interface DeviceFacts {
  serial: string;
  name: string;
  kind: DeviceKind;
  /** It routes and NATs a LAN of its own. */
  routes: boolean;
  /** Null until it has connected once. */
  capabilities: Capabilities | null;
  /** What its radios reach, where that is known: they show it while they run at `max`. */
  reach?: Reach;
}

export interface CompileInput {
  device: DeviceFacts;
  network: WirelessIntent;
  override: DeviceOverride;
  /** Null or missing: what a device does by itself. */
  general?: GeneralSettings;
  /** What is meant of the network's gateway; null or missing: it runs what it runs by itself. */
  gateway?: GatewayIntent | null;
  /** MACs (twelve hexadecimal digits, in order) of terminals that no SSID lets in. */
  blocked?: readonly string[];
}

export const noIntent: WirelessIntent = { country: null, ssids: [], radios: [] };
export const noOverride: DeviceOverride = { radios: [], ssids_off: [], lan_address: null };
