import { findTool, runTool } from '../apply/executor.ts';
import type { Abilities, Facts } from '../document/facts.ts';
import type { Places } from './places.ts';
import type { Ports } from './ports.ts';

/** Programs the agent cannot configure a network without. */
export const neededTools = ['ip', 'nft'] as const;
/** Programs without which something is missing. */
const usefulTools = ['tc', 'bridge', 'dnsmasq', 'conntrack', 'tcpdump', 'ping', 'busybox'] as const;

/** Programs that this box lacks. */
export function missingTools(find: (name: string) => string | null = findTool): string[] {
  return [...neededTools, ...usefulTools].filter((name) => find(name) === null);
}

/** Does something to the kernel and says whether it could. */
type Try = (...argv: [program: string, ...args: string[]]) => Promise<boolean>;

const tryTool: Try = async (...argv) => {
  const { code, stderr } = await runTool(argv);
  return code === 0 || /File exists/.test(stderr);
};

const probe = 'yx-probe';

/**
 * What kernel and tools can do, by doing it to a device of our own that goes away again. `parent` is a device that a VLAN
 * is tried on.
 */
export async function probeAbilities(
  parent: string | null,
  attempt: Try = tryTool,
  find: (name: string) => string | null = findTool,
): Promise<Abilities> {
  const gone = () => attempt('ip', 'link', 'del', 'dev', probe);
  await gone();
  const vlan =
    parent !== null &&
    (await attempt('ip', 'link', 'add', 'link', parent, 'name', probe, 'type', 'vlan', 'id', '4093'));
  await gone();
  const ifb = await attempt('ip', 'link', 'add', 'name', probe, 'type', 'ifb');
  if (!ifb) await attempt('ip', 'link', 'add', 'name', probe, 'type', 'bridge');
  const on = ['dev', probe] as const;
  const shaping = await attempt('tc', 'qdisc', 'add', ...on, 'root', 'handle', '1:', 'htb');
  await attempt('tc', 'class', 'add', ...on, 'parent', '1:', 'classid', '1:1', 'htb', 'rate', '1mbit');
  const fqCodel = shaping && (await attempt('tc', 'qdisc', 'add', ...on, 'parent', '1:1', 'fq_codel'));
  await gone();
  const listed = find('busybox') === null ? '' : (await runTool(['busybox', '--list'])).stdout;
  return {
    ...{ vlan, shaping, ifb, fqCodel },
    dhcpClient: listed.split('\n').includes('udhcpc'),
    dnsmasq: find('dnsmasq') !== null,
  };
}

/** What documents are read against. */
export function factsOf(ports: Ports, abilities: Abilities, places: Places): Facts {
  return { ports, abilities, folders: { run: places.run, state: places.state } };
}
