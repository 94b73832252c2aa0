import { readFileSync, statfsSync } from 'node:fs';
import type { Capabilities } from '@yunxun/contract/device';
import type { Facts } from '../document/facts.ts';
import type { EdgeOptions } from './options-file.ts';
import { agentVersion } from './version.ts';

/** What the box says it is. `sys` and `root` are the machine's own but in tests. */
export function capabilitiesOf(
  facts: Facts,
  missing: readonly string[],
  allowed: EdgeOptions,
  sys = '/sys',
  root = facts.folders.state,
): Capabilities {
  const macs = Object.entries(facts.ports).flatMap(([port, device]) => {
    const mac = lineOf(`${sys}/class/net/${device}/address`);
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
      abilities: { ...facts.abilities },
      missing,
      allowed: { reboot: allowed.reboot, scripts: allowed.scripts },
    },
  };
}

/** What its maker calls the machine, or what kind of machine it is. */
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
