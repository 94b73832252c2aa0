import { configureOutcome, rejections, replyMeaning, replyText } from '@yunxun/contract/device';
import { extract } from '../../../src/telemetry/extract/index.ts';
import type { StateSummary } from '../../../src/telemetry/index.ts';
import { readConnect } from '../../../src/uplink/connect.ts';
import { receive } from '../../../src/uplink/receive.ts';

export type Tally = Map<string, number>;

const kinds = new Set(['message', 'reply', 'error', 'radius', 'invalid']);
/** Including the decoder's own two levels around the parameters. */
const deepest = 64;

/** @throws Error that names the broken invariant */
export function check(frame: Buffer, tally: Tally): void {
  const received = receive(frame);
  const { kind } = received;
  if (!kinds.has(kind)) throw new Error(`unknown kind ${String(kind)}`);
  const label = received.kind === 'invalid' ? `invalid: ${received.why}` : kind;
  tally.set(label, (tally.get(label) ?? 0) + 1);
  if (received.kind === 'message') {
    if (received.method.length < 1 || received.method.length > 64) throw new Error('method name out of bounds');
    storable(received.params, 0);
    const report = extract(received.params);
    columns(report.summary);
    storable(JSON.parse(JSON.stringify([report.stations, report.digest.powers])), 0);
    const connect = readConnect(received.params, new Date(0));
    if (!Number.isFinite(connect.uuid)) throw new Error('a configuration number that is none');
  } else if (received.kind === 'reply') {
    if (typeof received.id !== 'number') throw new Error('an id that is no number');
    storable(received.result, 0);
    replyMeaning(received.result);
    replyText(received.result);
    for (const sentence of rejections(received.result))
      if (sentence.length > 1024) throw new Error('endless rejection');
    configureOutcome(received.result, 1_790_000_000);
  }
}

/** Column values are at most 2^53 and never NaN. */
function columns(row: StateSummary): void {
  for (const [name, value] of Object.entries(row)) {
    if (value === null) continue;
    if (typeof value !== 'number' || !(value >= 0 && value <= Number.MAX_SAFE_INTEGER))
      throw new Error(`${name} out of bounds`);
  }
}

function storable(value: unknown, depth: number): void {
  if (depth > deepest) throw new Error('deeper than promised');
  if (typeof value === 'string') text(value);
  else if (Array.isArray(value)) for (const entry of value) storable(entry, depth + 1);
  else if (typeof value === 'object' && value !== null) {
    if (Object.getPrototypeOf(value) !== Object.prototype) throw new Error('a foreign prototype');
    for (const [key, entry] of Object.entries(value)) {
      text(key);
      storable(entry, depth + 1);
    }
  }
}

function text(value: string): void {
  if (value.includes('\0')) throw new Error('NUL in text');
  if (/\p{Cs}/u.test(value)) throw new Error('half a surrogate pair in text');
}
