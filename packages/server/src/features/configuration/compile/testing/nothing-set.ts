import type { Capabilities } from '@yunxun/contract/device';
import type { DocumentPlatform } from '../../schema/check.ts';
import { type CompileInput, type DeviceFacts, noIntent, noOverride } from '../intent.ts';
import { wifi6 } from './samples.ts';

const gatewayOf = (capabilities: Capabilities): Partial<DeviceFacts> => ({
  kind: 'gateway',
  routes: true,
  capabilities,
});
const abilities = {
  blocking: true,
  port53: true,
  vlan: true,
  shaping: true,
  ifb: true,
  fqCodel: true,
  dhcpClient: true,
  dnsmasq: true,
  wanRoutes: true,
  ntp: true,
};

export const sockets = { WAN1: ['eth0'], WAN2: ['eth1'], LAN1: ['eth2'] };

/** PoE ports (one asleep, one unused) and a 10 Gbit/s uplink. */
const switchPorts: NonNullable<DeviceFacts['ports']> = [
  { name: 'Ethernet0', speed: 1000, top_speed: 1000, duplex: 'full', poe: true, uplink: false },
  { name: 'Ethernet1', speed: 100, top_speed: 100, duplex: 'full', poe: true, uplink: false },
  { name: 'Ethernet2', speed: 100, top_speed: 1000, duplex: 'full', poe: true, uplink: false },
  { name: 'Ethernet3', speed: 10, top_speed: 10, duplex: 'half', poe: true, uplink: false },
  { name: 'Ethernet4', speed: 10_000, top_speed: 10_000, duplex: 'full', poe: false, uplink: true },
];

const devices: Readonly<Record<DocumentPlatform, Partial<DeviceFacts>>> = {
  ap: { kind: 'ap', capabilities: wifi6 },
  switch: { kind: 'switch', capabilities: { platform: 'switch' }, ports: switchPorts },
  edge: gatewayOf({
    platform: 'olg',
    compress_cmd: true,
    network: sockets,
    yunxun: {
      agent: '0.5.0',
      abilities,
      mtus: { WAN2: { min: 68, max: 9194 } },
      missing: [],
      allowed: { reboot: true, scripts: false },
    },
  }),
  olg: gatewayOf({ ...wifi6, platform: 'olg' }),
};

export function nothingSet(column: DocumentPlatform): CompileInput {
  return {
    device: {
      serial: '903cb3000001',
      name: 'Lobby-1',
      kind: 'ap',
      routes: false,
      capabilities: null,
      ...devices[column],
    },
    network: noIntent,
    override: noOverride,
  };
}
