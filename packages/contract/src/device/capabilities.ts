/** Reported platforms. Features depend on reported facts, never on a timeout. */
export const platforms = ['ap', 'switch', 'olg', 'unknown'] as const;
export type Platform = (typeof platforms)[number];

export interface VersionNumbers {
  major?: number;
  minor?: number;
  patch?: number;
  vendor?: string;
}

/** `connect.capabilities`; older firmware omits many fields. */
export interface Capabilities {
  /** Board name, such as `edgecore_eap102`. */
  compatible?: string;
  model?: string;
  platform?: Platform;
  version?: { ap?: VersionNumbers; switch?: VersionNumbers; schema?: VersionNumbers };
  /** Network devices behind the port names `WAN*` and `LAN*`. */
  network?: Record<string, readonly string[]>;
  macaddr?: Record<string, string>;
  label_macaddr?: string;
  /** By radio hardware path; a multi-band radio has `path:BAND` keys. */
  wifi?: Record<string, RadioCapabilities>;
  /** New firmware: list; old firmware: object. */
  switch?: unknown;
  switch_ports?: Record<string, unknown>;
  /** Storage size in bytes. Access points omit it. */
  storage_bytes?: number;
  country?: string;
  country_codes?: readonly string[];
  restrictions?: Record<string, unknown>;
  developer?: boolean;
  'secure-rtty'?: boolean;
  'default-config'?: boolean;
  /** Accepts compressed `configure` parameters. Switches do not. */
  compress_cmd?: boolean;
  /** Edge agent only. */
  yunxun?: EdgeCapabilities;
}

/** The agent rejects documents that need a false or missing ability. */
export interface EdgeCapabilities {
  agent: string;
  renews?: boolean;
  /** Processor architecture in Node's words; absent before agents that run plugins. */
  arch?: string;
  /** Kernel and tool abilities by name. */
  abilities: Readonly<Record<string, boolean>>;
  /** Supported MTUs by port name. Absent: the agent cannot set MTU and MAC of a WAN uplink. */
  mtus?: Readonly<Record<string, MtuRange>>;
  /** Programs that the agent needs but the host lacks. */
  missing: readonly string[];
  allowed: { reboot: boolean; scripts: boolean };
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
