import { parentPort, workerData } from 'node:worker_threads';
import { normaliseSerial } from '@yunxun/contract/device';
import pg from 'pg';
import { receive } from '../../uplink/receive.ts';
import { extract } from '../extract/index.ts';
import type { Item } from './batch.ts';
import { createBatchWriter } from './batch-writer.ts';
import type { FromWorker, Head, Result, ToWorker, WorkerData } from './messages.ts';

/** Parses in slices between database answers, so that neither starves. */
const port = parentPort;
if (!port) throw new Error('this file is the ingest worker');

// byte counts are below 2^53
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

const say = (message: FromWorker) => port.postMessage(message);
const log = (level: 'info' | 'warn' | 'error', text: string, fields: Record<string, unknown> = {}) =>
  say({ type: 'log', level, text, fields });

const batchWriter = createBatchWriter({ connection: (workerData as WorkerData).connection, say, log });
/** Frames per event loop turn. */
const slice = 10;

/** Milliseconds; the main thread's metrics lack this thread's heap. */
const tellEvery = 5000;
setInterval(() => {
  const { heapUsed, heapTotal, external } = process.memoryUsage();
  say({ type: 'memory', held: { heapUsed, heapTotal, external } });
}, tellEvery).unref();

const unread: { head: Head; frame: Buffer }[] = [];
let reading = false;

port.on('message', (message: ToWorker) => {
  if (message.type === 'stop') {
    void batchWriter.stop().then(() => {
      say({ type: 'stopped' });
      port.close();
    });
    return;
  }
  if (message.type === 'flush') {
    void batchWriter.flush().then(() => say({ type: 'flushed' }));
    return;
  }
  if (message.type === 'complete') {
    const { id, accountId, sessions } = message;
    void batchWriter.complete(accountId, sessions).then(() => say({ type: 'completed', id }));
    return;
  }
  let offset = 0;
  for (const head of message.heads) {
    unread.push({ head, frame: Buffer.from(message.frames.buffer, offset, head.bytes) });
    offset += head.bytes;
  }
  if (!reading) void readOn();
});

async function readOn(): Promise<void> {
  reading = true;
  while (unread.length > 0) {
    const began = performance.now();
    for (const { head, frame } of unread.splice(0, slice)) {
      const read = readOne(head, frame);
      if ('outcome' in read) say({ type: 'done', results: [read], clamped: 0, batch: null });
      else batchWriter.take(read);
    }
    batchWriter.spent((performance.now() - began) / 1000);
    await new Promise((resolve) => setImmediate(resolve));
  }
  reading = false;
}

/** Returns a result if the frame is no state report of this device. */
function readOne(head: Head, frame: Buffer): Item | Result {
  const { id, accountId, serial, epoch, at, event } = head;
  const item = { id, accountId, serial, epoch, at };
  if (event) return { ...item, inflated: 0, report: null, event, raw: null };
  const received = receive(frame);
  const inflated = received.inflated ?? 0;
  if (received.kind === 'invalid') return { id, inflated, outcome: 'invalid', why: received.why };
  if (received.kind !== 'message' || received.method !== 'state') return { id, inflated, outcome: 'other' };
  const { params, deflated } = received;
  if (params.serial !== undefined && normaliseSerial(params.serial) !== serial)
    return { id, inflated, outcome: 'other' };
  const raw = deflated ? { bytes: deflated, deflated: true } : { bytes: frame, deflated: false };
  return { ...item, inflated, report: extract(params, head.upstream), event: null, raw };
}
