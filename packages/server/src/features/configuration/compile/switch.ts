import { asTexts, isRecord } from '@yunxun/contract/device';
import type { DocumentInterface, UcentralDocument } from './document.ts';
import type { Findings } from './findings.ts';
import type { CompileInput, PortFacts } from './intent.ts';
import { switchMetrics } from './metrics.ts';
import { type PortInForce, portsInForce } from './port-rules.ts';

const managementVlan = 1;
/** Mbit/s. Slower links prove nothing: sleeping computers hold 10 or 100. */
const sleepSpeed = 1000;

interface Port {
  name: string;
  enabled: boolean;
  poe: boolean | null;
  speed: number;
  duplex: 'half' | 'full';
  vlan: number;
  tagged: readonly number[];
}

/**
 * Spells out every port: the client resets unnamed ports. Before the first report the ports are unknown, and the
 * document must not be sent.
 */
export function compileSwitch(input: CompileInput, findings: Findings): UcentralDocument {
  const { device, network } = input;
  if (network.ssids.length > 0) findings.leftOut('not_wireless', 'ssids');
  if (network.radios.length > 0) findings.leftOut('not_wireless', 'radios');
  const ports = portsOf(input, findings);
  const ids = [...new Set([managementVlan, ...networkVlans(network), ...ports.flatMap(vlansOf)])];
  const vlans = ids.toSorted((a, b) => a - b);
  return {
    unit: { name: device.name },
    ethernet: ethernetOf(ports, new Set(input.cycled)),
    switch: { 'loop-detection': { protocol: 'rpvstp', instances: vlans.map((id) => ({ id, enabled: true })) } },
    interfaces: vlans.map((id) => interfaceOf(id, ports)),
    services: { lldp: {} },
    metrics: switchMetrics,
  };
}

export function networkVlans({ ssids }: CompileInput['network']): number[] {
  const vlans = ssids.flatMap(({ enabled, vlan }) => (enabled && vlan !== null ? [vlan] : []));
  return [...new Set(vlans)].toSorted((a, b) => a - b);
}

/** Returns the last Mbit/s, so that a push changes no link; below gigabit the highest ever. Null: never up. */
export function settledSpeed({ speed, top_speed: top }: Pick<PortFacts, 'speed' | 'top_speed'>): number | null {
  return speed !== null && speed < sleepSpeed ? Math.max(speed, top ?? 0) : speed;
}

function portsOf({ device, network, override, general }: CompileInput, findings: Findings): Port[] {
  const known = device.ports ?? [];
  if (known.length === 0) findings.wrong('ports_unknown', 'ports');
  const usual = networkVlans(network);
  const own = override.ports ?? [];
  const inForce = portsInForce(known, general?.ports ?? [], own);
  noteGates(inForce, findings);
  for (const { port } of own)
    if (known.length > 0 && !known.some(({ name }) => name === port)) findings.leftOut('port_gone', 'ports', { port });
  const guessed: string[] = [];
  const ports = known.map((facts): Port => {
    const { name, poe, duplex } = facts;
    const { settings: set } = inForce.get(name)!;
    const speed = set.speed ?? settledSpeed(facts);
    if (speed === null && set.enabled) guessed.push(name);
    return {
      name,
      enabled: set.enabled,
      poe: poe ? set.poe : null,
      speed: speed ?? sleepSpeed,
      // gigabit has no half duplex
      duplex: set.speed === null && (speed ?? sleepSpeed) < sleepSpeed ? (duplex ?? 'full') : 'full',
      vlan: set.vlan,
      tagged: (set.tagged ?? usual).filter((id) => id !== set.vlan),
    };
  });
  if (guessed.length > 0)
    findings.adjusted('port_speed_unknown', 'ports', { ports: guessed.join(', '), speed: sleepSpeed });
  return ports;
}

function noteGates(inForce: ReadonlyMap<string, PortInForce>, findings: Findings): void {
  const held = (why: PortInForce['gate']) => [...inForce].flatMap(([name, { gate }]) => (gate === why ? [name] : []));
  const [kept, unknown] = [held('uplink'), held('uplink_unknown')];
  if (kept.length > 0) findings.adjusted('port_uplink_kept', 'general.ports', { ports: kept.join(', ') });
  if (unknown.length > 0) findings.leftOut('port_uplink_unknown', 'general.ports', { ports: unknown.join(', ') });
}

const vlansOf = ({ vlan, tagged }: Port): number[] => [vlan, ...tagged];

function ethernetOf(ports: readonly Port[], cycled: ReadonlySet<string>): NonNullable<UcentralDocument['ethernet']> {
  const entries = new Map<string, Record<string, unknown> & { 'select-ports': string[] }>();
  for (const { name, speed, duplex, enabled, poe } of ports) {
    const power = poe === null ? {} : { poe: { 'admin-mode': poe, ...(cycled.has(name) && { 'do-reset': true }) } };
    const entry = { speed, duplex, enabled, ...power };
    const key = JSON.stringify(entry);
    const same = entries.get(key);
    if (same) same['select-ports'].push(name);
    else entries.set(key, { 'select-ports': [name], ...entry });
  }
  return [...entries.values()];
}

function interfaceOf(id: number, ports: readonly Port[]): DocumentInterface {
  const untagged = ports.filter(({ vlan }) => vlan === id).map(({ name }) => name);
  const tagged = ports.filter((port) => port.tagged.includes(id)).map(({ name }) => name);
  const ethernet = [
    ...(untagged.length > 0 ? [{ 'select-ports': untagged, 'vlan-tag': 'un-tagged' as const }] : []),
    ...(tagged.length > 0 ? [{ 'select-ports': tagged, 'vlan-tag': 'tagged' as const }] : []),
  ];
  const vlan = { id, proto: '802.1q' };
  if (id !== managementVlan) return { name: `VLAN${id}`, role: 'upstream', vlan, ethernet };
  return { name: 'WAN', role: 'upstream', services: ['lldp'], vlan, ethernet, ipv4: { addressing: 'dynamic' } };
}

/** Drops port speeds, which follow the connected devices. */
export function withoutSpeeds(document: UcentralDocument): UcentralDocument {
  const ports = (document.ethernet ?? []).flatMap(({ speed: _speed, duplex: _duplex, ...entry }) =>
    asTexts(entry['select-ports']).map((port) => ({ ...entry, 'select-ports': [port] })),
  );
  const number = (port: (typeof ports)[number]) => Number(/\d+/.exec(port['select-ports'][0] ?? '')?.[0] ?? 0);
  return { ...document, ethernet: ports.toSorted((a, b) => number(a) - number(b)) };
}

/** Returns whether a document without the power cycle must follow. */
export function cyclesPower({ ethernet = [] }: UcentralDocument): boolean {
  return ethernet.some(({ poe }) => isRecord(poe) && poe['do-reset'] === true);
}

export function isSwitch({ device }: CompileInput): boolean {
  return (device.capabilities?.platform ?? device.kind) === 'switch';
}

export const knownSchema = { accessPoint: 5, switch: 5 } as const;
