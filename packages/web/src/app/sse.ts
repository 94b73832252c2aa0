/**
 * Reads server-sent events from a body: yields each event's data, lines joined by newlines. The browser's EventSource
 * cannot send the bearer token, so the text is taken apart here. `alive` is called for every chunk, comments included.
 */
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
      // A lone CR at the end may be half of a CRLF; it waits for the next chunk.
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
