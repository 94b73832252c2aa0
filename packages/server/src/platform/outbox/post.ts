import { DeliveryError, type OwnReason, sendTimeoutMs } from './message.ts';

export interface ProviderAnswer {
  status: number;
  body: Readonly<Record<string, unknown>>;
}

/**
 * Follows no redirects, which would leak the signature.
 * @throws DeliveryError if unreachable, too slow, or without a JSON object
 */
export async function post(
  url: string,
  headers: Readonly<Record<string, string>>,
  body: string,
): Promise<ProviderAnswer> {
  let status: number;
  let text: string;
  try {
    const signal = AbortSignal.timeout(sendTimeoutMs);
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
    // handled below
  }
  throw new DeliveryError(`HTTP ${status}: ${text.slice(0, 200)}`);
}

/** Reads `cause`, which has the details. */
function troubleOf(error: Error): string {
  if (error.name === 'TimeoutError') return 'no_answer' satisfies OwnReason;
  const { cause } = error as { cause?: unknown };
  return cause instanceof Error && cause.message ? cause.message : error.message;
}

export function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}
