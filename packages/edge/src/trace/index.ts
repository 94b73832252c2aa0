import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../clock.ts';
import type { Layout } from '../measure/layout.ts';
import type { ActionResult } from '../system.ts';
import { capture } from './capture.ts';
import { readTrace } from './request.ts';
import { upload } from './upload.ts';

export { traceLimits } from './request.ts';

/** What a capture is made with. */
export interface TraceOptions {
  serial: string;
  clock: Clock;
  layout: Layout;
  ports: Readonly<Record<string, string>>;
  /** Folder for the file while it is under way. */
  folder: string;
  /** Origins of the console (`https://console.example`): a capture goes nowhere else. */
  origins: readonly string[];
  ca: readonly string[];
}

let busy = false;

/** The command `trace`: captures and brings the capture to the console; one at a time. Resolves when it is there. */
export async function trace(params: Readonly<Record<string, unknown>>, options: TraceOptions): Promise<ActionResult> {
  const request = readTrace(params, options);
  if ('wrong' in request) return { error: 2, text: request.wrong };
  if (busy) return { error: 1, text: 'a capture is under way' };
  busy = true;
  const file = join(options.folder, 'trace.pcap');
  try {
    const captured = await capture(request, file, options.clock);
    if ('wrong' in captured) return { error: 1, text: captured.wrong };
    const wrong = await upload(request.uri, options.serial, file, options.ca);
    if (wrong !== null) return { error: 1, text: `the capture could not be brought to the console: ${wrong}` };
    const { packets, bytes, cut } = captured;
    return { error: 0, text: `${packets} packets, ${bytes} bytes${cut ? ', ended by its size' : ''}` };
  } finally {
    busy = false;
    rmSync(file, { force: true });
  }
}
