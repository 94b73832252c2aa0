import { connect, type LookupFunction } from 'node:net';

/** Milliseconds until lost, and between two. */
const [timeout, pause] = [2000, 200];

interface TcpPingOptions {
  target: string;
  port: number;
  count: number;
  from: string | null;
}

/** Opens connections one after another; prints `ping`'s format. */
export async function tcpPing({ target, port, count, from }: TcpPingOptions): Promise<{ output: string }> {
  const lines: string[] = [];
  const times: number[] = [];
  for (let seq = 1; seq <= count; seq += 1) {
    if (seq > 1) await new Promise((go) => setTimeout(go, pause));
    const result = await tryConnect(target, port, { from });
    if (typeof result === 'number') times.push(result);
    lines.push(`${target}:${port} seq=${seq} ${typeof result === 'number' ? `time=${result.toFixed(3)} ms` : result}`);
  }
  const loss = Math.round((1 - times.length / count) * 1000) / 10;
  const mean = times.reduce((sum, ms) => sum + ms, 0) / times.length;
  const range = [Math.min(...times), mean, Math.max(...times)].map((ms) => ms.toFixed(3)).join('/');
  return {
    output: [
      ...lines,
      '',
      `${count} packets transmitted, ${times.length} received, ${loss}% packet loss`,
      ...(times.length > 0 ? [`rtt min/avg/max = ${range} ms`] : []),
      '',
    ].join('\n'),
  };
}

/** Returns milliseconds, or the error. */
export function tryConnect(
  host: string,
  port: number,
  { from, lookup, wait = timeout }: { from: string | null; lookup?: LookupFunction | undefined; wait?: number },
): Promise<number | string> {
  return new Promise((resolve) => {
    const began = performance.now();
    const socket = connect({
      host,
      port,
      ...(from === null ? {} : { localAddress: from }),
      ...(lookup ? { lookup } : {}),
    });
    const end = (result: number | string) => {
      socket.destroy();
      resolve(result);
    };
    socket.setTimeout(wait, () => end('timeout'));
    socket.once('connect', () => end(performance.now() - began));
    socket.once('error', (error: NodeJS.ErrnoException) => end(error.code ?? error.message));
  });
}
