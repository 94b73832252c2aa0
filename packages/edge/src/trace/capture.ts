import { spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { finished } from 'node:stream/promises';
import type { Clock } from '../clock.ts';
import { type TraceRequest, traceLimits } from './request.ts';

/** A capture that is done. */
export interface Captured {
  bytes: number;
  packets: number;
  /** It was ended by the bound on its size. */
  cut: boolean;
}

/**
 * Captures into a file (pcap) until packets, seconds or bytes are reached. The file ends with a whole packet.
 * @returns why there is none: tcpdump is missing, the filter is none, the device is gone
 */
export async function capture(
  request: Pick<TraceRequest, 'device' | 'seconds' | 'packets' | 'snaplen' | 'filter'>,
  file: string,
  clock: Clock,
  most: number = traceLimits.bytes,
): Promise<Captured | { wrong: string }> {
  const { device, seconds, packets, snaplen, filter } = request;
  const args = ['-i', device, '-n', '-U', '-s', `${snaplen}`, '-c', `${packets}`, '-w', '-'];
  // behind `--` nothing is an option, however it begins
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
    // tcpdump writes in the order of the machine, which is little on all that this runs on
    for (let size = sizeOf(rest); began && size !== null && rest.length >= size; size = sizeOf(rest)) {
      if (done.bytes + size > most) {
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

/** Length of a record with its header; null where that is not there yet. */
function sizeOf(rest: Buffer): number | null {
  return rest.length >= 16 ? 16 + rest.readUInt32LE(8) : null;
}

function lastLine(words: string): string {
  return words.trim().split('\n').at(-1)?.slice(0, 200) || 'tcpdump ended without a word';
}
