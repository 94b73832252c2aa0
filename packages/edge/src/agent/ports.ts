import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { asCount, asList, asRecord, asText, deviceForm, type MtuRange } from '@yunxun/contract/device';
import { readJson, writeDurably } from '../apply/durable.ts';
import { runTool } from '../apply/executor.ts';
import type { ToolResult } from '../apply/step.ts';
import type { Places } from './places.ts';

/** Kernel device by port name (`WAN1`, `LAN1`, …). */
export type Ports = Readonly<Record<string, string>>;

export interface Candidate {
  device: string;
  mac: string;
  hardware: boolean;
}

const portForm = /^(WAN|LAN)[1-9]\d?$/;

/** Names the device towards the internet WAN1, the others LAN1, LAN2, … in order of name. */
export function choosePorts(candidates: readonly Candidate[], outward: string | null): Ports {
  const named = candidates.filter(({ device }) => deviceForm.test(device));
  const real = named.filter(({ hardware }) => hardware);
  // containers have only veth pairs
  const usable = (real.length > 0 ? real : named).map(({ device }) => device).toSorted(byName);
  const wan = outward !== null && usable.includes(outward) ? outward : usable[0];
  if (wan === undefined) return {};
  const rest = usable.filter((device) => device !== wan);
  return Object.fromEntries([['WAN1', wan], ...rest.map((device, index) => [`LAN${index + 1}`, device])]);
}

function byName(a: string, b: string): number {
  return a.localeCompare(b, 'en', { numeric: true });
}

export function readCandidates(links: readonly unknown[], isHardware: (device: string) => boolean): Candidate[] {
  return links.flatMap((entry) => {
    const link = asRecord<Record<'ifname' | 'link_type' | 'address' | 'master' | 'linkinfo', unknown>>(entry);
    const device = asText(link.ifname, 15);
    const mac = asText(link.address, 17);
    const kind = asText(asRecord<{ info_kind: string }>(link.linkinfo).info_kind, 32);
    const plain = kind === null || (kind === 'veth' && link.master === undefined);
    if (device === null || mac === null || link.link_type !== 'ether' || !plain) return [];
    return [{ device, mac: mac.toLowerCase(), hardware: isHardware(device) }];
  });
}

export function readOutward(routes: readonly unknown[]): string | null {
  for (const entry of routes) {
    const route = asRecord<{ dst: string; dev: string }>(entry);
    if (route.dst === 'default') return asText(route.dev, 15);
  }
  return null;
}

export async function lookAtDevices(): Promise<{ candidates: Candidate[]; outward: string | null }> {
  const [links, routes] = await Promise.all([
    runTool(['ip', '-j', '-d', 'link', 'show']),
    runTool(['ip', '-j', '-4', 'route', 'show', 'default']),
  ]);
  const isHardware = (device: string) => existsSync(`/sys/class/net/${device}/device`);
  const wired = readCandidates(parse(links), isHardware).filter(
    ({ device }) => !existsSync(`/sys/class/net/${device}/wireless`),
  );
  return { candidates: wired, outward: readOutward(parse(routes)) };
}

/** Largest IPv4 packet, for drivers that report no limit (0 in `ip -d`). */
const unlimited = 65_535;

export function readMtus(links: readonly unknown[], ports: Ports): Record<string, MtuRange> {
  const ranges = new Map<string, MtuRange>();
  for (const entry of links) {
    const { ifname, min_mtu, max_mtu } = asRecord<Record<'ifname' | 'min_mtu' | 'max_mtu', unknown>>(entry);
    const [min, max] = [asCount(min_mtu), asCount(max_mtu)];
    if (typeof ifname === 'string' && min !== null && max !== null)
      ranges.set(ifname, { min, max: max === 0 ? unlimited : max });
  }
  return Object.fromEntries(
    Object.entries(ports).flatMap(([name, device]) => {
      const range = ranges.get(device);
      return range === undefined ? [] : [[name, range] as const];
    }),
  );
}

export async function mtusOf(ports: Ports): Promise<Record<string, MtuRange>> {
  return readMtus(parse(await runTool(['ip', '-j', '-d', 'link', 'show'])), ports);
}

function parse({ stdout }: ToolResult): readonly unknown[] {
  try {
    return asList(JSON.parse(stdout));
  } catch {
    return [];
  }
}

function pathOf(places: Places): string {
  return join(places.etc, 'ports.json');
}

export function readPorts(places: Places): Ports | null {
  const read = readJson(pathOf(places));
  if (read === null) return null;
  const sound = Object.entries(asRecord(read)).filter(
    (entry): entry is [string, string] =>
      portForm.test(entry[0]) && typeof entry[1] === 'string' && deviceForm.test(entry[1]),
  );
  return Object.fromEntries(sound);
}

export function writePorts(places: Places, ports: Ports): void {
  writeDurably(pathOf(places), `${JSON.stringify(ports, null, 2)}\n`, 0o644);
}
