import { gateway, switches } from '@yunxun/contract';
import { mergeLayers, noContent, noGeneral } from '../../layers/merge-layers.ts';
import type { DocumentPlatform } from '../../schema/check.ts';
import { type CompileInput, noOverride } from '../intent.ts';
import { guestGate, ssid } from './samples.ts';

/** Settings and document paths of a feature; the longest path wins. */
export interface Feature {
  /** Of the protocol facts; `own`: absent there. */
  name: string;
  own?: true;
  file: string;
  settings: readonly string[];
  paths: readonly string[];
  set?(input: CompileInput, column: DocumentPlatform): CompileInput;
}

const five = { band: '5G', enabled: null, channel: null, width: null, mode: null, power: null } as const;
const onAir = (input: CompileInput, change: Partial<CompileInput['network']>): CompileInput => ({
  ...input,
  network: { ...input.network, ...change },
});

const wan = (change: Partial<gateway.GatewayWan> = {}): gateway.GatewayWan => ({
  ...gateway.plainWan('WAN', 'WAN1'),
  ...change,
});
const lan = (change: Partial<gateway.GatewayNetwork> = {}): gateway.GatewayNetwork => ({
  name: 'LAN',
  address: '192.168.8.1/24',
  vlan: null,
  ports: ['LAN1'],
  tagged: [],
  pool: null,
  leases: [],
  ...change,
});
const box = (input: CompileInput, change: Partial<gateway.GatewaySettings> = {}): CompileInput => ({
  ...input,
  gateway: {
    confirm_s: 60,
    lines: [wan()],
    networks: [lan()],
    forwards: [],
    routes: [],
    limits: [],
    reboot: null,
    ...change,
  },
});

/** Without settings and paths: not offered. */
export const features: readonly Feature[] = [
  {
    name: 'SSIDs',
    file: 'ssids',
    settings: ['ssids', 'ssids_off', 'general.fast_roaming', 'general.neighbour_reports', 'general.minimum_rssi'],
    paths: ['interfaces[].ssids'],
    set: (input) => ({
      ...onAir(input, {
        ssids: [
          ssid({ hidden: true, isolate: true, maximum_clients: 40 }),
          ssid({ id: 'staff', name: '员工', security: 'sae', bands: ['5G'] }),
          ssid({ id: 'off', name: 'Elsewhere' }),
        ],
      }),
      override: { ...noOverride, ssids_off: ['off'] },
      general: { ...noGeneral, fast_roaming: true, neighbour_reports: true, minimum_rssi: -75 },
    }),
  },
  {
    name: 'blocked clients',
    own: true,
    file: 'blocked',
    settings: ['macs'],
    paths: ['interfaces[].ssids[].access-control-list', 'third-party.yunxun.blocked'],
    set: (input, column) => ({
      ...(column === 'edge' ? box(input) : onAir(input, { ssids: [ssid({})] })),
      blocked: ['02000000000a'],
    }),
  },
  {
    name: '2.4G/5G radios',
    file: 'radios',
    settings: ['radios', 'country'],
    paths: ['radios'],
    set: (input) =>
      onAir(input, {
        country: 'CN',
        radios: [
          { ...five, channel: 149, width: 40, mode: 'VHT' },
          { ...five, band: '2G', enabled: false },
        ],
      }),
  },
  {
    name: 'tx power',
    file: 'power',
    settings: ['radios[].power'],
    paths: ['radios[].tx-power'],
    set: (input) => onAir(input, { radios: [{ ...five, power: 'medium' }] }),
  },
  {
    name: 'AP groups / templates',
    file: 'templates',
    settings: ['locks'],
    paths: [],
    set: (input) => {
      const template = { ...noContent, ssids: [ssid({ name: 'Shops', vlan: 30 })], locks: ['ssids.Shops'] };
      const group = {
        ...noContent,
        ssids: [ssid({ name: 'Shops', key: 'never-used' })],
        radios: [{ ...five, channel: 149 }],
      };
      const layers = [
        { kind: 'wireless' as const, id: 'template', name: 'Shops', content: template },
        { kind: 'group' as const, id: 'group', name: 'Ground floor', content: group },
      ];
      const { network, override, general } = mergeLayers(layers, noOverride);
      return { ...input, network, override, general };
    },
  },
  {
    name: 'captive portal',
    file: 'portal',
    settings: [],
    paths: ['services.captive', 'interfaces[].ssids[].services', 'interfaces[].ssids[].radius.dynamic-authorization'],
    set: (input) => ({
      ...onAir(input, { ssids: [ssid({ name: 'Guests', security: 'open', key: null, isolate: true })] }),
      gate: guestGate([ssid({}).id]),
    }),
  },
  {
    name: 'dynamic passwords',
    file: 'passwords',
    settings: ['ssid', 'plan'],
    paths: [],
    // a rule sets only existing keys
    set: (input) => onAir(input, { ssids: [ssid({ key: 'Mon-7Qd2xR' })] }),
  },
  {
    name: 'RADIUS',
    file: 'radius',
    settings: ['ssids[].radius'],
    paths: ['interfaces[].ssids.radius'],
    set: (input) =>
      onAir(input, {
        ssids: [
          ssid({
            name: 'Staff',
            security: 'wpa3-mixed',
            key: null,
            radius: {
              auth: { host: '10.0.0.5', port: 1812, secret: 'between-us-two' },
              acct: { host: '10.0.0.5', port: 1813, secret: 'between-us-two' },
            },
          }),
        ],
      }),
  },
  {
    name: 'multi-PSK',
    own: true,
    file: 'multi-psk',
    settings: ['ssids[].keys'],
    paths: ['interfaces[].ssids.multi-psk'],
    set: (input) =>
      onAir(input, {
        ssids: [
          ssid({
            keys: [
              { id: 'a', label: 'Room-101', key: 'room-101-key', mac: null, vlan: 101 },
              { id: 'b', label: 'Camera', key: 'camera-key-2026', mac: '02:00:00:00:00:0b', vlan: null },
            ],
          }),
        ],
      }),
  },
  {
    name: 'DHCP / static lease / relay',
    file: 'dhcp',
    settings: ['lan_address', 'settings.networks'],
    paths: ['interfaces[].ipv4.dhcp', 'interfaces[].ipv4.dhcp-leases'],
    set: (input, column) =>
      column === 'edge'
        ? box(input, {
            networks: [
              lan({
                pool: { first: '192.168.8.100', count: 100, lease_minutes: 360 },
                leases: [{ mac: '02:00:00:00:00:01', address: '192.168.8.20', note: 'Camera' }],
              }),
            ],
          })
        : { ...routed(input), override: { ...noOverride, lan_address: '192.168.8.1/24' } },
  },
  {
    name: 'VLAN',
    file: 'vlan',
    settings: ['ssids[].vlan', 'settings.networks[].vlan', 'settings.networks[].tagged'],
    paths: ['interfaces[].vlan', 'interfaces[].ethernet[].vlan-tag'],
    set: (input, column) =>
      column === 'edge'
        ? box(input, {
            networks: [lan(), lan({ name: 'Guests', address: '10.3.0.1/24', vlan: 30, ports: [], tagged: ['LAN1'] })],
          })
        : onAir(input, { ssids: [ssid({ name: 'Guests', vlan: 30 })] }),
  },
  {
    name: 'WAN',
    file: 'wan',
    settings: ['settings.lines'],
    paths: ['interfaces'],
    set: (input, column) =>
      column === 'edge'
        ? box(input, {
            lines: [
              wan({ dns: ['223.5.5.5'] }),
              wan({
                name: 'Second',
                port: 'WAN2',
                addressing: 'static',
                address: '203.0.113.2/29',
                gateway: '203.0.113.1',
                dns: ['223.6.6.6'],
              }),
              wan({ name: 'TV', port: 'WAN2', vlan: 85, mtu: 1492, mac: '02:00:00:00:00:85' }),
            ],
          })
        : input,
  },
  {
    name: 'NAT/port-forward',
    file: 'forwards',
    settings: ['settings.forwards'],
    paths: ['interfaces[].ipv4.port-forward'],
    set: (input) =>
      box(input, {
        forwards: [
          { note: 'Camera', protocol: 'tcp', port: '8080', address: '192.168.8.20', to_port: '80' },
          { note: '', protocol: 'any', port: '5000-5010', address: '192.168.8.21', to_port: null },
        ],
      }),
  },
  { name: 'firewall rules / URL filter / DNS filter ("cloud security")', file: 'security', settings: [], paths: [] },
  { name: 'WireGuard / SD-WAN', file: 'overlay', settings: [], paths: [] },
  {
    name: 'QoS',
    file: 'rates',
    settings: [
      'ssids[].down_mbps',
      'ssids[].up_mbps',
      'settings.lines[].down_mbps',
      'settings.lines[].up_mbps',
      'settings.limits',
    ],
    paths: ['interfaces[].ssids[].rate-limit', 'third-party.yunxun.limits', 'third-party.yunxun.lines'],
    set: (input, column) =>
      column === 'edge'
        ? box(input, {
            lines: [wan({ down_mbps: 300, up_mbps: 30 })],
            limits: [
              { name: 'Guests', kind: 'network', target: 'LAN', down_mbps: 50, up_mbps: 10 },
              { name: 'Desk', kind: 'address', target: '192.168.8.30', down_mbps: 20, up_mbps: null },
              { name: 'Camera', kind: 'mac', target: '02:00:00:00:00:01', down_mbps: null, up_mbps: 2 },
            ],
          })
        : onAir(input, { ssids: [ssid({ down_mbps: 20, up_mbps: 5 })] }),
  },
  {
    name: 'logging / NTP / SSH / SNMP',
    file: 'services',
    settings: ['settings.lines[].ssh', 'settings.networks[].ssh', 'settings.networks[].ntp'],
    paths: ['interfaces[].services', 'services.lldp'],
    set: (input) =>
      box(input, {
        lines: [wan({ ssh: true })],
        networks: [
          lan({ ntp: true }),
          lan({ name: 'Staff', address: '10.3.0.1/24', vlan: 30, ports: [], tagged: ['LAN1'], ssh: true }),
        ],
      }),
  },
  { name: 'web admin', file: 'web-admin', settings: [], paths: [] },
  { name: 'metrics', file: 'metrics', settings: [], paths: ['metrics', 'services.fingerprint'] },
  { name: 'password', file: 'password', settings: [], paths: [] },
  {
    name: 'name and lights',
    own: true,
    file: 'name',
    settings: ['general.leds'],
    paths: ['uuid', 'unit'],
    set: (input) => ({ ...input, general: { ...noGeneral, leds: false }, device: { ...input.device, name: '大堂-1' } }),
  },
  {
    name: 'ports of a switch',
    own: true,
    file: 'ports',
    settings: ['ports', 'port', 'general.ports'],
    paths: ['ethernet', 'switch'],
    set: (input) => ({
      ...input,
      override: {
        ...noOverride,
        ports: [
          { ...switches.usualPort('Ethernet1'), label: 'Camera', vlan: 30, tagged: [] },
          { ...switches.usualPort('Ethernet2'), poe: false, tagged: [30, 40], speed: 100 },
          { ...switches.usualPort('Ethernet3'), enabled: false },
        ],
      },
      general: { ...noGeneral, ports: [{ ports: '0-1', enabled: true, poe: true, vlan: 50, tagged: [60] }] },
      cycled: ['Ethernet1'],
    }),
  },
  {
    name: 'static routes',
    own: true,
    file: 'routes',
    settings: ['settings.routes'],
    paths: ['third-party.yunxun.routes'],
    set: (input) =>
      box(input, {
        routes: [
          { to: '10.9.0.0/16', via: '192.168.8.9' },
          { to: '10.10.0.0/16', via: 'WAN' },
        ],
      }),
  },
  {
    name: 'how a line is watched',
    own: true,
    file: 'probes',
    settings: ['settings.lines[].probe'],
    paths: ['third-party.yunxun.lines[].probe'],
    set: (input) => box(input, { lines: [wan({ probe: ['223.5.5.5', '1.1.1.1'] })] }),
  },
  {
    name: 'metered WAN',
    own: true,
    file: 'metered',
    settings: ['settings.lines[].metered'],
    paths: ['third-party.yunxun.lines[].metered'],
    set: (input) => box(input, { lines: [wan({ metered: true })] }),
  },
  {
    name: 'scheduled restart',
    own: true,
    file: 'restart',
    settings: ['settings.reboot'],
    paths: ['third-party.yunxun.reboot', 'unit.timezone'],
    set: (input) => box(input, { reboot: { days: ['sun', 'mon'], at: '04:30', time_zone: 'Asia/Shanghai' } }),
  },
  {
    name: 'return of what is not confirmed',
    own: true,
    file: 'confirm',
    settings: ['settings.confirm_s'],
    paths: ['third-party.yunxun.confirm_s'],
    set: (input) => box(input, { confirm_s: 120 }),
  },
  {
    name: 'place of another DNS server',
    own: true,
    file: 'port53',
    settings: ['settings.take_port53'],
    paths: ['third-party.yunxun.take_port53'],
    set: (input) => box(input, { take_port53: true }),
  },
];

function routed(input: CompileInput): CompileInput {
  return { ...input, device: { ...input.device, routes: true } };
}
