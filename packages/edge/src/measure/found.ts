import { readdirSync } from 'node:fs';
import { isIPv4 } from 'node:net';
import { join } from 'node:path';
import type { EdgeFoundWan } from '@yunxun/contract/device';
import { nameServers } from '../names/host-resolver.ts';
import { textOf } from './gateway-host.ts';
import type { Gateway, OwnAddress } from './kernel.ts';

interface Host {
  ports: readonly { name: string; device: string }[];
  addresses: readonly OwnAddress[];
  gateways: readonly Gateway[];
  proc: string;
  resolvers: readonly string[];
}

const maxNameServers = 4;

export function foundWans({ ports, addresses, gateways, proc, resolvers }: Host): EdgeFoundWan[] {
  const dns = resolvers.map(serversIn).find((list) => list.length > 0) ?? [];
  const leased = devicesOfUdhcpc(proc);
  return ports.flatMap(({ name, device }) => {
    if (!name.startsWith('WAN')) return [];
    const own = addresses.find((one) => one.device === device && isIPv4(one.address) && !isLinkLocal(one.address));
    if (!own) return [];
    return [
      {
        port: name,
        address: `${own.address}/${own.prefix}`,
        gateway: gateways.find((one) => one.device === device && isIPv4(one.address))?.address ?? null,
        dynamic: own.dynamic === true || leased.has(device),
        dns,
      },
    ];
  });
}

const isLinkLocal = (address: string) => address.startsWith('169.254.');

function serversIn(file: string): string[] {
  const found = nameServers(textOf(file) ?? '');
  return found.filter((address) => isIPv4(address) && !address.startsWith('127.')).slice(0, maxNameServers);
}

/** Its addresses have no lifetime, unlike those of other clients. */
function devicesOfUdhcpc(proc: string): ReadonlySet<string> {
  const devices = new Set<string>();
  for (const id of processesIn(proc)) {
    const words = (textOf(join(proc, id, 'cmdline')) ?? '').split('\0');
    if (!words.slice(0, 2).some((word) => /(^|\/)udhcpc$/.test(word))) continue;
    const at = words.indexOf('-i');
    // without -i it serves eth0
    devices.add(at < 0 ? 'eth0' : (words[at + 1] ?? ''));
  }
  return devices;
}

function processesIn(proc: string): string[] {
  try {
    return readdirSync(proc).filter((name) => /^\d+$/.test(name));
  } catch {
    return [];
  }
}
