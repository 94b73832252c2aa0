import { asList, asRecord, asText, type EdgePort53Listener } from '@yunxun/contract/device';
import { readJson, removeDurably, writeDurably } from '../apply/durable.ts';
import { runTool } from '../apply/executor.ts';
import type { ToolResult } from '../apply/step.ts';
import { ownersOf, readSockets, serviceForm } from './sockets.ts';

export interface RootOptions {
  /** Writable by root only; remembers what was stopped. */
  record: string;
  proc?: string;
  run?(argv: readonly [program: string, ...args: string[]]): Promise<ToolResult>;
}

interface Taken {
  service: string;
  /** Whether it had started at boot. */
  enabled: boolean;
}

export const ours = 'yunxun-edge.service';

/** Needs root. Our own dnsmasq has no socket on every address. */
export function listeners({ proc }: Pick<RootOptions, 'proc'>): EdgePort53Listener[] {
  const sockets = readSockets(proc);
  const owners = ownersOf(new Set(sockets.map(({ inode }) => inode)), proc);
  return sockets.map(({ inode, protocol, address }) => {
    const { process = null, service = null } = owners.get(inode) ?? {};
    return { protocol, address, process, service };
  });
}

/**
 * Stops and disables the services that answer DNS on every address, and remembers them. The unprivileged agent that
 * asks for it can stop nothing else.
 * @throws if a process belongs to no service, or does not end
 */
export async function take({ record, proc, run = runTool }: RootOptions): Promise<void> {
  const found = listeners({ proc }).filter(({ service }) => service !== ours);
  const unknown = found.find(({ service }) => service === null);
  if (unknown) throw new Error(`${unknown.process ?? 'a process'} on port 53 belongs to no service: stop it yourself`);
  const services = new Set(found.flatMap(({ service }) => service ?? []));
  for (const service of services) {
    const { stdout } = await run(['systemctl', 'is-enabled', service]);
    const taken = readTaken(record);
    const before = taken.find((one) => one.service === service);
    // an interrupted attempt may have disabled it already
    const enabled = before?.enabled === true || stdout.trim() === 'enabled';
    // before it stops: after a power cut it must still be given back
    writeDurably(record, JSON.stringify([...taken.filter((one) => one !== before), { service, enabled }]), 0o644);
    const { code, stderr } = await run(['systemctl', 'disable', '--now', service]);
    if (code !== 0) throw new Error(`${service} cannot be stopped: ${stderr.trim()}`);
  }
  const left = listeners({ proc }).find(({ service }) => service !== ours);
  if (left) throw new Error(`${left.process ?? 'a process'} listens on port 53 again`);
}

/** Starts the services again, and enables those that had been. Remembers those that do not start. */
export async function give({ record, run = runTool }: RootOptions): Promise<void> {
  const failed: string[] = [];
  const kept: Taken[] = [];
  for (const taken of readTaken(record)) {
    const { service, enabled } = taken;
    const verb = enabled ? ['enable', '--now'] : ['start'];
    const { code, stderr } = await run(['systemctl', ...verb, service]);
    if (code === 0) continue;
    kept.push(taken);
    failed.push(`${service} cannot be started: ${stderr.trim()}`);
  }
  if (kept.length === 0) removeDurably(record);
  else writeDurably(record, JSON.stringify(kept), 0o644);
  if (failed.length > 0) throw new Error(failed.join('; '));
}

function readTaken(record: string): Taken[] {
  return asList(readJson(record)).flatMap((entry) => {
    const { service, enabled } = asRecord<Taken>(entry);
    const name = asText(service, 136);
    return name !== null && serviceForm.test(name) ? [{ service: name, enabled: enabled === true }] : [];
  });
}
