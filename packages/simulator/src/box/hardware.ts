import type { Capabilities, RadioCapabilities } from '@yunxun/contract/device';
import { abilitiesOf, agentFirmwareName, agentVersion } from '@yunxun/edge';
import { deviceMac } from '../world/addresses.ts';

export type BoxRole = 'access-point' | 'gateway' | 'edge' | 'switch';

export const isRouter = (role: BoxRole): boolean => role === 'gateway' || role === 'edge';

export interface RadioHardware {
  path: string;
  band: '2G' | '5G' | '6G';
  channels: readonly number[];
  dfs: readonly number[];
  usual: readonly number[];
  modes: readonly string[];
  widestMhz: number;
  chains: number;
  maxDbm: number;
}

export interface Hardware {
  role: BoxRole;
  platform: 'ap' | 'switch' | 'olg';
  compatible: string;
  model: string;
  firmware: string;
  memoryBytes: number;
  wan: readonly string[];
  lan: readonly string[];
  radios: readonly RadioHardware[];
}

const evenSteps = (from: number, to: number, step: number) =>
  Array.from({ length: Math.floor((to - from) / step) + 1 }, (_none, index) => from + index * step);

const dfs = [...evenSteps(52, 64, 4), ...evenSteps(100, 144, 4)];
const fiveGhz = [...evenSteps(36, 64, 4), ...evenSteps(100, 144, 4), ...evenSteps(149, 165, 4)];

const radio2g: RadioHardware = {
  path: 'platform/soc/c000000.wifi+1',
  band: '2G',
  channels: evenSteps(1, 13, 1),
  dfs: [],
  usual: [1, 6, 11],
  modes: ['HT20', 'HT40', 'VHT20', 'VHT40', 'HE20', 'HE40'],
  widestMhz: 40,
  chains: 2,
  maxDbm: 25,
};

const radio5g: RadioHardware = {
  path: 'platform/soc/c000000.wifi',
  band: '5G',
  channels: fiveGhz,
  dfs,
  usual: [36, 52, 100, 149],
  modes: ['HT20', 'HT40', 'VHT20', 'VHT40', 'VHT80', 'HE20', 'HE40', 'HE80', 'HE160'],
  widestMhz: 160,
  chains: 2,
  maxDbm: 27,
};

const radio6g: RadioHardware = {
  path: 'platform/soc/c000000.wifi+2',
  band: '6G',
  channels: evenSteps(1, 93, 4),
  dfs: [],
  usual: [5, 37, 69],
  modes: ['HE20', 'HE40', 'HE80', 'HE160'],
  widestMhz: 160,
  chains: 2,
  maxDbm: 24,
};

const firmware = 'OpenLAN SIM-v5.1.0';
export const edgeDiskBytes = 32_000_000_000;

/** Hardware of simulated devices; these names imitate no real product. */
export const hardwareOf: Readonly<Record<BoxRole, Hardware>> = {
  'access-point': {
    role: 'access-point',
    platform: 'ap',
    compatible: 'simulated_ap_ax3000',
    model: 'Simulated AP AX3000',
    firmware,
    memoryBytes: 973_131_776,
    wan: ['eth0'],
    lan: ['eth1'],
    radios: [radio5g, radio2g],
  },
  gateway: {
    role: 'gateway',
    platform: 'ap',
    compatible: 'simulated_gateway_g4',
    model: 'Simulated Gateway G4',
    firmware,
    memoryBytes: 1_946_263_552,
    wan: ['eth0'],
    lan: ['eth1', 'eth2', 'eth3', 'eth4'],
    radios: [radio5g, radio2g],
  },
  edge: {
    role: 'edge',
    platform: 'olg',
    compatible: 'yunxun_edge',
    model: 'Simulated Linux gateway',
    firmware: agentFirmwareName,
    memoryBytes: 4_110_417_920,
    wan: ['eth0', 'eth1'],
    lan: ['eth2', 'eth3', 'eth4'],
    radios: [],
  },
  switch: {
    role: 'switch',
    platform: 'switch',
    compatible: 'simulated_switch_24p',
    model: 'Simulated Switch 24P',
    firmware: 'OpenLAN Switching SIM-4.2.0',
    memoryBytes: 1_028_653_056,
    wan: [],
    lan: evenSteps(0, 25, 1).map((port) => `Ethernet${port}`),
    radios: [],
  },
};

const usualAccessPoint = hardwareOf['access-point'];

/** Access point models by name suffix; only `AXE5400` has 6 GHz. */
export const accessPointModels = {
  AX3000: usualAccessPoint,
  AX1800: { ...usualAccessPoint, compatible: 'simulated_ap_ax1800', model: 'Simulated AP AX1800' },
  AXE5400: {
    ...usualAccessPoint,
    compatible: 'simulated_ap_axe5400',
    model: 'Simulated AP AXE5400',
    radios: [radio5g, radio2g, radio6g],
  },
} as const satisfies Readonly<Record<string, Hardware>>;
export type AccessPointModel = keyof typeof accessPointModels;

type Named = Pick<Hardware, 'compatible' | 'model'>;

/** Products that run the firmware or the agent, with the radios and about the ports of the simulated hardware. */
const products = {
  AX3000: { compatible: 'edgecore_eap102', model: 'Edgecore EAP102' },
  AX1800: { compatible: 'yuncore_ax840', model: 'YunCore AX840' },
  AXE5400: { compatible: 'cig_wf196', model: 'CIG WF-196' },
  gateway: { compatible: 'glinet_ax1800', model: 'GL.iNet AX1800' },
  edge: { compatible: 'yunxun_edge', model: 'Protectli VP2420' },
  switch: { compatible: 'edgecore_ecs4150', model: 'Edgecore ECS4150-28P' },
} as const satisfies Readonly<Record<AccessPointModel | Exclude<BoxRole, 'access-point'>, Named>>;

/** @param branded with the names of products */
export function hardwareFor(role: BoxRole, model: AccessPointModel, branded: boolean): Hardware {
  const hardware = role === 'access-point' ? accessPointModels[model] : hardwareOf[role];
  return branded ? { ...hardware, ...products[role === 'access-point' ? model : role] } : hardware;
}

export function frequencyOf(band: string, channel: number): number {
  if (band === '6G') return 5950 + channel * 5;
  if (band === '2G') return channel === 14 ? 2484 : 2407 + channel * 5;
  return 5000 + channel * 5;
}

export function portNames(hardware: Hardware): { upstream: readonly string[]; downstream: readonly string[] } {
  if (hardware.platform === 'switch') return { upstream: hardware.lan.slice(0, 1), downstream: hardware.lan.slice(1) };
  return {
    upstream: hardware.wan.map((_port, index) =>
      index === 0 && hardware.platform === 'ap' ? 'WAN' : `WAN${index + 1}`,
    ),
    downstream: hardware.lan.map((_port, index) => `LAN${index + 1}`),
  };
}

export function socketDevices(hardware: Hardware): Record<string, string> {
  const { upstream, downstream } = portNames(hardware);
  const devices = [...hardware.wan, ...hardware.lan];
  return Object.fromEntries([...upstream, ...downstream].map((name, index) => [name, devices[index] ?? name]));
}

/** MTU range of the simulated gateway's network cards, in bytes. */
export const edgeMtu = { min: 68, max: 9194 };

export const edgeHost = {
  vlan: true,
  shaping: true,
  ifb: true,
  fqCodel: true,
  dhcpClient: true,
  dnsmasq: true,
  nftset: true,
  captiveRates: true,
  captiveBridge: true,
  sdwan: true,
  kernelTunnels: true,
  iperf: true,
} as const;

const notSimulated: ReadonlySet<string> = new Set(['port53']);

export function simulatedAbilities(): Record<string, boolean> {
  const abilities = Object.entries(abilitiesOf(edgeHost)).filter(([name]) => !notSimulated.has(name));
  return { ...Object.fromEntries(abilities), remote: true, snapshot: true };
}

export function capabilitiesOf(hardware: Hardware, serial: string): Capabilities {
  const version = { major: 5, minor: 1, patch: 0 };
  const shared = {
    compatible: hardware.compatible,
    model: hardware.model,
    platform: hardware.platform,
    label_macaddr: deviceMac(serial, 0),
    'secure-rtty': true,
  };
  if (hardware.platform === 'switch') {
    return { ...shared, version: { switch: { ...version, major: 4 }, schema: { ...version, major: 5, minor: 0 } } };
  }
  if (hardware.platform === 'olg') {
    const [major = 0, minor = 0, patch = 0] = agentVersion.split(/[.+-]/).map(Number);
    const sockets = Object.entries(socketDevices(hardware));
    return {
      ...shared,
      version: { schema: { major, minor, patch } },
      network: Object.fromEntries(sockets.map(([port, device]) => [port, [device]])),
      macaddr: Object.fromEntries(sockets.map(([port], index) => [port, deviceMac(serial, index)])),
      storage_bytes: edgeDiskBytes,
      compress_cmd: true,
      yunxun: {
        agent: agentVersion,
        abilities: simulatedAbilities(),
        arch: 'x64',
        mtus: Object.fromEntries(sockets.map(([port]) => [port, edgeMtu])),
        missing: [],
        allowed: { reboot: true, scripts: false },
        remote: { shell: true },
      },
    };
  }
  return {
    ...shared,
    version: { ap: version, schema: version },
    network: { wan: hardware.wan, lan: hardware.lan },
    macaddr: { wan: deviceMac(serial, 0), lan: deviceMac(serial, 1) },
    wifi: Object.fromEntries(hardware.radios.map((radio) => [radio.path, radioCapabilities(radio)])),
    country: 'CN',
    country_codes: ['CN', 'US', 'DE', 'JP'],
    restrictions: {},
    developer: false,
    'default-config': true,
    compress_cmd: true,
  };
}

function radioCapabilities(radio: RadioHardware): RadioCapabilities {
  const antennas = 2 ** radio.chains - 1;
  return {
    band: [radio.band],
    channels: radio.channels,
    ...(radio.dfs.length > 0 ? { dfs_channels: radio.dfs } : {}),
    frequencies: radio.channels.map((channel) => frequencyOf(radio.band, channel)),
    htmode: radio.modes,
    tx_ant: antennas,
    rx_ant: antennas,
    ht_capa: 6639,
    ...(radio.band === '5G' ? { vht_capa: 1_939_470_770 } : {}),
    he_mac_capa: [13, 39_432, 4160],
    he_phy_capa: [radio.band === '5G' ? 7168 : 512, 19_568, 8072, 33_729, 260, 44],
    temperature: 54,
  };
}
