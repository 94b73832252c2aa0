import { request as http, type IncomingMessage } from 'node:http';
import { request as https } from 'node:https';
import { isIP } from 'node:net';
import { type PeerCertificate, TLSSocket } from 'node:tls';
import { type EdgeCertificate, type EdgeHttpCheck, type EdgeHttpStep, edgeCheckLimits } from '@yunxun/contract/device';
import { CheckFailed, wordOf } from './check-errors.ts';
import { bare, type CheckedAddress, type Resolve } from './check-target.ts';
import { round } from './tcp-check.ts';

interface Step {
  step: EdgeHttpStep;
  certificate: EdgeCertificate | null;
  bytes: number;
  more: boolean;
  next: URL | null;
}

/** Follows redirects up to the limit or to an address that was asked; each host is resolved and checked anew. */
export async function httpCheck(
  { url, from }: { url: string; from: string | null },
  resolve: Resolve,
): Promise<EdgeHttpCheck> {
  const ends = performance.now() + edgeCheckLimits.totalMs;
  const steps: EdgeHttpStep[] = [];
  let next: URL | null = new URL(url);
  let last: Step | null = null;
  while (next !== null && steps.length <= edgeCheckLimits.redirects) {
    last = await request(next, from, resolve, Math.min(edgeCheckLimits.requestMs, ends - performance.now()));
    steps.push(last.step);
    next = last.next;
    if (steps.some(({ url: asked }) => asked === `${next}`)) break;
  }
  return {
    steps,
    certificate: last?.certificate ?? null,
    bytes: last?.bytes ?? 0,
    more: last?.more === true || next !== null,
  };
}

async function request(url: URL, from: string | null, resolve: Resolve, wait: number): Promise<Step> {
  const began = performance.now();
  const step: EdgeHttpStep = {
    url: `${url}`.slice(0, 2048),
    address: null,
    status: null,
    dns_ms: null,
    connect_ms: null,
    tls_ms: null,
    first_byte_ms: null,
    error: null,
  };
  const none = { certificate: null, bytes: 0, more: false, next: null };
  let checked: CheckedAddress;
  try {
    if (wait <= 0) throw new CheckFailed('timeout', null);
    checked = await resolve(bare(url.hostname));
  } catch (error) {
    step.address = error instanceof CheckFailed ? error.address : null;
    step.error = wordOf(error);
    return { ...none, step };
  }
  step.address = checked.address;
  if (isIP(bare(url.hostname)) === 0) step.dns_ms = round(performance.now() - began);
  return exchange(url, step, checked.isLan ? null : from, wait);
}

/** Connects to `step.address`, so that a name that changes its address meanwhile has no effect. */
function exchange(url: URL, step: EdgeHttpStep, from: string | null, wait: number): Promise<Step> {
  return new Promise((done) => {
    const secure = url.protocol === 'https:';
    const host = bare(url.hostname);
    let certificate: EdgeCertificate | null = null;
    let [bytes, more, mark] = [0, false, performance.now()];
    const lap = () => {
      const now = performance.now();
      const ms = round(now - mark);
      mark = now;
      return ms;
    };
    const call = (secure ? https : http)({
      host: step.address!,
      port: url.port === '' ? (secure ? 443 : 80) : Number(url.port),
      path: `${url.pathname}${url.search}`,
      method: 'GET',
      agent: false,
      headers: { host: url.host, 'user-agent': 'Yunxun check', accept: '*/*', connection: 'close' },
      ...(from === null ? {} : { localAddress: from }),
      // the certificate is a finding, not a condition
      ...(secure ? { rejectUnauthorized: false, servername: isIP(host) === 0 ? host : '' } : {}),
    });
    let [next, isOver]: [URL | null, boolean] = [null, false];
    const end = (error: unknown = null) => {
      if (isOver) return;
      isOver = true;
      clearTimeout(timer);
      call.destroy();
      if (error !== null) step.error = wordOf(error);
      done({ step, certificate, bytes, more, next });
    };
    const timer = setTimeout(() => end(new CheckFailed('timeout', null)), wait);
    call.on('error', (error) => end(error));
    call.once('socket', (socket) => {
      socket.once('connect', () => {
        step.connect_ms = lap();
      });
      if (!(socket instanceof TLSSocket)) return;
      socket.once('secureConnect', () => {
        step.tls_ms = lap();
        certificate = certificateOf(socket);
      });
    });
    call.once('response', (response: IncomingMessage) => {
      step.first_byte_ms = lap();
      step.status = response.statusCode ?? null;
      next = redirectOf(response, url);
      response.on('data', (part: Buffer) => {
        bytes = Math.min(bytes + part.length, edgeCheckLimits.bodyBytes);
        more = bytes >= edgeCheckLimits.bodyBytes;
        if (more) end();
      });
      response.once('end', () => end());
      response.once('error', (error) => end(error));
    });
    call.end();
  });
}

function redirectOf({ statusCode = 0, headers: { location } }: IncomingMessage, url: URL): URL | null {
  if (![301, 302, 303, 307, 308].includes(statusCode) || location === undefined) return null;
  if (!URL.canParse(location, `${url}`)) return null;
  const to = new URL(location, `${url}`);
  return to.protocol === 'http:' || to.protocol === 'https:' ? to : null;
}

function certificateOf(socket: TLSSocket): EdgeCertificate | null {
  const peer = socket.getPeerCertificate();
  if (Object.keys(peer).length === 0) return null;
  const until = Date.parse(peer.valid_to);
  const error = socket.authorized ? null : socket.authorizationError;
  return {
    subject: nameOf(peer.subject),
    issuer: nameOf(peer.issuer),
    until: Number.isNaN(until) ? null : new Date(until).toISOString(),
    // an Error despite its type
    error: error === null ? null : codeOf(error),
  };
}

function codeOf(error: unknown): string {
  const { code } = error as { code?: unknown };
  return String(code ?? error).slice(0, 100);
}

function nameOf({ CN, O }: PeerCertificate['subject']): string {
  return [CN, O]
    .flat()
    .filter((part) => part !== undefined)
    .join(', ')
    .slice(0, 200);
}
