import type { EdgeRemoteAbility } from './remote.ts';

/** Features depend on reported facts, never on a timeout. */
export const platforms = ['ap', 'switch', 'olg', 'unknown'] as const;
export type Platform = (typeof platforms)[number];

export interface VersionNumbers {
  major?: number;
  minor?: number;
  patch?: number;
  vendor?: string;
}

/** Older firmware omits many fields. */
export interface Capabilities {
  /** Such as `edgecore_eap102`. */
  compatible?: string;
  model?: string;
  platform?: Platform;
  version?: { ap?: VersionNumbers; switch?: VersionNumbers; schema?: VersionNumbers };
  /** Devices behind `WAN*` and `LAN*`. */
  network?: Record<string, readonly string[]>;
  macaddr?: Record<string, string>;
  label_macaddr?: string;
  /** By hardware path; `path:BAND` for multi-band radios. */
  wifi?: Record<string, RadioCapabilities>;
  /** New firmware: list; old: object. */
  switch?: unknown;
  switch_ports?: Record<string, unknown>;
  /** Bytes. Access points omit it. */
  storage_bytes?: number;
  country?: string;
  country_codes?: readonly string[];
  restrictions?: Record<string, unknown>;
  developer?: boolean;
  'secure-rtty'?: boolean;
  'default-config'?: boolean;
  /** Compressed `configure`; not on switches. */
  compress_cmd?: boolean;
  /** Edge agent only. */
  yunxun?: EdgeCapabilities;
}

/** Documents that need a false or missing ability are rejected. */
export interface EdgeCapabilities {
  agent: string;
  renews?: boolean;
  /** It removed what the console had added, because the console said that it is unbound. */
  quiet?: boolean;
  /** Node's words; absent before plugins. */
  arch?: string;
  /** Kernel and tool abilities by name. */
  abilities: Readonly<Record<string, boolean>>;
  /** By port. Absent: no MTU and MAC of a WAN. */
  mtus?: Readonly<Record<string, MtuRange>>;
  /** Lacking on the host. */
  missing: readonly string[];
  allowed: { reboot: boolean; scripts: boolean };
  /** Absent: none, or switched off by the owner of the host. */
  remote?: EdgeRemoteAbility;
}

/** Bytes. */
export interface MtuRange {
  min: number;
  max: number;
}

export interface RadioCapabilities {
  band?: readonly string[];
  channels?: readonly number[];
  dfs_channels?: readonly number[];
  frequencies?: readonly number[];
  htmode?: readonly string[];
  tx_ant?: number;
  rx_ant?: number;
  ht_capa?: number;
  vht_capa?: number;
  he_mac_capa?: readonly number[];
  he_phy_capa?: readonly number[];
  eht_mac_capa?: readonly number[];
  eht_phy_capa?: readonly number[];
  temperature?: number;
}

export function takesCompressedCommands(capabilities: unknown): boolean {
  if (typeof capabilities !== 'object' || capabilities === null) return false;
  const { compress_cmd: compress, platform } = capabilities as Capabilities;
  return compress === true && platform !== 'switch';
}
