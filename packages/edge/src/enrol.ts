import { asNumber, asRecord, asText, type Platform } from '@yunxun/contract/device';
import { type Clock, systemClock, wait } from './clock.ts';
import { certificateRequest, createKey } from './identity.ts';

/** What a device needs to reach its console; kept on the device. All PEM. */
export interface Identity {
  serial: string;
  key: string;
  certificate: string;
  /** Certificate authority of the console's device port. */
  ca: string;
  server: string;
  port: number;
  /** Public key (PEM) of whoever signs versions of the agent, when the console said one. */
  signingKey?: string;
}

/** What enrolment needs. */
export interface EnrolRequest {
  /** Address of the console, `http://127.0.0.1:8080`. */
  consoleUrl: string;
  bindingCode: string;
  serial: string;
  platform?: Platform;
  model?: string;
  /** Network to join; without it the console decides. */
  gwid?: string;
  /** It renews its certificate by itself. */
  renews?: boolean;
  /** Kept across re-enrolments when given. */
  key?: string;
  clock?: Clock;
  /** Stops waiting when the console asks for patience. */
  signal?: AbortSignal;
}

/** The console said no: its business code and sentence (4112: bound to another account). */
export class EnrolmentRefused extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(`enrolment refused (${code}): ${message}`);
    this.name = 'EnrolmentRefused';
    this.code = code;
  }
}

/** Nobody answered at the console's address. */
export class ConsoleUnreachable extends Error {
  constructor(consoleUrl: string, cause: unknown) {
    const reason = cause instanceof Error && cause.cause instanceof Error ? cause.cause.message : String(cause);
    super(`the console at ${consoleUrl} cannot be reached: ${reason}`, { cause });
    this.name = 'ConsoleUnreachable';
  }
}

/** How often a "too many requests" is waited out before it counts as a refusal. */
const patience = 20;

/** Makes a key and a request, trades the binding code for a certificate. Rejects with `EnrolmentRefused` or `ConsoleUnreachable`. */
export async function enrol(request: EnrolRequest): Promise<Identity> {
  const key = request.key ?? (await createKey());
  const body = JSON.stringify({
    binding_code: request.bindingCode,
    serial: request.serial,
    csr: certificateRequest(key, request.serial),
    platform: request.platform,
    model: request.model,
    gwid: request.gwid,
    renews: request.renews,
  });
  for (let attempt = 1; ; attempt += 1) {
    const response = await fetch(new URL('/api/v3/device/enroll', request.consoleUrl), {
      method: 'POST',
      // a refusal is read on a box's own screen, which may have no Chinese letters
      headers: { 'content-type': 'application/json', localization: 'en' },
      body,
      signal: request.signal ?? null,
    }).catch((error: unknown) => {
      throw new ConsoleUnreachable(request.consoleUrl, error);
    });
    if (response.status === 429 && attempt < patience) {
      await response.body?.cancel();
      const seconds = asNumber(response.headers.get('retry-after')) ?? 1;
      await wait(request.clock ?? systemClock, Math.min(Math.max(seconds, 0.2), 120) * 1000);
      continue;
    }
    return { ...readAnswer(response.status, await response.text()), serial: request.serial, key };
  }
}

function readAnswer(status: number, text: string): Omit<Identity, 'serial' | 'key'> {
  const envelope = asRecord<{ code: number; message: string; data: unknown; errors: unknown }>(parse(text));
  const code = asNumber(envelope.code) ?? status;
  if (code !== 2000) {
    // what a 422 says of a field is plainer than its message
    const [field] = Object.values(asRecord<Record<string, unknown>>(envelope.errors)).flat();
    throw new EnrolmentRefused(code, asText(field, 500) ?? asText(envelope.message, 500) ?? `HTTP ${status}`);
  }
  const data = asRecord<{ certificate: string; ca: string; server: string; port: number; signing_key: string }>(
    envelope.data,
  );
  const certificate = asText(data.certificate, 65_536);
  const ca = asText(data.ca, 262_144);
  const server = asText(data.server, 255);
  const port = asNumber(data.port);
  if (certificate === null || ca === null || server === null || port === null) {
    throw new EnrolmentRefused(code, 'the answer lacks certificate, ca, server or port');
  }
  const signingKey = asText(data.signing_key, 4096);
  return { certificate, ca, server, port, ...(signingKey === null ? {} : { signingKey }) };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
