/** What a device says it is. Features are chosen by these facts, never by asking and watching for silence. */
export const platforms = ['ap', 'switch', 'olg', 'unknown'] as const;
/** One of `platforms`. */
export type Platform = (typeof platforms)[number];

/** A version in three numbers; `vendor` is free text. */
export interface VersionNumbers {
  major?: number;
  minor?: number;
  patch?: number;
  vendor?: string;
}

/** The document of `connect.capabilities`. Older firmware leaves out much of it. */
export interface Capabilities {
  /** Board name, as in `edgecore_eap102`. */
  compatible?: string;
  model?: string;
  platform?: Platform;
  version?: { ap?: VersionNumbers; switch?: VersionNumbers; schema?: VersionNumbers };
  /** Network devices behind the port names `WAN*` and `LAN*`. */
  network?: Record<string, readonly string[]>;
  macaddr?: Record<string, string>;
  label_macaddr?: string;
  /** By path of the radio hardware; a radio that changes bands has `path:BAND` keys. */
  wifi?: Record<string, RadioCapabilities>;
  /** New firmware: list; old firmware: object. */
  switch?: unknown;
  switch_ports?: Record<string, unknown>;
  /** Bytes of the box's storage. Access points do not say; a gateway on our own agent may. */
  storage_bytes?: number;
  country?: string;
  country_codes?: readonly string[];
  restrictions?: Record<string, unknown>;
  developer?: boolean;
  'secure-rtty'?: boolean;
  'default-config'?: boolean;
  /** Takes `configure` with compressed parameters. Switches do not. */
  compress_cmd?: boolean;
  /** Our own agent. */
  yunxun?: EdgeCapabilities;
}

/** What a box under our own agent can do. What is false or missing is refused in a document, with a sentence. */
export interface EdgeCapabilities {
  agent: string;
  /** It renews its certificate by itself. */
  renews?: boolean;
  /** Of kernel and tools, by name. */
  abilities: Readonly<Record<string, boolean>>;
  /** Programs that the agent uses and this box lacks. */
  missing: readonly string[];
  /** What the box's owner lets the console do. */
  allowed: { reboot: boolean; scripts: boolean };
}

/** One radio. `*_capa` are the bit masks of the driver. */
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

/** Whether a document may go compressed to a device with these capabilities. */
export function takesCompressedCommands(capabilities: unknown): boolean {
  if (typeof capabilities !== 'object' || capabilities === null) return false;
  const { compress_cmd: compress, platform } = capabilities as Capabilities;
  return compress === true && platform !== 'switch';
}
