import type { Capabilities } from '@yunxun/contract/device';
import {
  type CompileInput,
  type DeviceFacts,
  type GuestGate,
  noOverride,
  type Ssid,
  type WirelessIntent,
} from '../intent.ts';

const fiveGigahertz = [
  36, 40, 44, 48, 52, 56, 60, 64, 100, 104, 108, 112, 116, 120, 124, 128, 132, 136, 140, 144, 149, 153, 157, 161, 165,
];

export const wifi6: Capabilities = {
  compatible: 'sample_ap6',
  model: 'Sample AP6',
  platform: 'ap',
  compress_cmd: true,
  version: { schema: { major: 5, minor: 1, patch: 0 } },
  network: { wan: ['eth0'], lan: ['eth1'] },
  wifi: {
    'soc/wifi0': {
      band: ['5G'],
      channels: fiveGigahertz,
      dfs_channels: fiveGigahertz.filter((channel) => channel >= 52 && channel <= 144),
      htmode: ['HT20', 'HT40', 'VHT20', 'VHT40', 'VHT80', 'HE20', 'HE40', 'HE80', 'HE160', 'HE80+80'],
    },
    'soc/wifi1': {
      band: ['2G'],
      channels: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11],
      htmode: ['HT20', 'HT40', 'VHT80', 'HE20', 'HE40'],
    },
  },
};

/** Wi-Fi 5 with a split 5 GHz band. */
export const threeRadios: Capabilities = {
  platform: 'ap',
  network: { wan: ['eth1'], lan: ['eth0'] },
  wifi: {
    a: { band: ['2G'], channels: [1, 6, 11], htmode: ['HT20', 'HT40', 'VHT20', 'VHT40', 'VHT80'] },
    b: {
      band: ['5G'],
      channels: [36, 40, 44, 48, 52, 56, 60, 64],
      htmode: ['HT20', 'HT40', 'VHT20', 'VHT40', 'VHT80'],
    },
    c: {
      band: ['5G'],
      channels: [100, 104, 108, 112, 149, 153, 157, 161, 165],
      htmode: ['HT20', 'HT40', 'VHT20', 'VHT40', 'VHT80'],
    },
  },
};

export const ssid = (change: Partial<Ssid> = {}): Ssid => ({
  id: '01890000-0000-7000-8000-000000000001',
  enabled: true,
  name: 'Lobby',
  security: 'psk2',
  key: 'welcome-2026',
  bands: ['2G', '5G'],
  vlan: null,
  hidden: false,
  isolate: false,
  maximum_clients: null,
  down_mbps: null,
  up_mbps: null,
  ...change,
});

export const guestGate = (ids: readonly string[]): GuestGate => ({
  ssids: ids.map((id) => ({ id, name: `first name of ${id}` })),
  secret: 'between-console-and-nas-0000-001',
  captive: {
    'auth-mode': 'uam',
    'uam-server': 'https://portal.example.org:8081/p/0123456789abcdefghijkl/uam',
    'uam-port': 3990,
    'uam-secret': 'between-console-and-gate-0000-01',
    nasid: '0123456789abcdefghijkl',
    'mac-format': 'aa-bb-cc-dd-ee-ff',
    'final-redirect-url': 'uam',
    'idle-timeout': 1800,
    'walled-garden-fqdn': ['portal.example.org', 'menu.example.org'],
    'walled-garden-ipaddr': ['192.0.2.80'],
    'auth-server': 'console.example.org',
    'auth-port': 1812,
    'auth-secret': 'between-console-and-nas-0000-001',
    'acct-server': 'console.example.org',
    'acct-port': 1813,
    'acct-secret': 'between-console-and-nas-0000-001',
    'acct-interval': 300,
    'radius-gw-proxy': true,
  },
});

export function input(
  network: Partial<WirelessIntent> = {},
  device: Partial<DeviceFacts> = {},
  override = noOverride,
): CompileInput {
  return {
    device: { serial: '903cb3000001', name: 'Lobby-1', kind: 'ap', routes: false, capabilities: wifi6, ...device },
    network: { country: null, ssids: [], radios: [], ...network },
    override,
  };
}
