import { spawn } from 'node:child_process';
import { join } from 'node:path';
import type { Clock } from '../clock.ts';
import { textOf } from '../measure/gateway-host.ts';
import { type Kept, keepRunning, LineReader } from '../measure/tools.ts';
import { type Connection, glance, readConntrackLine } from './conntrack.ts';
import { serverName } from './hello.ts';
import { PcapReader, segmentOf } from './pcap.ts';

/**
 * Bytes. conntrack-tools 1.4.7 sets it on the wrong socket, which holds 166 ends (measured): lists must work
 * without events.
 */
const queue = 8 << 20;

export function watchEnds(
  clock: Clock,
  on: { batch(): void; end(connection: Connection): void; gap(reason: string): void },
): Kept {
  const lines = new LineReader((line) => {
    const read = readConntrackLine(line);
    if (read?.event === 'DESTROY') on.end(read.connection);
  });
  return keepRunning({
    clock,
    file: 'conntrack',
    args: ['-E', '-e', 'DESTROY', '-o', 'id', '-b', `${queue}`],
    output(part, first) {
      if (first) lines.reset();
      on.batch();
      lines.push(part.toString('latin1'));
    },
    ended: (reason) => on.gap(reason),
  });
}

export interface ListTaker {
  glimpsed(seen: { id: number; bytes: number }): boolean;
  list(connection: Connection): void;
}

export async function listConnections(taker: ListTaker, proc: string): Promise<boolean> {
  const four = await listOf('ipv4', taker);
  // starting the program costs more than a small table
  return (!speaksIpv6(textOf(join(proc, 'net/if_inet6'))) || (await listOf('ipv6', taker))) && four;
}

export function speaksIpv6(text: string | null): boolean {
  return (text ?? '').split('\n').some((line) => line.trim().split(/\s+/)[3] === '00');
}

/** Milliseconds. */
const listTimeout = 30_000;

function listOf(family: string, taker: ListTaker): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn('conntrack', ['-L', '-f', family, '-o', 'id'], {
      stdio: ['ignore', 'pipe', 'ignore'],
      timeout: listTimeout,
      killSignal: 'SIGKILL',
    });
    const lines = new LineReader((line) => {
      const seen = glance(line);
      if (seen && taker.glimpsed(seen)) return;
      const read = readConntrackLine(line);
      if (read) taker.list(read.connection);
    });
    child.stdout.on('data', (part: Buffer) => lines.push(part.toString('latin1')));
    child.once('error', () => resolve(false));
    child.once('close', (code) => resolve(code === 0));
  });
}

/** First segment of a TLS handshake: record type 22 with a ClientHello, IPv4 and IPv6. */
const hellos = (() => {
  const ports = [443, 8443];
  const four = 'tcp[((tcp[12] & 0xf0) >> 2)] = 22 and tcp[((tcp[12] & 0xf0) >> 2) + 5] = 1';
  const six = 'ip6[40 + ((ip6[52] & 0xf0) >> 2)] = 22 and ip6[40 + ((ip6[52] & 0xf0) >> 2) + 5] = 1';
  const sixPorts = ports.map((port) => `ip6[42:2] = ${port}`).join(' or ');
  return (
    `(ip and tcp and (${ports.map((port) => `dst port ${port}`).join(' or ')}) and ${four}) ` +
    `or (ip6 and ip6[6] = 6 and (${sixPorts}) and ${six})`
  );
})();

export interface ReportedName {
  client: string;
  clientPort: number;
  server: string;
  serverPort: number;
  name: string;
}

export function watchNames(clock: Clock, device: string, onName: (reported: ReportedName) => void): Kept {
  let reader = new PcapReader();
  return keepRunning({
    clock,
    file: 'tcpdump',
    args: ['-i', device, '-n', '-U', '--immediate-mode', '-s', '4096', '-w', '-', hellos],
    output(part, first) {
      if (first) reader = new PcapReader();
      for (const packet of reader.push(part)) {
        const segment = segmentOf(packet);
        const name = segment && serverName(segment.payload);
        if (!name) continue;
        const { src, sport, dst, dport } = segment;
        onName({ client: src, clientPort: sport, server: dst, serverPort: dport, name });
      }
    },
  });
}
