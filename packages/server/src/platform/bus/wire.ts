import { MessageTooLarge, maxMessageBytes, RemoteError } from './index.ts';

/** A message as JSON text; nothing (`undefined`) travels as null. @throws MessageTooLarge */
export function encode(message: unknown): string {
  const text = JSON.stringify(message) ?? 'null';
  // a character is at most three bytes of UTF-8, so that most messages need no exact count
  if (text.length * 3 > maxMessageBytes) {
    const bytes = Buffer.byteLength(text);
    if (bytes > maxMessageBytes) throw new MessageTooLarge(bytes);
  }
  return text;
}

/** An answer as it travels: the value, or what the responder threw. */
type Answer = { value: unknown } | { error: { message: string; code: string | null; data: unknown } };

/** Encodes the outcome of a handler; an answer that cannot travel becomes an error that can. */
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

/** The value of an answer. @throws RemoteError when the responder threw */
export function decodeAnswer(text: string): unknown {
  const answer = JSON.parse(text) as Answer;
  if ('error' in answer) throw new RemoteError(answer.error.message, answer.error.code, answer.error.data);
  return answer.value;
}
