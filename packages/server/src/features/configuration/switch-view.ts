import { type layers, switches } from '@yunxun/contract';
import { macOfSerial, normaliseMac } from '@yunxun/contract/device';
import type { SwitchPort } from '../../telemetry/extract/switch-ports.ts';
import type { KeptPort, StationFacts } from '../../telemetry/read/index.ts';
import type { ManagedDevice } from '../fleet/index.ts';
import { type OwnPort, type PortFacts, portsInForce, ruleFor } from './compile/index.ts';

type PortRow = switches.PortRow;

export interface PortView {
  ports: readonly SwitchPort[];
  facts: readonly PortFacts[];
  own: readonly switches.PortSettings[];
  free: readonly OwnPort[];
  rules: { all: readonly switches.PortRule[]; source: layers.Source };
  vlans: readonly number[];
  devices: readonly ManagedDevice[];
  stations: readonly StationFacts[];
  cycles: ReadonlyMap<string, Date>;
  samples: { at: Date; ports: readonly KeptPort[]; earlierAt: Date; earlier: readonly KeptPort[] } | null;
}

export function ownersOf(devices: readonly ManagedDevice[]): Map<string, ManagedDevice> {
  const owners = new Map<string, ManagedDevice>();
  for (const device of devices) {
    const { macaddr, label_macaddr: label } = device.capabilities ?? {};
    for (const mac of [device.serial, label, ...Object.values(macaddr ?? {})]) {
      const own = normaliseMac(mac);
      if (own !== null && !owners.has(own)) owners.set(own, device);
    }
  }
  return owners;
}

/** Returns null if allowed. */
export function cycleGate(
  { poe, uplink }: Pick<PortFacts, 'poe' | 'uplink'>,
  settings: Pick<switches.PortSettings, 'poe' | 'enabled'>,
): PortRow['cycle_gate'] {
  if (!poe) return 'no_poe';
  if (uplink) return 'uplink';
  return settings.poe && settings.enabled ? null : 'poe_off';
}

const byDefault: layers.Source = { layer: 'default', id: '', name: '', locked: false };
const bySwitch: layers.Source = { ...byDefault, layer: 'device' };

export function portRows(view: PortView): PortRow[] {
  const { ports, facts, vlans, devices, stations, rules } = view;
  const owners = ownersOf(devices);
  const known = new Map(facts.map((port) => [port.name, port]));
  const own = new Set(view.own.map(({ port }) => port));
  const inForce = portsInForce(facts, rules.all, view.free);
  const named = new Map(stations.map((station) => [station.mac, station]));
  const rates = ratesOf(view.samples);
  return ports.map((port): PortRow => {
    const { name, peers, macs } = port;
    const uplink = known.get(name)?.uplink ?? false;
    const { settings: set, from, gate } = inForce.get(name) ?? unreported(name);
    const source = { own: bySwitch, rule: rules.source, usual: byDefault }[from];
    return {
      port: name,
      label: set.label,
      up: port.up,
      speed: port.speed,
      duplex: port.duplex,
      top_speed: known.get(name)?.top_speed ?? port.speed,
      uplink,
      poe: port.poe,
      vlan: set.vlan,
      tagged: (set.tagged ?? vlans).filter((vlan) => vlan !== set.vlan),
      neighbours: peers.map(({ roles: _roles, mac, ...peer }) => ({
        ...peer,
        mac: mac === null ? null : macOfSerial(mac),
        serial: (mac !== null && owners.get(mac)?.serial) || null,
      })),
      clients: macs.slice(0, switches.switchLimits.listedClients).map(({ mac, vlan }) => ({
        mac: macOfSerial(mac),
        vlan,
        name: owners.get(mac)?.name || named.get(mac)?.hostname || null,
        ip: named.get(mac)?.ip ?? null,
        serial: owners.get(mac)?.serial ?? null,
      })),
      client_total: macs.length,
      counters: port.counters,
      rates: rates.get(name) ?? null,
      settings: set,
      own: own.has(name),
      rule_gate: gate,
      // locks apply even where the rule is skipped
      source: { ...source, locked: rules.source.locked && ruleFor(rules.all, name) !== undefined },
      cycled_at: view.cycles.get(name)?.toISOString() ?? null,
      cycle_gate: cycleGate({ poe: port.poe !== null, uplink }, set),
    };
  });
}

const unreported = (name: string) => ({ settings: switches.usualPort(name), from: 'usual' as const, gate: null });

/** Returns bit/s between two reports; none after a reset. */
function ratesOf(samples: PortView['samples']): Map<string, { rx: number; tx: number }> {
  const rates = new Map<string, { rx: number; tx: number }>();
  if (!samples) return rates;
  const seconds = (samples.at.getTime() - samples.earlierAt.getTime()) / 1000;
  const before = new Map(samples.earlier.map((port) => [port.name, port.bytes]));
  for (const { name, bytes } of seconds > 0 ? samples.ports : []) {
    const then = before.get(name);
    if (!bytes || !then || bytes.rx_bytes < then.rx_bytes || bytes.tx_bytes < then.tx_bytes) continue;
    const rate = (now: number, earlier: number) => Math.round(((now - earlier) * 8) / seconds);
    rates.set(name, { rx: rate(bytes.rx_bytes, then.rx_bytes), tx: rate(bytes.tx_bytes, then.tx_bytes) });
  }
  return rates;
}
