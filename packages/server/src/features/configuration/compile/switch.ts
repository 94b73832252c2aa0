import type { DocumentInterface, UcentralDocument } from './document.ts';
import type { Findings } from './findings.ts';
import type { CompileInput } from './intent.ts';
import { switchMetrics } from './metrics.ts';

const everyPort = ['Ethernet*'];
const untaggedVlan = 1;

/**
 * A switch's document: every port on, one untagged VLAN with the switch's own address, and the network's SSID VLANs tagged
 * on every port. The switch client resets ports that the document does not name, and wants speed, duplex and tags spelt out.
 */
export function compileSwitch({ device, network }: CompileInput, findings: Findings): UcentralDocument {
  if (network.ssids.length > 0) findings.leftOut('not_wireless', 'ssids');
  if (network.radios.length > 0) findings.leftOut('not_wireless', 'radios');
  const vlans = [
    ...new Set(network.ssids.flatMap(({ enabled, vlan }) => (enabled && vlan !== null ? [vlan] : []))),
  ].toSorted((a, b) => a - b);
  return {
    unit: { name: device.name },
    ethernet: [{ 'select-ports': everyPort, speed: 1000, duplex: 'full', enabled: true, poe: { 'admin-mode': true } }],
    switch: {
      'loop-detection': {
        protocol: 'rpvstp',
        instances: [untaggedVlan, ...vlans].map((id) => ({ id, enabled: true })),
      },
    },
    interfaces: [
      {
        name: 'WAN',
        role: 'upstream',
        services: ['lldp'],
        vlan: { id: untaggedVlan, proto: '802.1q' },
        ethernet: [{ 'select-ports': everyPort, 'vlan-tag': 'un-tagged' }],
        ipv4: { addressing: 'dynamic' },
      },
      ...vlans.map(tagged),
    ],
    services: { lldp: {} },
    metrics: switchMetrics,
  };
}

function tagged(vlan: number): DocumentInterface {
  return {
    name: `VLAN${vlan}`,
    role: 'upstream',
    vlan: { id: vlan, proto: '802.1q' },
    ethernet: [{ 'select-ports': everyPort, 'vlan-tag': 'tagged' }],
  };
}

/** Whether a device is a switch, by its own word or by what it was bound as. */
export function isSwitch({ device }: CompileInput): boolean {
  return (device.capabilities?.platform ?? device.kind) === 'switch';
}

/** The newest configuration schema whose facts this compiler knows. */
export const knownSchema = { accessPoint: 5, switch: 5 } as const;
