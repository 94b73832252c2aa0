import { DeliveryError, type OwnReason, patienceMs } from './message.ts';

/** What a provider answered: the status, and the JSON object in the body. */
export interface ProviderAnswer {
  status: number;
  body: Readonly<Record<string, unknown>>;
}

/**
 * Posts to a provider, as long as `patienceMs` allows. No redirects: they would carry the signature elsewhere.
 * @throws DeliveryError when it is not reached, does not answer in time, or answers no JSON object
 */
export async function post(
  url: string,
  headers: Readonly<Record<string, string>>,
  body: string,
): Promise<ProviderAnswer> {
  let status: number;
  let text: string;
  try {
    const signal = AbortSignal.timeout(patienceMs);
    const response = await fetch(url, { method: 'POST', headers, body, redirect: 'error', signal });
    status = response.status;
    text = await response.text();
  } catch (error) {
    throw new DeliveryError(troubleOf(error as Error));
  }
  try {
    const parsed: unknown = JSON.parse(text);
    if (parsed && typeof parsed === 'object') return { status, body: parsed as ProviderAnswer['body'] };
  } catch {
    // said below
  }
  throw new DeliveryError(`HTTP ${status}: ${text.slice(0, 200)}`);
}

/** `fetch` says only that it failed; the reason is in the cause. */
function troubleOf(error: Error): string {
  if (error.name === 'TimeoutError') return 'no_answer' satisfies OwnReason;
  const { cause } = error as { cause?: unknown };
  return cause instanceof Error && cause.message ? cause.message : error.message;
}

/** A field of an answer as text; empty when it is not there. */
export function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}
