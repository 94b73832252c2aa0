import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import type { EdgePort53Listener } from '@yunxun/contract/device';

export interface Port53Socket extends Pick<EdgePort53Listener, 'protocol' | 'address'> {
  inode: string;
}

export type Owner = Pick<EdgePort53Listener, 'process' | 'service'>;

/** Tables of the kernel, with the wildcard address in their notation. */
const tables = [
  { protocol: 'udp', file: 'udp', zero: '00000000', address: '0.0.0.0' },
  { protocol: 'tcp', file: 'tcp', zero: '00000000', address: '0.0.0.0' },
  { protocol: 'udp', file: 'udp6', zero: '0'.repeat(32), address: '::' },
  { protocol: 'tcp', file: 'tcp6', zero: '0'.repeat(32), address: '::' },
] as const;
const port = '0035';
const listening = '0A';

/** Returns sockets on every address. One on a single address, as of systemd-resolved, does not disturb. */
export function readSockets(proc = '/proc'): Port53Socket[] {
  return tables.flatMap(({ protocol, file, zero, address }) =>
    linesOf(`${proc}/net/${file}`).flatMap((line) => {
      const [, local, , state, , , , , , inode = ''] = line.trim().split(/\s+/);
      const isOpen = protocol === 'udp' || state === listening;
      return local === `${zero}:${port}` && isOpen ? [{ protocol, address, inode }] : [];
    }),
  );
}

/** Sockets of other users need root. */
export function ownersOf(inodes: ReadonlySet<string>, proc = '/proc'): Map<string, Owner> {
  const owners = new Map<string, Owner>();
  for (const pid of namesIn(proc).filter((name) => /^\d+$/.test(name))) {
    for (const fd of namesIn(`${proc}/${pid}/fd`)) {
      const inode = /^socket:\[(\d+)\]$/.exec(linkAt(`${proc}/${pid}/fd/${fd}`))?.[1];
      if (inode === undefined || !inodes.has(inode)) continue;
      const process = linesOf(`${proc}/${pid}/comm`)[0] ?? null;
      owners.set(inode, { process, service: serviceIn(linesOf(`${proc}/${pid}/cgroup`)) });
    }
  }
  return owners;
}

/** Returns the innermost service of `/proc/<pid>/cgroup`. */
function serviceIn(lines: readonly string[]): string | null {
  const parts = lines.flatMap((line) => line.split('/').slice(1));
  return parts.findLast((part) => serviceForm.test(part)) ?? null;
}

/** Of systemd. */
export const serviceForm = /^[A-Za-z0-9@._:-]{1,128}\.service$/;

function linesOf(path: string): string[] {
  try {
    return readFileSync(path, 'utf8')
      .split('\n')
      .filter((line) => line !== '');
  } catch {
    return [];
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    // it ended meanwhile, or belongs to another user
    return [];
  }
}

function linkAt(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}
