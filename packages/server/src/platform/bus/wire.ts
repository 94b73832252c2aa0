import { MessageTooLarge, maxMessageBytes, RemoteError } from './bus.ts';

export function encode(message: unknown): string {
  const text = JSON.stringify(message) ?? 'null';
  // a UTF-16 unit is three bytes at most
  if (text.length * 3 > maxMessageBytes) {
    const bytes = Buffer.byteLength(text);
    if (bytes > maxMessageBytes) throw new MessageTooLarge(bytes);
  }
  return text;
}

type Answer = { value: unknown } | { error: { message: string; code: string | null; data: unknown } };

/** Turns unsendable answers into errors. */
export async function encodeAnswer(handler: (message: unknown) => Promise<unknown>, message: unknown): Promise<string> {
  try {
    return encode({ value: (await handler(message)) ?? null } satisfies Answer);
  } catch (thrown) {
    const error = thrown instanceof Error ? thrown : new Error(String(thrown));
    const { code, data } = error as { code?: unknown; data?: unknown };
    return encode({
      error: {
        message: error.message.slice(0, 4096),
        code: typeof code === 'string' ? code : error.name,
        data: data ?? null,
      },
    } satisfies Answer);
  }
}

export function decodeAnswer(text: string): unknown {
  const answer = JSON.parse(text) as Answer;
  if ('error' in answer) throw new RemoteError(answer.error.message, answer.error.code, answer.error.data);
  return answer.value;
}
