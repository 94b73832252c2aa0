import { type ConfigurationDocument, unconfiguredUuid } from '@yunxun/contract/device';
import { factoryConfigurations } from './box/defaults.ts';
import { type Hardware, isRouter } from './box/hardware.ts';

/** A network that the site had before it came to the console. */
export interface FormerSsid {
  name: string;
  /** Null: open. */
  key: string | null;
  /** Null: untagged. */
  vlan: number | null;
}

/** Spelt as the console writes equal settings, so that clients stay when it sends them. */
const ssidOf = ({ name, key, vlan }: FormerSsid) => ({
  name,
  'wifi-bands': ['2G', '5G'],
  'bss-mode': 'ap',
  'hidden-ssid': false,
  'isolate-clients': vlan !== null,
  encryption: key === null ? { proto: 'none' } : { proto: 'psk2', key, ieee80211w: 'optional' },
  'access-control-list': { mode: 'deny', 'mac-address': [] },
});

export function documentOf(hardware: Hardware, wanted: readonly FormerSsid[]): ConfigurationDocument {
  const factory = factoryConfigurations[hardware.role];
  if (hardware.radios.length === 0) return factory;
  const interfaces = factory.interfaces as readonly Record<string, unknown>[];
  const last = interfaces.length - 1;
  const on = (vlan: number | null) => wanted.filter((ssid) => ssid.vlan === vlan).map(ssidOf);
  const vlans = [...new Set(wanted.flatMap(({ vlan }) => vlan ?? []))];
  return {
    ...factory,
    uuid: unconfiguredUuid,
    radios: [
      { band: '2G', channel: 'auto', 'channel-width': 20 },
      { band: '5G', channel: 'auto', 'channel-width': 80 },
    ],
    interfaces: [
      ...interfaces.map((entry, index) => (index === last ? { ...entry, ssids: on(null) } : entry)),
      ...vlans.map((id) => ({
        name: `VLAN${id}`,
        role: isRouter(hardware.role) ? 'downstream' : 'upstream',
        vlan: { id },
        ethernet: [{ 'select-ports': [isRouter(hardware.role) ? 'LAN*' : 'WAN*'], 'vlan-tag': 'tagged' }],
        ssids: on(id),
      })),
    ],
  };
}
