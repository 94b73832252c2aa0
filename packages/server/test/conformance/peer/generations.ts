import { accessPointCapabilities } from './access-point.ts';
import type { FirmwareOptions } from './firmware.ts';
import type { Json } from './json.ts';

/** Firmware of 2022: no versions, MACs or compression; the switch chip is an object. */
const capabilities2022: Json = {
  compatible: 'linksys_ea8300',
  model: 'Linksys EA8300 (Dallas)',
  network: { lan: ['eth0'], wan: ['eth1'] },
  platform: 'ap',
  switch: {
    switch0: {
      enable: true,
      ports: [
        { device: 'eth0', need_tag: false, num: 0, want_untag: true },
        { num: 1, role: 'lan' },
      ],
      reset: true,
      roles: [{ device: 'eth0', ports: '1 0', role: 'lan' }],
    },
  },
  wifi: {
    'platform/soc/a000000.wifi': {
      band: ['2G'],
      channels: [1, 6, 11],
      frequencies: [2412, 2437, 2462],
      ht_capa: 6639,
      htmode: ['HT20', 'HT40', 'VHT20', 'VHT40', 'VHT80'],
      rx_ant: 3,
      tx_ant: 3,
    },
    'platform/soc/a800000.wifi': {
      band: ['5G'],
      channels: [36, 40, 44, 48],
      frequencies: [5180, 5200, 5220, 5240],
      ht_capa: 6639,
      htmode: ['HT20', 'HT40', 'VHT20', 'VHT40', 'VHT80'],
      rx_ant: 3,
      tx_ant: 3,
    },
  },
};

const { compress_cmd: _compress, macaddr: _macs, ...capabilities2023 } = accessPointCapabilities;

/** Deviations of each year from the newest firmware. */
export const generations: Readonly<Record<string, Partial<FirmwareOptions>>> = {
  2022: { firmware: 'OpenWrt 21.02 / TIP-v2.7.0', capabilities: capabilities2022, readsAlternativeNames: false },
  2023: { firmware: 'OpenWrt 23.05 / TIP-v3.0.0', capabilities: capabilities2023, readsAlternativeNames: false },
  2024: { firmware: 'OpenWrt 23.05 / TIP-v3.2.0', readsAlternativeNames: false, discovery: 'OpenLAN' },
  2026: { firmware: 'OpenWrt 25.12 / TIP-v5.1.0', readsAlternativeNames: true, discovery: 'STANDARD_FQDN' },
};

/** DHCP options, and whether they enable the name check. */
export const dhcpOptions = {
  224: { discovery: 'DHCP', validateHostname: true },
  138: { discovery: 'DHCP', validateHostname: false },
} as const satisfies Record<number, Partial<FirmwareOptions>>;

/**
 * Before November 2022: networks refer to radios by `$ref` without band, frequency or counters; radios have channel and
 * textual width; sockets have old names.
 * @param stations client MACs by radio
 */
export function stateOf2022(stations: readonly [on2g: readonly string[], on5g: readonly string[]]): Json {
  const network = (index: number): Json => ({
    associations: (stations[index] ?? []).map((station) => ({
      bssid: `02:00:00:00:01:0${index}`,
      connected: 60,
      rssi: -53,
      rx_bytes: 1000,
      station,
      tx_bytes: 2000,
    })),
    bssid: `02:00:00:00:01:0${index}`,
    iface: `wlan${index}`,
    location: '/interfaces/0/ssids/0',
    mode: 'ap',
    radio: { $ref: `#/radios/${index}` },
    ssid: 'Lobby',
  });
  const radio = (channel: number, width: string): Json => ({
    active_ms: 529_023_340,
    busy_ms: 62_617_455,
    channel,
    channel_width: width,
    noise: -98,
    receive_ms: 5895,
    transmit_ms: 549_423,
    tx_power: 23,
  });
  return {
    interfaces: [
      {
        counters: { rx_bytes: 539_176_974, tx_bytes: 65_489_521 },
        location: '/interfaces/0',
        name: 'up0v0',
        ssids: [network(0), network(1)],
        uptime: 568_190,
      },
    ],
    'link-state': {
      downstream: { eth1: { carrier: 0 } },
      upstream: { eth0: { carrier: 1, duplex: 'full', speed: 1000 } },
    },
    'lldp-peers': { downstream: {}, upstream: {} },
    radios: [radio(6, '20'), radio(36, '40')],
    unit: {
      load: [0.006, 0.02],
      localtime: Math.floor(Date.now() / 1000),
      memory: { buffered: 9_588_736, cached: 28_479_488, free: 763_764_736, total: 973_131_776 },
      uptime: 568_964,
    },
    version: 1,
  };
}
