/** Yields each server-sent event's data: EventSource cannot send a bearer token. Calls `alive` for every chunk. */
export async function* readSse(body: ReadableStream<Uint8Array>, alive: () => void): AsyncGenerator<string> {
  const reader = body.pipeThrough(new TextDecoderStream() as TransformStream<Uint8Array, string>).getReader();
  let rest = '';
  let data: string[] = [];
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      alive();
      rest += value;
      // A trailing CR may be half of a CRLF: wait for the next chunk.
      const complete = rest.endsWith('\r') ? rest.slice(0, -1) : rest;
      const lines = complete.split(/\r\n|\r|\n/);
      rest = (lines.pop() ?? '') + rest.slice(complete.length);
      for (const line of lines) {
        if (line === '') {
          if (data.length > 0) yield data.join('\n');
          data = [];
        } else if (line.startsWith('data:')) data.push(line.slice(line[5] === ' ' ? 6 : 5));
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
