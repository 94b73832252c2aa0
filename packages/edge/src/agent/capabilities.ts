import { readFileSync, statfsSync } from 'node:fs';
import { type Capabilities, type EdgeCapabilities, servedServices } from '@yunxun/contract/device';
import type { Abilities, Facts } from '../document/facts.ts';
import type { EdgeOptions } from './options-file.ts';
import { agentVersion } from './version.ts';

/** Independent of kernel and tools. */
const ofThisVersion = {
  captiveApi: true,
  captiveAway: true,
  captivePay: true,
  captiveRanges: true,
  blocking: true,
  checks: true,
  connect: true,
  hop: true,
  tools: true,
  watch: true,
  wanRoutes: true,
  scan: true,
  wake: true,
  plugins: true,
  port53: true,
  ...Object.fromEntries(servedServices.map((service) => [service, true])),
} as const;

/** Reports `before`, the original MACs of ports that the configuration overrides. Tests replace `sys` and `root`. */
export function capabilitiesOf(
  facts: Facts,
  missing: readonly string[],
  allowed: Omit<EdgeOptions, 'remote'>,
  before: Readonly<Record<string, string>> = {},
  sys = '/sys',
  root = facts.folders.state,
): Capabilities {
  const macs = Object.entries(facts.ports).flatMap(([port, device]) => {
    const mac = before[device] ?? lineOf(`${sys}/class/net/${device}/address`);
    return mac === null ? [] : [[port, mac] as const];
  });
  const storage = storageOf(root);
  const [major = 0, minor = 0, patch = 0] = agentVersion.split(/[.+-]/).map(Number);
  return {
    compatible: 'yunxun_edge',
    model: modelOf(sys),
    platform: 'olg',
    version: { schema: { major, minor, patch } },
    network: Object.fromEntries(Object.entries(facts.ports).map(([port, device]) => [port, [device]])),
    macaddr: Object.fromEntries(macs),
    ...(macs[0] === undefined ? {} : { label_macaddr: macs[0][1] }),
    ...(storage === null ? {} : { storage_bytes: storage }),
    compress_cmd: true,
    yunxun: {
      agent: agentVersion,
      renews: true,
      abilities: abilitiesOf(facts.abilities),
      arch: process.arch,
      mtus: facts.mtus ?? {},
      missing,
      allowed: { reboot: allowed.reboot, scripts: allowed.scripts },
    },
  };
}

/** Adds to the abilities of kernel and tools. */
export function abilitiesOf(host: Abilities): EdgeCapabilities['abilities'] {
  return {
    ...host,
    ...ofThisVersion,
    shield: host.dnsmasq,
    sdwan: host.sdwan === true,
    iperf: host.sdwan === true && host.iperf === true,
    // garden names need a resolver that fills nftables sets
    captive: host.dnsmasq && host.nftset === true,
    captiveRates: host.captiveRates === true,
    captiveBridge: host.captiveBridge === true,
  };
}

export function modelOf(sys = '/sys'): string {
  const parts = ['sys_vendor', 'product_name'].map((name) => lineOf(`${sys}/class/dmi/id/${name}`));
  const named = parts.filter((part) => part !== null && !/o\.?e\.?m|default|to be filled/i.test(part)).join(' ');
  const board = lineOf('/tmp/sysinfo/model');
  const text = board ?? (named === '' ? `Linux ${process.arch}` : named);
  return text.replace(/[^\x20-\x7e]/g, '').slice(0, 128);
}

function lineOf(path: string): string | null {
  try {
    const line = readFileSync(path, 'utf8').trim();
    return line === '' ? null : line;
  } catch {
    return null;
  }
}

function storageOf(path: string): number | null {
  try {
    const { blocks, bsize } = statfsSync(path);
    return blocks * bsize;
  } catch {
    return null;
  }
}
