import { withoutBidi } from '@yunxun/contract/plain-text';
import { type ApiPath, type Data, getPaths, type Input, type TokenPath } from './api.ts';
import { ApiError, CANCELLED, UNREACHABLE } from './api-error.ts';
import { locale, t } from './i18n.ts';
import { clearToken, readToken } from './token.ts';

/** Business code: the call needs a confirmation first. */
const CONFIRM_FIRST = 4015;

interface Envelope {
  code: number;
  message: string;
  data: unknown;
  token?: string;
  errors?: Record<string, string[]>;
}

export type AskToConfirm = () => Promise<boolean>;

let acting: string | null = null;
let viewing: string | null = null;
let onSignedOut: () => void = () => {};
let askToConfirm: AskToConfirm | null = null;
let confirming: Promise<boolean> | null = null;

/** Sets account (null: own) and preview (null: none) for later calls. */
export function actIn(account: string | null, viewAs: string | null = null): void {
  acting = account;
  viewing = viewAs;
}

export function whenSignedOut(handler: () => void): void {
  onSignedOut = handler;
}

/** Sets the dialog for 4015; concurrent calls share it. */
export function whenConfirmFirst(ask: AskToConfirm | null): void {
  askToConfirm = ask;
}

/** Forgets a rejected token; late answers to older tokens must not end a newer session. */
export function signedOut(token: string | null): void {
  if (readToken() !== token) return;
  clearToken();
  onSignedOut();
}

/** Pending checks per token after a 401. */
const asking = new Map<string | null, Promise<void>>();

/** Asks `/api/v3/user`: only its 401 ends the session. */
function endIfDead(token: string | null): Promise<void> {
  if (token === null || readToken() !== token) return Promise.resolve();
  const asked =
    asking.get(token) ??
    fetch('/api/v3/user', {
      headers: { localization: locale(), authorization: `Bearer ${token}` },
      credentials: 'omit',
    })
      .then(async (response) => {
        const envelope = await readEnvelope(response);
        if (response.status === 401 || envelope?.code === 4003) signedOut(token);
      })
      .catch(() => undefined)
      .finally(() => asking.delete(token));
  asking.set(token, asked);
  return asked;
}

/** Omits account and preview with `home`. */
export function requestHeaders(home = false): Record<string, string> {
  const token = readToken();
  return {
    localization: locale(),
    ...(token ? { authorization: `Bearer ${token}` } : {}),
    ...(acting && !home ? { account: acting } : {}),
    ...(viewing && !home ? { 'view-as': viewing } : {}),
  };
}

export interface CallOptions {
  signal?: AbortSignal | undefined;
  /** Uses the person's own account, whatever account is active. */
  home?: boolean;
}

/**
 * Returns `data`. Repeats once after a confirmation (4015).
 * @throws ApiError; code `CANCELLED` without confirmation
 */
export async function call<P extends ApiPath>(path: P, input: Input<P>, options: CallOptions = {}): Promise<Data<P>> {
  try {
    return (await exchange(path, input, options)).data as Data<P>;
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== CONFIRM_FIRST || !askToConfirm) throw error;
    confirming ??= askToConfirm().finally(() => {
      confirming = null;
    });
    if (!(await confirming)) throw new ApiError(CANCELLED, error.message);
    return (await exchange(path, input, options)).data as Data<P>;
  }
}

export async function callForToken<P extends TokenPath>(path: P, input: Input<P>): Promise<string> {
  const { token, code, message } = await exchange(path, input);
  if (!token) throw new ApiError(code, message);
  return token;
}

/** Returns null while there is no token. */
export async function pollForToken<P extends TokenPath>(
  path: P,
  input: Input<P>,
  options: CallOptions = {},
): Promise<{ data: Data<P>; token: string | null }> {
  const { token, data } = await exchange(path, input, options);
  return { data: data as Data<P>, token: token || null };
}

async function exchange(path: ApiPath, input: unknown, { signal, home }: CallOptions = {}): Promise<Envelope> {
  const get = path in getPaths;
  const fields = (input ?? {}) as Record<string, unknown>;
  const url = path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(fields[name])));
  const token = readToken();
  let response: Response;
  try {
    response = await fetch(url, {
      method: get ? 'GET' : 'POST',
      headers: { ...requestHeaders(home), ...(get ? {} : { 'content-type': 'application/json' }) },
      ...(get ? {} : { body: JSON.stringify(fields) }),
      credentials: 'omit',
      ...(signal ? { signal } : {}),
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new ApiError(UNREACHABLE, t('error.unreachable'));
  }
  if (response.status === 401) await endIfDead(token);
  return judge(path, response, await readEnvelope(response));
}

async function readEnvelope(response: Response): Promise<Envelope | null> {
  try {
    // texts of devices and guests, some from before the server dropped them
    const body: unknown = JSON.parse(withoutBidi(await response.text()));
    return typeof body === 'object' && body !== null && 'code' in body ? (body as Envelope) : null;
  } catch {
    return null;
  }
}

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
