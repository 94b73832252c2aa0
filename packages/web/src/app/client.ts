import { type ApiPath, type Data, getPaths, type Input, type TokenPath } from './api.ts';
import { ApiError, UNREACHABLE } from './api-error.ts';
import { locale, t } from './i18n.ts';
import { clearToken, readToken } from './token.ts';

interface Envelope {
  code: number;
  message: string;
  data: unknown;
  token?: string;
  errors?: Record<string, string[]>;
}

let acting: string | null = null;
let onSignedOut: () => void = () => {};

/** Acts in another account from now on (null: the visitor's own). */
export function actIn(account: string | null): void {
  acting = account;
}

/** What to do when the server no longer knows the token. */
export function whenSignedOut(handler: () => void): void {
  onSignedOut = handler;
}

/**
 * The server no longer knows the token that a request carried: it is forgotten here too. A late answer to an older
 * token must not end a session that has begun since.
 */
export function signedOut(token: string | null): void {
  if (readToken() !== token) return;
  clearToken();
  onSignedOut();
}

/** Headers of every request to the server. */
export function requestHeaders(): Record<string, string> {
  const token = readToken();
  return {
    localization: locale(),
    ...(token ? { authorization: `Bearer ${token}` } : {}),
    ...(acting ? { account: acting } : {}),
  };
}

/** Calls an endpoint and answers its `data`; anything but success is thrown as an `ApiError`. */
export async function call<P extends ApiPath>(
  path: P,
  input: Input<P>,
  options: { signal?: AbortSignal | undefined } = {},
): Promise<Data<P>> {
  return (await exchange(path, input, options.signal)).data as Data<P>;
}

/** Calls a sign-in endpoint and answers its token. */
export async function callForToken<P extends TokenPath>(path: P, input: Input<P>): Promise<string> {
  const { token, code, message } = await exchange(path, input);
  if (!token) throw new ApiError(code, message);
  return token;
}

async function exchange(path: ApiPath, input: unknown, signal?: AbortSignal): Promise<Envelope> {
  const get = path in getPaths;
  const fields = (input ?? {}) as Record<string, unknown>;
  const url = path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(fields[name])));
  const token = readToken();
  let response: Response;
  try {
    response = await fetch(url, {
      method: get ? 'GET' : 'POST',
      headers: { ...requestHeaders(), ...(get ? {} : { 'content-type': 'application/json' }) },
      ...(get ? {} : { body: JSON.stringify(fields) }),
      credentials: 'omit',
      ...(signal ? { signal } : {}),
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new ApiError(UNREACHABLE, t('error.unreachable'));
  }
  if (response.status === 401) signedOut(token);
  return judge(path, response, await readEnvelope(response));
}

async function readEnvelope(response: Response): Promise<Envelope | null> {
  try {
    const body: unknown = await response.json();
    return typeof body === 'object' && body !== null && 'code' in body ? (body as Envelope) : null;
  } catch {
    return null;
  }
}

/** Envelope and status to success or error, as the spec's error catalogue says. */
function judge(path: ApiPath, response: Response, envelope: Envelope | null): Envelope {
  const requestId = response.headers.get('x-request-id');
  const status = response.status;
  if (status === 401) {
    throw new ApiError(401, envelope?.message || t('error.signed_out'), { status, requestId });
  }
  if (status === 429) {
    const seconds = Number(response.headers.get('retry-after')) || 60;
    const message = t('error.too_many', { seconds });
    throw new ApiError(429, message, { status, requestId, retryAfter: seconds, data: envelope?.data });
  }
  if (status === 422) {
    const fields = envelope?.errors ?? {};
    const first = Object.values(fields)[0]?.[0];
    throw new ApiError(422, first ?? envelope?.message ?? t('error.request'), { status, requestId, fields });
  }
  if (!envelope || status >= 400)
    throw new ApiError(envelope?.code ?? status, t('error.request'), { status, requestId });
  const success = envelope.code === 2000 || (/sms/.test(path) && envelope.code > 0 && envelope.code % 1000 === 0);
  if (!success) {
    throw new ApiError(envelope.code, envelope.message || t('error.request'), {
      status,
      requestId,
      data: envelope.data,
    });
  }
  return envelope;
}
