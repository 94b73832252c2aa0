import { findTool, runTool } from '../apply/executor.ts';
import type { ToolResult } from '../apply/step.ts';

export type Run = (argv: readonly [string, ...string[]], options: { timeout: number }) => Promise<ToolResult>;
export type Find = (name: string) => string | null;

/** Hops, seconds per hop, concurrent hops with `ping`. */
const [maxHops, hopSeconds, atOnce] = [20, 2, 5];

const printed = ({ stdout, stderr }: ToolResult) => `${stdout}${stderr}`;
const absent = { output: 'neither ping nor busybox is installed on this gateway (package iputils-ping)' };

export async function ping(
  { target, count, from }: { target: string; count: number; from: string | null },
  run: Run = runTool,
  find: Find = findTool,
): Promise<{ output: string }> {
  const own = find('ping') !== null;
  if (!own && find('busybox') === null) return absent;
  // busybox has no -n; it never resolves names
  const argv: [string, ...string[]] = own ? ['ping', '-n'] : ['busybox', 'ping'];
  const words = ['-c', `${count}`, '-W', '2', ...(from === null ? [] : ['-I', from]), target];
  return { output: printed(await run([...argv, ...words], { timeout: (count * 2 + 5) * 1000 })) };
}

/** Prints `traceroute`'s format. Unless busybox can (root), raises the TTL of `ping`: Node has no raw sockets. */
export async function traceroute(
  { target, from }: { target: string; from: string | null },
  run: Run = runTool,
  find: Find = findTool,
  isRoot = process.getuid?.() === 0,
): Promise<{ output: string }> {
  if (isRoot && find('busybox') !== null) {
    const words = ['-I', '-n', '-q', '1', '-w', `${hopSeconds}`, '-m', `${maxHops}`];
    const source = from === null ? [] : ['-s', from];
    const tried = await run(['busybox', 'traceroute', ...words, ...source, target], { timeout: 60_000 });
    // busybox built without traceroute
    if (!/applet not found/.test(tried.stderr)) return { output: printed(tried) };
  }
  if (find('ping') === null) return absent;
  const hops: Hop[] = [];
  for (let first = 1; first <= maxHops && !isOver(hops); first += atOnce) {
    const ttls = Array.from({ length: atOnce }, (_, at) => first + at);
    for (const one of await Promise.all(ttls.map((ttl) => probe(['-t', `${ttl}`], { target, from }, run))))
      if (!isOver(hops)) hops.push(one);
  }
  const timed = await Promise.all(
    hops.map(async (hop) => {
      if (hop.address === null || hop.ms !== null) return hop;
      return { ...hop, ms: (await probe([], { target: hop.address, from }, run)).ms };
    }),
  );
  return { output: timed.map(lineOf).join('') };
}

interface Hop {
  address: string | null;
  ms: string | null;
  arrived: boolean;
  failed: string | null;
}

function isOver(hops: readonly Hop[]): boolean {
  const last = hops.at(-1);
  return last !== undefined && (last.arrived || last.failed !== null);
}

function lineOf({ address, ms, failed }: Hop, index: number): string {
  if (failed !== null) return `${failed}\n`;
  return `${String(index + 1).padStart(2)}  ${address ?? '*'}${ms === null ? '' : `  ${ms} ms`}\n`;
}

async function probe(
  more: readonly string[],
  { target, from }: { target: string; from: string | null },
  run: Run,
): Promise<Hop> {
  const source = from === null ? [] : ['-I', from];
  const words = ['-n', '-c', '1', '-W', `${hopSeconds}`, ...more, ...source, target];
  const { stdout, stderr, code } = await run(['ping', ...words], { timeout: (hopSeconds + 2) * 1000 });
  const arrived = /bytes from ([0-9a-f.:]+):.*time[=<]([\d.]+)/i.exec(stdout);
  if (arrived) return { address: arrived[1]!, ms: arrived[2]!, arrived: true, failed: null };
  const gave = /^From ([0-9a-f.:]+?):? icmp_seq/im.exec(stdout);
  const failed = !gave && code === 2 ? (stderr.trim().split('\n')[0] ?? '') : null;
  return { address: gave?.[1] ?? null, ms: null, arrived: false, failed };
}
