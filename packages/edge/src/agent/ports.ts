import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { asList, asRecord, asText } from '@yunxun/contract/device';
import { readJson, writeDurably } from '../apply/durable.ts';
import { runTool, type ToolResult } from '../apply/executor.ts';
import { deviceForm } from '../document/ports.ts';
import type { Places } from './places.ts';

/** The box's sockets: `WAN1`, `LAN1`, … and the kernel's device of each. */
export type Ports = Readonly<Record<string, string>>;

/** A device as the choice of ports sees it. */
export interface Candidate {
  device: string;
  mac: string;
  /** It is a piece of hardware (or the hypervisor's). */
  hardware: boolean;
}

const portForm = /^(WAN|LAN)[1-9]\d?$/;

/** Which device is which socket: the one that leads to the internet is WAN1, the others are LAN1, LAN2, … by name. */
export function choosePorts(candidates: readonly Candidate[], outward: string | null): Ports {
  const named = candidates.filter(({ device }) => deviceForm.test(device));
  const real = named.filter(({ hardware }) => hardware);
  // a container has none, but pairs of devices that look like cables
  const usable = (real.length > 0 ? real : named).map(({ device }) => device).toSorted(byName);
  const wan = outward !== null && usable.includes(outward) ? outward : usable[0];
  if (wan === undefined) return {};
  const rest = usable.filter((device) => device !== wan);
  return Object.fromEntries([['WAN1', wan], ...rest.map((device, index) => [`LAN${index + 1}`, device])]);
}

function byName(a: string, b: string): number {
  return a.localeCompare(b, 'en', { numeric: true });
}

/** Ethernet devices in `ip -j -d link`, without those that were made of others. */
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

/** The device of the default route in `ip -j route`. */
export function readOutward(routes: readonly unknown[]): string | null {
  for (const entry of routes) {
    const route = asRecord<{ dst: string; dev: string }>(entry);
    if (route.dst === 'default') return asText(route.dev, 15);
  }
  return null;
}

/** The devices of this machine, and the one that leads out. */
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

/** The ports as enrolment or the owner wrote them; lines that name no port or no device are left out. Null where there is no file. */
export function readPorts(places: Places): Ports | null {
  const read = readJson(pathOf(places));
  if (read === null) return null;
  const sound = Object.entries(asRecord(read)).filter(
    (entry): entry is [string, string] =>
      portForm.test(entry[0]) && typeof entry[1] === 'string' && deviceForm.test(entry[1]),
  );
  return Object.fromEntries(sound);
}

/** Writes them. */
export function writePorts(places: Places, ports: Ports): void {
  writeDurably(pathOf(places), `${JSON.stringify(ports, null, 2)}\n`, 0o644);
}
