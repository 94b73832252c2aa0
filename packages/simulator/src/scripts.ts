import type { ScriptRequest, ScriptResult } from '@yunxun/edge';
import type { Box } from './box/box.ts';

/** Simulates the console's few commands; others: "not found". Executes nothing here. */
export function runSimulatedScript(request: ScriptRequest, box: Box, nowMs: number): ScriptResult {
  if (request.type === 'diagnostic') return { error: 0, result: 'done' };
  if (request.type !== 'shell') return { error: 1, result: `${request.type}: not available on a simulated device` };
  const lines = request.body.split('\n').map((line) => line.trim());
  let result: ScriptResult = { error: 0, result: '' };
  for (const line of lines) {
    if (line === '' || line.startsWith('#')) continue;
    const reported = runLine(line, box, nowMs);
    const pushes = reported.pushes ?? result.pushes;
    result = {
      error: reported.error,
      result: result.result + reported.result,
      ...(pushes === undefined ? {} : { pushes }),
    };
  }
  return result;
}

function runLine(line: string, box: Box, nowMs: number): ScriptResult {
  const command = line.replace(/\s*(>|2>).*$/, '').replace(/^exec\s+/, '');
  if (command.endsWith('/usr/share/ucentral/state.uc')) return { error: 0, result: '', pushes: 'state' };
  if (command.endsWith('/usr/share/ucentral/health.uc')) return { error: 0, result: '', pushes: 'healthcheck' };
  if (command === 'uptime') {
    return { error: 0, result: ` up ${Math.floor((nowMs - box.bootedMs) / 60_000)} min\n` };
  }
  if (command.startsWith('echo ')) return { error: 0, result: `${command.slice(5).replace(/^(['"])(.*)\1$/, '$2')}\n` };
  if (command === 'cat /proc/sys/net/netfilter/nf_conntrack_count') {
    if (box.hardware.role !== 'gateway') {
      return { error: 1, result: "cat: can't open '/proc/sys/net/netfilter/nf_conntrack_count': No such file\n" };
    }
    return { error: 0, result: `${40 + box.place.present().length * 23}\n` };
  }
  const [, count, target] = /^ping -c (\d+) .*?(\S+)$/.exec(command) ?? [];
  if (target) return ping({ target, count: Number(count) }, box);
  if (command.startsWith('traceroute ')) return traceroute({ target: command.split(/\s+/).at(-1) ?? '' }, box);
  if (command === 'exit 0' || command === 'true') return { error: 0, result: '' };
  return { error: 127, result: `sh: ${command.split(/\s/)[0]}: not found\n` };
}

export const isNobody = (target: string) => /^(192\.0\.2|198\.51\.100|203\.0\.113)\./.test(target);

/** Returns a stable latency per device and target, with jitter per round. */
export function millis(box: Box, target: string, round: number): number {
  let hash = 7;
  for (const letter of `${box.serial}${target}`) hash = (hash * 31 + letter.charCodeAt(0)) % 9973;
  return 3 + (hash % 240) / 10 + ((hash * (round + 3)) % 17) / 10;
}

/** `hops`: tunnels on the way, whose times add up; 0: the packets do not arrive. */
export function ping(
  { target, count: sent, hops = 1 }: { target: string; count: number; hops?: number },
  box: Box,
): ScriptResult {
  const isLost = hops === 0 || isNobody(target);
  const times = isLost ? [] : Array.from({ length: sent }, (_, round) => hops * millis(box, target, round));
  const lines = times.map((ms, seq) => `64 bytes from ${target}: seq=${seq} ttl=57 time=${ms.toFixed(3)} ms`);
  const mean = times.reduce((sum, ms) => sum + ms, 0) / times.length;
  const result = [
    `PING ${target} (${target}): 56 data bytes`,
    ...lines,
    '',
    `--- ${target} ping statistics ---`,
    `${sent} packets transmitted, ${times.length} packets received, ${times.length > 0 ? 0 : 100}% packet loss`,
    ...(times.length > 0
      ? [
          `round-trip min/avg/max = ${[Math.min(...times), mean, Math.max(...times)].map((ms) => ms.toFixed(3)).join('/')} ms`,
        ]
      : []),
    '',
  ].join('\n');
  return { error: times.length > 0 ? 0 : 1, result };
}

export function traceroute({ target }: { target: string }, box: Box): ScriptResult {
  const way = ['192.168.1.1', '10.64.0.1', '172.20.3.9', target];
  const lines = way.map((address, hop) =>
    isNobody(target) && hop > 1
      ? ` ${hop + 1}  *`
      : ` ${hop + 1}  ${address}  ${(millis(box, address, hop) * (hop + 1) * 0.4).toFixed(3)} ms`,
  );
  const result = `traceroute to ${target} (${target}), 20 hops max, 46 byte packets\n${lines.join('\n')}\n`;
  return { error: 0, result };
}
