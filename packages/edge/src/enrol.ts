import { asNumber, asRecord, asText, type Platform } from '@yunxun/contract/device';
import { type Clock, systemClock, wait } from './clock.ts';
import { certificateRequest, createKey, signRequest } from './identity.ts';

export interface Identity {
  serial: string;
  key: string;
  certificate: string;
  ca: string;
  server: string;
  port: number;
  signingKey?: string;
}

export interface EnrolRequest {
  consoleUrl: string;
  bindingCode: string;
  serial: string;
  platform?: Platform;
  model?: string;
  gwid?: string;
  renews?: boolean;
  key?: string;
  proof?: { certificate: string; key: string };
  clock?: Clock;
  onWaiting?: (message: string) => void;
  signal?: AbortSignal;
}

/** Refusal with the console's business code (4112: bound to another account). */
export class EnrolmentRefused extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(`enrolment refused (${code}): ${message}`);
    this.name = 'EnrolmentRefused';
    this.code = code;
  }
}

export class ConsoleUnreachable extends Error {
  constructor(consoleUrl: string, cause: unknown) {
    const reason = cause instanceof Error && cause.cause instanceof Error ? cause.cause.message : String(cause);
    super(`the console at ${consoleUrl} cannot be reached: ${reason}`, { cause });
    this.name = 'ConsoleUnreachable';
  }
}

const waitsForPerson = 4117;
/** Milliseconds and repetitions: a quarter of an hour. */
const waitingInterval = 5000;
const maxWaits = 180;

/** "Too many requests" answers before giving up. */
const timeout = 20;

/**
 * Exchanges the binding code for a certificate. With `onWaiting`, waits up to 15 minutes for approval.
 * @throws EnrolmentRefused, ConsoleUnreachable
 */
export async function enrol(request: EnrolRequest): Promise<Identity> {
  const key = request.key ?? (await createKey());
  const csr = certificateRequest(key, request.serial);
  const body = JSON.stringify({
    binding_code: request.bindingCode,
    serial: request.serial,
    csr,
    platform: request.platform,
    model: request.model,
    gwid: request.gwid,
    renews: request.renews,
    proof: request.proof && {
      certificate: request.proof.certificate,
      signature: signRequest(request.proof.key, csr),
    },
  });
  for (let waits = 0; ; waits += 1) {
    try {
      return { ...(await send(request, body)), serial: request.serial, key };
    } catch (error) {
      const waiting = error instanceof EnrolmentRefused && error.code === waitsForPerson;
      if (!waiting || request.onWaiting === undefined || waits === maxWaits) throw error;
      if (waits === 0) request.onWaiting(error.message);
      await wait(request.clock ?? systemClock, waitingInterval);
    }
  }
}

async function send({ consoleUrl, clock = systemClock, signal }: EnrolRequest, body: string): Promise<Answer> {
  for (let attempt = 1; ; attempt += 1) {
    const response = await fetch(new URL('/api/v3/device/enroll', consoleUrl), {
      method: 'POST',
      // the host's screen may lack Chinese fonts
      headers: { 'content-type': 'application/json', localization: 'en' },
      body,
      signal: signal ?? null,
    }).catch((error: unknown) => {
      throw new ConsoleUnreachable(consoleUrl, error);
    });
    if (response.status !== 429 || attempt === timeout) return readAnswer(response.status, await response.text());
    await response.body?.cancel();
    const seconds = asNumber(response.headers.get('retry-after')) ?? 1;
    await wait(clock, Math.min(Math.max(seconds, 0.2), 120) * 1000);
  }
}

type Answer = Omit<Identity, 'serial' | 'key'>;

function readAnswer(status: number, text: string): Answer {
  const envelope = asRecord<{ code: number; message: string; data: unknown; errors: unknown }>(parse(text));
  const code = asNumber(envelope.code) ?? status;
  if (code !== 2000) {
    // the field error of a 422 is more specific
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
