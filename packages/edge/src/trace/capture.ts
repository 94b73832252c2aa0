import { spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { finished } from 'node:stream/promises';
import type { Clock } from '../clock.ts';
import { type TraceRequest, traceLimits } from './request.ts';

export interface Captured {
  bytes: number;
  packets: number;
  cut: boolean;
}

/**
 * Captures until the limit of packets, seconds or bytes; ends with a whole packet.
 * @returns the reason on failure: no tcpdump, invalid filter, missing device
 */
export async function capture(
  request: Pick<TraceRequest, 'device' | 'seconds' | 'packets' | 'snaplen' | 'filter'>,
  file: string,
  clock: Clock,
  max: number = traceLimits.bytes,
): Promise<Captured | { wrong: string }> {
  const { device, seconds, packets, snaplen, filter } = request;
  const args = ['-i', device, '-n', '-U', '-s', `${snaplen}`, '-c', `${packets}`, '-w', '-'];
  // after `--` a filter is no option
  const child = spawn('tcpdump', filter === null ? args : [...args, '--', filter], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const out = createWriteStream(file, { mode: 0o600 });
  const written = finished(out).then(
    () => null,
    (error: Error) => error.message,
  );
  let words = '';
  child.stderr.on('data', (part: Buffer) => {
    words = (words + part.toString('latin1')).slice(-2000);
  });
  const done: Captured = { bytes: 0, packets: 0, cut: false };
  let began = false;
  let rest: Buffer = Buffer.alloc(0);
  const keep = (bytes: Buffer) => {
    out.write(bytes);
    done.bytes += bytes.length;
  };
  child.stdout.on('data', (part: Buffer) => {
    if (done.cut) return;
    rest = rest.length === 0 ? part : Buffer.concat([rest, part]);
    if (!began && rest.length >= 24) {
      began = true;
      keep(rest.subarray(0, 24));
      rest = rest.subarray(24);
    }
    // tcpdump writes host byte order: little-endian everywhere here
    for (let size = sizeOf(rest); began && size !== null && rest.length >= size; size = sizeOf(rest)) {
      if (done.bytes + size > max) {
        done.cut = true;
        child.kill('SIGTERM');
        return;
      }
      keep(rest.subarray(0, size));
      done.packets += 1;
      rest = rest.subarray(size);
    }
  });
  const stop = clock.after(seconds * 1000, () => child.kill('SIGTERM'));
  const failed = await new Promise<string | null>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('close', () => resolve(began ? null : lastLine(words)));
  });
  stop();
  out.end();
  const wrong = failed ?? (await written);
  return wrong === null ? done : { wrong };
}

function sizeOf(rest: Buffer): number | null {
  return rest.length >= 16 ? 16 + rest.readUInt32LE(8) : null;
}

function lastLine(words: string): string {
  return words.trim().split('\n').at(-1)?.slice(0, 200) || 'tcpdump ended without a word';
}
