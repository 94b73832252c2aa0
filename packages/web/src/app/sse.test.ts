import { expect, test } from 'vitest';
import { readSse } from './sse.ts';

async function read(chunks: readonly Uint8Array[]): Promise<string[]> {
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk);
      controller.close();
    },
  });
  const out: string[] = [];
  for await (const data of readSse(body, () => {})) out.push(data);
  return out;
}

const text = 'retry: 2000\n\n: beat\n\ndata: {"type":"job","名":"云"}\n\nevent: x\ndata: a\ndata:b\n\ndata: unfinished';

test('distinguishes events, comments and fields; an unfinished event is not an event', async () => {
  expect(await read([new TextEncoder().encode(text)])).toEqual(['{"type":"job","名":"云"}', 'a\nb']);
});

test('however the bytes are cut, the events are the same', async () => {
  for (const ending of ['\n', '\r\n', '\r']) {
    const bytes = new TextEncoder().encode(text.replaceAll('\n', ending));
    for (let at = 1; at < bytes.length; at += 1) {
      expect(await read([bytes.slice(0, at), bytes.slice(at)])).toEqual(['{"type":"job","名":"云"}', 'a\nb']);
    }
  }
});
