import type { gateway } from '@yunxun/contract';
import { type Facts, readDocument } from '../../../../../edge/src/document/index.ts';
import { enrol, type Identity } from '../../../../test/conformance/device-client.ts';
import type { AccessPoint } from '../../../../test/conformance/peer/access-point.ts';
import type { FirmwareOptions } from '../../../../test/conformance/peer/firmware.ts';
import { numbered } from '../../../../test/numbered.ts';
import { call, fixture, online } from './fixture.ts';

export const gatewayHostFacts: Facts = {
  ports: { WAN1: 'eth0', WAN2: 'eth1', LAN1: 'eth2', LAN2: 'eth3' },
  abilities: { vlan: false, shaping: true, ifb: true, fqCodel: false, dhcpClient: true, dnsmasq: true },
  mtus: { WAN1: { min: 68, max: 9194 }, WAN2: { min: 68, max: 1500 } },
  folders: { run: '/run/yunxun-edge', state: '/var/lib/yunxun-edge' },
};

const capabilities = {
  compatible: 'yunxun_edge',
  model: 'Box',
  platform: 'olg',
  compress_cmd: true,
  network: { WAN1: ['eth0'], WAN2: ['eth1'], LAN1: ['eth2'], LAN2: ['eth3'] },
  yunxun: {
    agent: '0.1.0',
    abilities: { ...gatewayHostFacts.abilities, wanRoutes: true, ntp: true },
    mtus: gatewayHostFacts.mtus,
    missing: [],
    allowed: { reboot: false, scripts: false },
  },
};

export async function gatewayNetwork(): Promise<{ gwid: string; identity: Identity }> {
  const { data } = await call<{ gwid: string }>('/api/v3/network/create', { remark: numbered(fixture.owner, 'Shop') });
  return {
    gwid: data.gwid,
    identity: await enrol(fixture.server, fixture.owner, { gwid: data.gwid, platform: 'olg' }),
  };
}

export function connectGateway(
  identity: Identity,
  ports = gatewayHostFacts.ports,
  more: Partial<FirmwareOptions> = {},
  abilities: Record<string, boolean> = {},
): Promise<AccessPoint> {
  const network = Object.fromEntries(Object.entries(ports).map(([name, device]) => [name, [device]]));
  return online(identity, {
    ...more,
    capabilities: {
      ...capabilities,
      network,
      yunxun: { ...capabilities.yunxun, abilities: { ...capabilities.yunxun.abilities, ...abilities } },
    },
    render: (document) => {
      const read = readDocument(document, {
        ...gatewayHostFacts,
        ports,
        abilities: { ...gatewayHostFacts.abilities, ...abilities },
      });
      return 'refused' in read ? { error: 2, rejected: read.refused } : { error: 0, rejected: read.rejected };
    },
  });
}

export const usualPool = { first: '192.168.1.10', count: 200, lease_minutes: 360 };

export function settings(change: Partial<gateway.GatewaySettings> = {}): gateway.GatewaySettings {
  const line = { address: null, gateway: null, dns: [], down_mbps: null, up_mbps: null, probe: [] };
  return {
    confirm_s: 90,
    lines: [
      { ...line, name: 'WAN1', port: 'WAN1', addressing: 'dynamic' },
      {
        ...line,
        name: 'Fibre',
        port: 'WAN2',
        addressing: 'static',
        address: '203.0.113.2/29',
        gateway: '203.0.113.1',
        dns: ['192.0.2.53'],
        down_mbps: 100,
      },
    ],
    networks: [
      {
        name: 'LAN',
        address: '10.1.0.1/24',
        vlan: null,
        ports: ['LAN1'],
        tagged: [],
        pool: { first: '10.1.0.100', count: 50, lease_minutes: 60 },
        leases: [{ mac: '02:00:00:00:00:01', address: '10.1.0.20', note: 'Camera' }],
      },
    ],
    forwards: [{ note: 'Camera', protocol: 'tcp', port: '8080', address: '10.1.0.20', to_port: '80' }],
    routes: [{ to: '10.9.0.0/16', via: '10.1.0.9' }],
    limits: [{ name: 'Guests', kind: 'network', target: 'LAN', down_mbps: 50, up_mbps: null }],
    reboot: { days: ['sun', 'mon'], at: '04:30', time_zone: 'Asia/Shanghai' },
    ...change,
  };
}
