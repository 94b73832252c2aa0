import { asTexts, type Capabilities } from '@yunxun/contract/device';
import { overlap } from '@yunxun/contract/ipv4';
import type { DocumentInterface } from './document.ts';
import type { Findings } from './findings.ts';
import type { CompileInput } from './intent.ts';
import { defaultLan, lanOfVlan, readLan, routedIpv4 } from './lan.ts';
import type { SsidGroup } from './ssids.ts';

const dynamic = { addressing: 'dynamic' } as const;

/** An access point bridges: its wires and SSIDs are one segment, and each VLAN another, tagged on the wires. */
export function bridgedInterfaces(
  groups: readonly SsidGroup[],
  capabilities: Capabilities | null,
): DocumentInterface[] {
  const ports = hasLan(capabilities) ? ['WAN*', 'LAN*'] : ['WAN*'];
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
    ...tagged.map(
      ({ vlan, ssids }): DocumentInterface => ({
        name: `VLAN${vlan}`,
        role: 'upstream',
        vlan: { id: vlan },
        ethernet: [{ 'select-ports': ['WAN*'], 'vlan-tag': 'tagged' }],
        ssids,
      }),
    ),
  ];
}

/** A gateway routes: NAT from a LAN of its own, and from one for each VLAN. */
export function routedInterfaces(
  input: CompileInput,
  groups: readonly SsidGroup[],
  findings: Findings,
): DocumentInterface[] {
  const { capabilities } = input.device;
  const platform = capabilities?.platform;
  const lan = readLan(input.override.lan_address ?? defaultLan) ?? readLan(defaultLan)!;
  const [plain, tagged] = split(groups);
  return [
    { name: 'WAN', role: 'upstream', services: ['lldp'], ethernet: [{ 'select-ports': ['WAN*'] }], ipv4: dynamic },
    {
      name: 'LAN',
      role: 'downstream',
      services: ['lldp'],
      ...(hasLan(capabilities) ? { ethernet: [{ 'select-ports': ['LAN*'] }] } : {}),
      ipv4: routedIpv4(lan, platform),
      ...ssidsOf(plain),
    },
    ...tagged.map(({ vlan, ssids }): DocumentInterface => {
      const own = lanOfVlan(vlan);
      if (overlap(own, lan)) findings.wrong('lan_overlap', 'lan_address', { vlan });
      return {
        name: `VLAN${vlan}`,
        role: 'downstream',
        vlan: { id: vlan },
        ...(tagsLan(capabilities) ? { ethernet: [{ 'select-ports': ['LAN*'], 'vlan-tag': 'tagged' as const }] } : {}),
        ipv4: routedIpv4(own, platform),
        ssids,
      };
    }),
  ];
}

type Tagged = SsidGroup & { vlan: number };

function split(groups: readonly SsidGroup[]): [SsidGroup | undefined, Tagged[]] {
  return [groups.find(({ vlan }) => vlan === null), groups.filter((group): group is Tagged => group.vlan !== null)];
}

function ssidsOf(group: SsidGroup | undefined): Pick<DocumentInterface, 'ssids'> {
  return group ? { ssids: group.ssids } : {};
}

function hasLan(capabilities: Capabilities | null): boolean {
  return lanDevices(capabilities).length > 0;
}

/** Firmware has all of them under `lan`; our own agent names each socket: `LAN1`, `LAN2`. */
function lanDevices(capabilities: Capabilities | null): string[] {
  return Object.entries(capabilities?.network ?? {}).flatMap(([name, devices]) =>
    /^lan\d*$/i.test(name) ? asTexts(devices) : [],
  );
}

/** Ports behind a built-in switch (`eth0:1`) take no tags downstream. */
function tagsLan(capabilities: Capabilities | null): boolean {
  const ports = lanDevices(capabilities);
  return ports.length > 0 && !ports.some((port) => port.includes(':'));
}
