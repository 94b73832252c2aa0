const timeoutMs = 10_000;

export interface Answer {
  status: number;
  text: string;
}

/** @throws Error without an answer in 10 s */
export async function ask(url: string, init: RequestInit): Promise<Answer> {
  const answer = await fetch(url, { ...init, redirect: 'error', signal: AbortSignal.timeout(timeoutMs) });
  return { status: answer.status, text: await answer.text() };
}

/** @throws Error with the answer unless 2xx */
export function successOf<T>({ status, text }: Answer): T {
  if (status < 200 || status > 299) throw new Error(`the payment provider answered ${status}: ${text.slice(0, 500)}`);
  return JSON.parse(text || '{}') as T;
}
