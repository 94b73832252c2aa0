import { type RecordedEvent, readRecordedEvents } from '@yunxun/contract/remote-recording';
import type { RemoteSize } from '@yunxun/contract/remote-terminal';

/** Milliseconds. */
const longPause = 2000;
const usualSize: RemoteSize = { cols: 80, rows: 24 };

/** `parts`: base64 of deflated events. */
export async function readRecording(parts: readonly string[]): Promise<RecordedEvent[]> {
  const events: RecordedEvent[] = [];
  for (const part of parts) {
    const deflated = Uint8Array.from(atob(part), (character) => character.charCodeAt(0));
    const inflated = new Blob([deflated]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
    for (const event of readRecordedEvents(new Uint8Array(await new Response(inflated).arrayBuffer())))
      events.push(event);
  }
  return events;
}

/** Returns when each event is shown, in milliseconds of the replay. */
export function timesOf(events: readonly RecordedEvent[], shorten: boolean): number[] {
  let [time, before] = [0, events[0]?.at ?? 0];
  return events.map(({ at }) => {
    const pause = at - before;
    before = at;
    time += shorten ? Math.min(pause, longPause) : pause;
    return time;
  });
}

/** Writes asciicast v2 (docs.asciinema.org/manual/asciicast/v2), whose times are seconds. */
export function asciicast(events: readonly RecordedEvent[], { title, start }: { title: string; start: Date }): string {
  const first = events.find((event) => 'size' in event)?.size ?? usualSize;
  const timestamp = Math.floor(start.getTime() / 1000);
  const head = { version: 2, width: first.cols, height: first.rows, timestamp, title };
  const decoder = new TextDecoder();
  const lines = events.map((event) => {
    const shown =
      'size' in event
        ? ['r', `${event.size.cols}x${event.size.rows}`]
        : ['o', decoder.decode(event.output, { stream: true })];
    return JSON.stringify([event.at / 1000, ...shown]);
  });
  return `${[JSON.stringify(head), ...lines].join('\n')}\n`;
}
