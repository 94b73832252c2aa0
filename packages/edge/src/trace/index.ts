import { rmSync } from 'node:fs';
import type { LookupFunction } from 'node:net';
import { join } from 'node:path';
import type { Clock } from '../clock.ts';
import type { Layout } from '../measure/layout.ts';
import type { ActionResult } from '../system.ts';
import { capture } from './capture.ts';
import { readTrace } from './request.ts';
import { upload } from './upload.ts';

export { traceLimits } from './request.ts';

export interface TraceOptions {
  serial: string;
  clock: Clock;
  layout: Layout;
  ports: Readonly<Record<string, string>>;
  folder: string;
  origins: readonly string[];
  ca: readonly string[];
  lookup?: LookupFunction;
}

let busy = false;

export async function trace(params: Readonly<Record<string, unknown>>, options: TraceOptions): Promise<ActionResult> {
  const request = readTrace(params, options);
  if ('wrong' in request) return { error: 2, text: request.wrong };
  if (busy) return { error: 1, text: 'a capture is under way' };
  busy = true;
  const file = join(options.folder, 'trace.pcap');
  try {
    const captured = await capture(request, file, options.clock);
    if ('wrong' in captured) return { error: 1, text: captured.wrong };
    const wrong = await upload(request.uri, options.serial, file, options.ca, options.lookup);
    if (wrong !== null) return { error: 1, text: `the capture could not be brought to the console: ${wrong}` };
    const { packets, bytes, cut } = captured;
    return { error: 0, text: `${packets} packets, ${bytes} bytes${cut ? ', ended by its size' : ''}` };
  } finally {
    busy = false;
    rmSync(file, { force: true });
  }
}
