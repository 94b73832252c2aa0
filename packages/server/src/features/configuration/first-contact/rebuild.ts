import {
  asList,
  asRecord,
  asText,
  asTexts,
  isRecord,
  type State,
  type StateInterface,
  unconfiguredUuid,
} from '@yunxun/contract/device';
import type { DocumentInterface, UcentralDocument } from '../compile/document.ts';
import { defaultLan } from '../compile/lan.ts';

/** Catalogue key under `config.contact.reason.`. */
export type Uncertain = 'configured_elsewhere' | 'not_factory';

/** Rebuilds factory configurations only: reports lack SSID keys, VLANs and pools. */
export function rebuildDocument(state: unknown, reported: number | null): UcentralDocument | Uncertain {
  if ((reported || unconfiguredUuid) !== unconfiguredUuid) return 'configured_elsewhere';
  const interfaces = asList(asRecord<State>(state).interfaces)
    .filter(isRecord)
    .map(asRecord<StateInterface>);
  const names = interfaces.map(({ name }) => asText(name, 32) ?? '');
  const bare = interfaces.every(({ ssids }) => asList(ssids).length === 0);
  if (!bare || names[0] !== 'up0v0' || (names.length > 1 && names[1] !== 'down1v0') || names.length > 2)
    return 'not_factory';
  const [, lan] = interfaces;
  if (!lan) return { ...factory, interfaces: [upstream] };
  const ipv4 = asRecord<NonNullable<StateInterface['ipv4']>>(lan.ipv4);
  const [address] = asTexts(ipv4.addresses);
  return address === defaultLan ? { ...factory, interfaces: [upstream, downstream] } : 'not_factory';
}

const upstream: DocumentInterface = {
  name: 'WAN',
  role: 'upstream',
  services: ['lldp'],
  ethernet: [{ 'select-ports': ['WAN*'] }],
  ipv4: { addressing: 'dynamic' },
};

const downstream: DocumentInterface = {
  name: 'LAN',
  role: 'downstream',
  services: ['ssh', 'lldp'],
  ethernet: [{ 'select-ports': ['LAN*'] }],
  ipv4: {
    addressing: 'static',
    subnet: defaultLan,
    dhcp: { 'lease-first': 10, 'lease-count': 100, 'lease-time': '6h' },
  },
};

const factory = {
  unit: {},
  services: { lldp: { describe: 'uCentral', location: 'universe' }, ssh: { port: 22 } },
  metrics: {},
};
