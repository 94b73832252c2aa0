import { deflateRawSync } from 'node:zlib';
import { type RecordedEvent, recordedEvent } from '@yunxun/contract/remote-recording';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Playback } from './playback.ts';
import { asciicast, readRecording } from './recording.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const events: RecordedEvent[] = [
  { at: 100, size: { cols: 100, rows: 30 } },
  { at: 100, output: bytes('login: ') },
  { at: 1100, output: bytes('root\r\n') },
  { at: 61_100, output: bytes('$ ') },
  { at: 61_200, size: { cols: 132, rows: 43 } },
];

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

const part = (some: RecordedEvent[]) => deflateRawSync(Buffer.concat(some.map(recordedEvent))).toString('base64');

/** Plays on a screen that keeps what it was given. */
function played() {
  const drawn: string[] = [];
  const screen = {
    write: async (output: Uint8Array) => void drawn.push(new TextDecoder().decode(output)),
    resize: async ({ cols }: { cols: number }) => void drawn.push(String(cols)),
    reset: () => void drawn.push('reset'),
  };
  return { drawn, playback: new Playback(events, screen, () => undefined) };
}

it('reads the parts of the server', async () => {
  expect(await readRecording([part(events.slice(0, 2)), part(events.slice(2))])).toEqual(events);
});

it('shows each event at its time, with short pauses and at the chosen speed', async () => {
  const { drawn, playback } = played();
  playback.play();
  await vi.advanceTimersByTimeAsync(999);
  expect(drawn).toEqual(['100', 'login: ']);
  await vi.advanceTimersByTimeAsync(1);
  expect(drawn.at(-1)).toBe('root\r\n');
  playback.speed(2);
  await vi.advanceTimersByTimeAsync(999);
  expect(drawn.at(-1)).toBe('root\r\n');
  await vi.advanceTimersByTimeAsync(51);
  expect([drawn.slice(-2), playback.isPlaying, playback.position]).toEqual([['$ ', '132'], false, 3100]);
});

it('draws from the start again when it goes back, and all that lies between when it goes on', async () => {
  const { drawn, playback } = played();
  playback.seek(3100);
  await vi.advanceTimersByTimeAsync(0);
  expect(drawn).toEqual(['100', 'login: root\r\n$ ', '132']);
  playback.seek(500);
  await vi.advanceTimersByTimeAsync(0);
  expect(drawn.slice(3)).toEqual(['reset', '100', 'login: ']);
});

it('stays at what is shown when pauses become long again', async () => {
  const { drawn, playback } = played();
  playback.seek(3000);
  await vi.advanceTimersByTimeAsync(0);
  playback.shorten(false);
  expect([playback.position, playback.duration]).toEqual([61_000, 61_100]);
  playback.shorten(true);
  expect([playback.position, drawn.includes('reset')]).toEqual([3000, false]);
});

it('is saved as asciicast, with characters that two events share', () => {
  const [one, other] = [bytes('云').subarray(0, 1), bytes('云').subarray(1)];
  const split: RecordedEvent[] = [...events.slice(0, 1), { at: 250, output: one }, { at: 1250, output: other }];
  const lines = asciicast(split, { title: 'Lobby', start: new Date(1_790_000_000_500) })
    .trimEnd()
    .split('\n');
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    { version: 2, width: 100, height: 30, timestamp: 1_790_000_000, title: 'Lobby' },
    [0.1, 'r', '100x30'],
    [0.25, 'o', ''],
    [1.25, 'o', '云'],
  ]);
});
