import type { ConfigurationDocument } from '@yunxun/contract/device';
import type { BoxRole } from './hardware.ts';

const metrics = {
  statistics: { interval: 120, types: ['ssids', 'lldp', 'clients'] },
  health: { interval: 120 },
};

const wan = {
  name: 'WAN',
  role: 'upstream',
  services: ['lldp'],
  ethernet: [{ 'select-ports': ['WAN*'] }],
  ipv4: { addressing: 'dynamic' },
};

const lan = {
  name: 'LAN',
  role: 'downstream',
  services: ['ssh', 'lldp'],
  ethernet: [{ 'select-ports': ['LAN*'] }],
  ipv4: {
    addressing: 'static',
    subnet: '192.168.1.1/24',
    dhcp: { 'lease-first': 10, 'lease-count': 200, 'lease-time': '6h' },
  },
};

export const factoryConfigurations: Readonly<Record<BoxRole, ConfigurationDocument>> = {
  'access-point': { uuid: 1, interfaces: [wan], metrics, services: { lldp: {} } },
  gateway: { uuid: 1, interfaces: [wan, lan], metrics, services: { lldp: {}, ssh: { port: 22 } } },
  edge: {
    uuid: 1,
    interfaces: [
      { ...wan, name: 'WAN1', services: [], ethernet: [{ 'select-ports': ['WAN1'] }] },
      {
        ...lan,
        services: [],
        ethernet: [{ 'select-ports': ['LAN1', 'LAN2', 'LAN3'] }],
      },
    ],
    metrics,
  },
  switch: {
    uuid: 1,
    interfaces: [
      {
        name: 'mgmt',
        role: 'upstream',
        vlan: { id: 1 },
        ethernet: [{ 'select-ports': ['Ethernet*'], 'vlan-tag': 'un-tagged' }],
        ipv4: { addressing: 'dynamic' },
      },
    ],
    metrics: { statistics: { interval: 120, types: ['lldp', 'clients'] }, health: { interval: 120 } },
  },
};
