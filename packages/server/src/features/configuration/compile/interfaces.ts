import { asTexts, type Capabilities } from '@yunxun/contract/device';
import { overlap, readSubnet, type Subnet } from '@yunxun/contract/ipv4';
import type { DocumentInterface } from './document.ts';
import type { Findings } from './findings.ts';
import type { CompileInput, DeviceFacts } from './intent.ts';
import { defaultLan, lanOfVlan, readLan, routedIpv4 } from './lan.ts';
import { hasGate, type SsidGroup } from './ssids.ts';

const dynamic = { addressing: 'dynamic' } as const;

/** Builds a segment per VLAN, tagged on the wires. A factory LAN stays: it may have clients. */
export function bridgedInterfaces(
  { capabilities, lan }: Pick<DeviceFacts, 'capabilities' | 'lan'>,
  groups: readonly SsidGroup[],
): DocumentInterface[] {
  const own = lan ? readSubnet(lan) : null;
  const ports = hasLan(capabilities) && !lan ? ['WAN*', 'LAN*'] : ['WAN*'];
  const [plain, tagged] = split(groups);
  return [
    {
      name: 'WAN',
      role: 'upstream',
      services: ['lldp'],
      ethernet: [{ 'select-ports': ports }],
      ipv4: dynamic,
      ...ssidsOf(plain),
    },
    ...(own ? [ownLan(own, capabilities)] : []),
    ...tagged.map(
      ({ vlan, ssids }): DocumentInterface => ({
        name: `VLAN${vlan}`,
        role: 'upstream',
        vlan: { id: vlan },
        ethernet: [{ 'select-ports': ['WAN*'], 'vlan-tag': 'tagged' }],
        // guests reach the access point's own address for the sign-in
        ...(hasGate(ssids) ? { ipv4: dynamic } : {}),
        ...ssidsOf({ ssids }),
      }),
    ),
  ];
}

export function routedInterfaces(
  input: CompileInput,
  groups: readonly SsidGroup[],
  findings: Findings,
): DocumentInterface[] {
  const { capabilities } = input.device;
  const platform = capabilities?.platform;
  const usual = (input.device.lan && readSubnet(input.device.lan)) || readLan(defaultLan)!;
  const lan = (input.override.lan_address && readLan(input.override.lan_address)) || usual;
  const [plain, tagged] = split(groups);
  return [
    { name: 'WAN', role: 'upstream', services: ['lldp'], ethernet: [{ 'select-ports': ['WAN*'] }], ipv4: dynamic },
    { ...ownLan(lan, capabilities), ...ssidsOf(plain) },
    ...tagged.map(({ vlan, ssids }): DocumentInterface => {
      const own = lanOfVlan(vlan);
      if (overlap(own, lan)) findings.wrong('lan_overlap', 'lan_address', { vlan });
      return {
        name: `VLAN${vlan}`,
        role: 'downstream',
        vlan: { id: vlan },
        ...(tagsLan(capabilities) ? { ethernet: [{ 'select-ports': ['LAN*'], 'vlan-tag': 'tagged' as const }] } : {}),
        ipv4: routedIpv4(own, platform),
        ...ssidsOf({ ssids }),
      };
    }),
  ];
}

function ownLan(lan: Subnet, capabilities: Capabilities | null): DocumentInterface {
  return {
    name: 'LAN',
    role: 'downstream',
    services: ['lldp'],
    ...(hasLan(capabilities) ? { ethernet: [{ 'select-ports': ['LAN*'] }] } : {}),
    ipv4: routedIpv4(lan, capabilities?.platform),
  };
}

type Tagged = SsidGroup & { vlan: number };

function split(groups: readonly SsidGroup[]): [SsidGroup | undefined, Tagged[]] {
  return [groups.find(({ vlan }) => vlan === null), groups.filter((group): group is Tagged => group.vlan !== null)];
}

function ssidsOf(group: Pick<SsidGroup, 'ssids'> | undefined): Pick<DocumentInterface, 'ssids'> {
  return group && group.ssids.length > 0 ? { ssids: group.ssids } : {};
}

function hasLan(capabilities: Capabilities | null): boolean {
  return lanDevices(capabilities).length > 0;
}

/** Returns `lan` for firmware, each socket (`LAN1`, `LAN2`) for the Yunxun agent. */
function lanDevices(capabilities: Capabilities | null): string[] {
  return Object.entries(capabilities?.network ?? {}).flatMap(([name, devices]) =>
    /^lan\d*$/i.test(name) ? asTexts(devices) : [],
  );
}

/** Ports behind a built-in switch (`eth0:1`) cannot tag downstream. */
function tagsLan(capabilities: Capabilities | null): boolean {
  const ports = lanDevices(capabilities);
  return ports.length > 0 && !ports.some((port) => port.includes(':'));
}
