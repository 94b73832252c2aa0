import { expect, it } from 'vitest';
import { type RecordedEvent, readRecordedEvents, recordedEvent } from './remote-recording.ts';

const events: RecordedEvent[] = [
  { at: 0, size: { cols: 1000, rows: 43 } },
  { at: 7, output: Uint8Array.of(0xe4, 0xba, 0x91, 27) },
  { at: 3_600_000, output: new Uint8Array() },
];

function joined(parts: readonly Uint8Array[]): Uint8Array {
  return Uint8Array.from(parts.flatMap((part) => [...part]));
}

it('reads what it wrote, wherever the bytes lie', () => {
  const part = joined([Uint8Array.of(9), ...events.map(recordedEvent)]).subarray(1);
  expect(readRecordedEvents(part)).toEqual(events);
});

it('writes the documented bytes', () => {
  expect([...recordedEvent({ at: 258, size: { cols: 80, rows: 24 } })]).toEqual([
    0, 0, 1, 2, 1, 0, 0, 0, 4, 0, 80, 0, 24,
  ]);
});

it('leaves out an unknown kind, and refuses events that are cut off', () => {
  const unknown = Uint8Array.of(0, 0, 0, 1, 9, 0, 0, 0, 1, 65);
  expect(readRecordedEvents(joined([unknown, recordedEvent(events[1]!)]))).toEqual([events[1]]);
  for (const left of [1, 8, 10])
    expect(() => readRecordedEvents(recordedEvent(events[1]!).subarray(0, left))).toThrow(RangeError);
});
