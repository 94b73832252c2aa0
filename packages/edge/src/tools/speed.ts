import type { IncomingMessage } from 'node:http';
import { request as http } from 'node:http';
import { request as https } from 'node:https';
import { type EdgeSpeedResult, type EdgeSpeedSample, edgeSpeedLimits } from '@yunxun/contract/device';

export interface SpeedOptions {
  uri: string;
  from: string | null;
  ca: readonly string[];
  limits?: { seconds: number; bytes: number };
}

/** Milliseconds of silence. */
const timeout = 10_000;
const chunk = Buffer.alloc(64 * 1024, 0x5a);

export async function speedTest({ limits = edgeSpeedLimits, ...options }: SpeedOptions): Promise<EdgeSpeedResult> {
  let error: string | null = null;
  const note = (failure: unknown) => {
    error ??= failure instanceof Error ? failure.message : String(failure);
    return null;
  };
  const down = await download({ ...options, limits }).catch(note);
  const up = down === null ? null : await upload({ ...options, limits }).catch(note);
  return { down, up, error };
}

type Bounded = SpeedOptions & { limits: { seconds: number; bytes: number } };

/** Starts at the first byte, without the console's latency. */
function download({ limits, ...options }: Bounded): Promise<EdgeSpeedSample> {
  return new Promise((resolve, reject) => {
    const call = open(options, 'GET', reject, (response) => {
      if (response.statusCode !== 200) return refuse(response, reject);
      let [bytes, began] = [0, 0];
      const done = () => {
        clearTimeout(timer);
        call.destroy();
        resolve({ bytes, ms: Math.max(1, Math.round(performance.now() - began)) });
      };
      const timer = setTimeout(done, limits.seconds * 1000);
      response.on('data', (part: Buffer) => {
        if (began === 0) began = performance.now();
        else bytes += part.length;
        if (bytes >= limits.bytes) done();
      });
      response.once('end', done);
      response.once('error', reject);
    });
    call.end();
  });
}

/** Counts confirmed bytes, not buffered ones. */
function upload({ limits, ...options }: Bounded): Promise<EdgeSpeedSample> {
  return new Promise((resolve, reject) => {
    const began = performance.now();
    let sent = 0;
    const call = open(options, 'POST', reject, (response) => {
      if (response.statusCode !== 200) return refuse(response, reject);
      let text = '';
      response.on('data', (part: Buffer) => {
        if (text.length < 1000) text += part.toString('utf8');
      });
      response.once('end', () => {
        const bytes = Number(/"bytes":\s*(\d+)/.exec(text)?.[1]);
        if (!Number.isSafeInteger(bytes)) return reject(new Error('the console did not say how much it took'));
        resolve({ bytes, ms: Math.max(1, Math.round(performance.now() - began)) });
      });
    });
    call.setHeader('content-type', 'application/octet-stream');
    const go = () => {
      while (!call.destroyed) {
        if (sent >= limits.bytes || performance.now() - began >= limits.seconds * 1000) return void call.end();
        sent += chunk.length;
        if (!call.write(chunk)) return void call.once('drain', go);
      }
    };
    go();
  });
}

function open(
  { uri, from, ca }: SpeedOptions,
  method: 'GET' | 'POST',
  reject: (error: Error) => void,
  answered: (response: IncomingMessage) => void,
) {
  const target = new URL(uri);
  const secure = target.protocol === 'https:';
  const call = (secure ? https : http)(target, {
    method,
    agent: false,
    ...(from === null ? {} : { localAddress: from }),
    ...(secure && ca.length > 0 ? { ca: [...ca] } : {}),
  });
  call.setTimeout(timeout, () => call.destroy(new Error('the console does not answer')));
  call.once('error', reject);
  call.once('response', answered);
  return call;
}

function refuse(response: IncomingMessage, reject: (error: Error) => void): void {
  response.resume();
  const busy = response.statusCode === 503;
  reject(
    new Error(busy ? 'the console is busy with other speed tests' : `the console answered ${response.statusCode}`),
  );
}
