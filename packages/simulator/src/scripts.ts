import type { ScriptRequest, ScriptResult } from '@yunxun/edge';
import type { Box } from './box/box.ts';

/**
 * The shell of a simulated box. It knows the few commands the console uses, and says "not found" to the rest as a real
 * shell does; nothing is ever executed on the machine that simulates.
 */
export function runSimulatedScript(request: ScriptRequest, box: Box, nowMs: number): ScriptResult {
  if (request.type === 'diagnostic') return { error: 0, result: 'done' };
  if (request.type !== 'shell') return { error: 1, result: `${request.type}: not available on a simulated device` };
  const lines = request.body.split('\n').map((line) => line.trim());
  let result: ScriptResult = { error: 0, result: '' };
  for (const line of lines) {
    if (line === '' || line.startsWith('#')) continue;
    const said = runLine(line, box, nowMs);
    const pushes = said.pushes ?? result.pushes;
    result = { error: said.error, result: result.result + said.result, ...(pushes === undefined ? {} : { pushes }) };
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
  if (command === 'exit 0' || command === 'true') return { error: 0, result: '' };
  return { error: 127, result: `sh: ${command.split(/\s/)[0]}: not found\n` };
}
