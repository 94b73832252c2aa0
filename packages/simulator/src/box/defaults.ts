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

/**
 * The configuration a box leaves the factory with (uuid 1): an access point is a bridge without wireless networks, a
 * gateway routes for its LAN ports, a switch switches.
 */
export const factoryConfigurations: Readonly<Record<BoxRole, ConfigurationDocument>> = {
  'access-point': { uuid: 1, interfaces: [wan], metrics, services: { lldp: {} } },
  gateway: { uuid: 1, interfaces: [wan, lan], metrics, services: { lldp: {}, ssh: { port: 22 } } },
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
