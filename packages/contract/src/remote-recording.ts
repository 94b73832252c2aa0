import type { RemoteSize } from './remote-terminal.ts';

/** Bytes of events, as they are and compressed; a recording ends beyond them. */
export const recordingLimits = { raw: 64 * 1024 * 1024, compressed: 8 * 1024 * 1024 } as const;

/** `at`: milliseconds since the device connected. */
export type RecordedEvent = { at: number } & ({ output: Uint8Array } | { size: RemoteSize });

const kinds = { output: 0, size: 1 } as const;
const head = 9;

/**
 * Event of a recorded terminal, all big-endian: milliseconds (32 bit), kind (8 bit; 0 output, 1 size), length (32 bit),
 * then the bytes that were shown, or columns and rows (16 bit each). A part of a recording is a row of whole events,
 * compressed by itself (RFC 1951).
 */
export function recordedEvent(event: RecordedEvent): Uint8Array<ArrayBuffer> {
  const isOutput = 'output' in event;
  const length = isOutput ? event.output.length : 4;
  const bytes = new Uint8Array(head + length);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, event.at);
  view.setUint8(4, isOutput ? kinds.output : kinds.size);
  view.setUint32(5, length);
  if (isOutput) bytes.set(event.output, head);
  else {
    view.setUint16(head, event.size.cols);
    view.setUint16(head + 2, event.size.rows);
  }
  return bytes;
}

/** Reads the events of a part; leaves out kinds that it does not know. @throws RangeError if the last is not whole */
export function readRecordedEvents(part: Uint8Array): RecordedEvent[] {
  const view = new DataView(part.buffer, part.byteOffset, part.byteLength);
  const events: RecordedEvent[] = [];
  for (let from = 0; from < part.length; ) {
    const [at, kind, length] = [view.getUint32(from), view.getUint8(from + 4), view.getUint32(from + 5)];
    from += head;
    if (from + length > part.length) throw new RangeError('an event is cut off');
    if (kind === kinds.output) events.push({ at, output: part.subarray(from, from + length) });
    if (kind === kinds.size) events.push({ at, size: { cols: view.getUint16(from), rows: view.getUint16(from + 2) } });
    from += length;
  }
  return events;
}
