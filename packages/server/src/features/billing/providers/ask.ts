const timeoutMs = 10_000;
const downloadMs = 60_000;

export interface Answer {
  status: number;
  text: string;
  headers: Headers;
}

/** @throws Error without an answer in 10 s */
export async function ask(url: string, init: RequestInit): Promise<Answer> {
  const answer = await fetch(url, { ...init, redirect: 'error', signal: AbortSignal.timeout(timeoutMs) });
  return { status: answer.status, text: await answer.text(), headers: answer.headers };
}

export function isRefusal({ status }: Pick<Answer, 'status'>): boolean {
  return status >= 400 && status < 500 && status !== 408 && status !== 409 && status !== 429 && status !== 401;
}

/** @throws Error with the answer unless 2xx */
export function successOf<T>({ status, text }: Pick<Answer, 'status' | 'text'>): T {
  if (status < 200 || status > 299) throw new Error(`the payment provider answered ${status}: ${text.slice(0, 500)}`);
  return JSON.parse(text || '{}') as T;
}

/** @throws Error beyond `maxBytes`, or unless 2xx */
export async function download(url: string, headers: Record<string, string>, maxBytes: number): Promise<Buffer> {
  const answer = await fetch(url, { headers, redirect: 'error', signal: AbortSignal.timeout(downloadMs) });
  if (!answer.ok) throw new Error(`the payment provider answered ${answer.status} instead of a file`);
  const parts: Uint8Array[] = [];
  let left = maxBytes;
  for await (const part of answer.body ?? []) {
    left -= part.length;
    if (left < 0) throw new Error(`the file is longer than ${maxBytes} bytes`);
    parts.push(part);
  }
  return Buffer.concat(parts);
}
