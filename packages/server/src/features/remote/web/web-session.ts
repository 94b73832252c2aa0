import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Locale, RemoteEndReason } from '@yunxun/contract';
import { remoteLimits } from '@yunxun/contract/device';
import { message } from '@yunxun/contract/messages';
import { localeOf } from '../../../platform/http/locale.ts';
import type { Grant, Held, Holding } from '../relay/holding.ts';
import { WebAccess } from './access.ts';
import { type DeviceHttp, deviceHttp } from './device-http.ts';
import {
  framePage,
  frameScript,
  frameStyle,
  type Notice,
  noticePage,
  type OverFacts,
  overPage,
  paths,
  reserved,
} from './frame.ts';
import { WebNames, type WebPart } from './names.ts';
import { type OwnAddress, ownAddressOf } from './own-address.ts';
import { proxy, proxyUpgrade, Slow } from './proxy.ts';

export interface WebTarget {
  name: string;
  host: string;
  port: number;
}

/** Milliseconds between looks at the idle time. */
const idleStep = 10_000;
const maxAtOnce = 64;
export const maxListeners = 20;

/** Shows the page of a device under two names of its own: one for the page, one for the bar around it. */
export class WebSession implements Holding {
  readonly held: Held;
  grant: Grant | null = null;
  bytesUp = 0;
  bytesDown = 0;
  readonly label: string;
  readonly #target: WebTarget;
  readonly #names: WebNames;
  readonly #access: WebAccess;
  readonly #until: number;
  readonly #hard: NodeJS.Timeout;
  readonly #idle: NodeJS.Timeout;
  readonly #open = new Set<{ destroy(): void }>();
  #active = Date.now();
  #endedBy: RemoteEndReason | null = null;
  #device: Promise<{ http: DeviceHttp; own: OwnAddress }> | null = null;

  constructor(held: Held, target: WebTarget, names: WebNames, now: Date) {
    this.held = held;
    this.label = WebNames.newLabel(held.id);
    this.#target = target;
    this.#names = names;
    this.#access = new WebAccess(names.isSecure);
    this.#until = now.getTime() + remoteLimits.hard;
    this.#hard = setTimeout(() => this.end('too_long'), remoteLimits.hard);
    this.#idle = setInterval(() => this.#checkIdle(), idleStep);
    this.#idle.unref();
  }

  /** @returns an address that opens the session once, within a minute */
  enter(grant: Grant | null): string {
    this.grant = grant;
    this.#active = Date.now();
    return `${this.#origin('frame')}${paths.enter}?ticket=${this.#access.issue('frame')}`;
  }

  serve(request: IncomingMessage, response: ServerResponse, part: WebPart): void {
    response.setHeader('cache-control', 'no-store');
    const url = new URL(request.url ?? '/', 'http://session');
    const isKnown = this.#access.allows(request.headers.cookie, part);
    const isAllowed = !this.#isOver && isKnown;
    if (url.pathname === paths.style) return void sendStyle(response);
    if (url.pathname === paths.script) return void send(response, 200, 'text/javascript', frameScript);
    if (url.pathname === paths.enter && request.method === 'GET')
      return void this.#enter(request, url, response, part, isAllowed);
    if (!isAllowed) return void this.#notHere(request, response, 403, isKnown);
    if (part === 'frame') return void this.#serveFrame(request, response, url);
    if (url.pathname.startsWith(reserved)) return void this.#notHere(request, response, 404);
    // left the frame: back into it
    if (request.method === 'GET' && request.headers['sec-fetch-dest'] === 'document') {
      const to = encodeURIComponent(url.pathname + url.search);
      return void redirect(response, `${this.#origin('frame')}/?to=${to}`);
    }
    if (this.#open.size >= maxAtOnce) return void notice(request, response, 503, 'busy');
    this.#track(response);
    void this.#toDevice(request, response);
  }

  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer, part: WebPart): void {
    socket.on('error', () => socket.destroy());
    // server, front and two pipelines listen, each a few times
    socket.setMaxListeners(maxListeners);
    const isAllowed = !this.#isOver && part === 'page' && this.#access.allows(request.headers.cookie, part);
    const isOwn = request.headers.origin === undefined || request.headers.origin === this.#origin('page');
    if (!isAllowed || !isOwn || this.#open.size >= maxAtOnce)
      return void socket.end('HTTP/1.1 403 Forbidden\r\nconnection: close\r\ncontent-length: 0\r\n\r\n');
    this.#track(socket);
    this.#reach()
      .then(({ http, own }) => proxyUpgrade(request, socket, head, this.#way(http, own)))
      .catch(() => socket.destroy());
  }

  end(reason: RemoteEndReason, detail: string | null = null): void {
    if (this.#isOver) return;
    this.#endedBy = reason;
    clearTimeout(this.#hard);
    clearInterval(this.#idle);
    for (const one of this.#open) one.destroy();
    void this.#device?.then(
      ({ http }) => http.agent.destroy(),
      () => undefined,
    );
    this.held.link.close();
    this.held.ended(this, reason, detail);
  }

  get #isOver(): boolean {
    return this.#endedBy !== null;
  }

  #notHere(request: IncomingMessage, response: ServerResponse, status: number, isKnown = false): void {
    const who = !isKnown ? 'anyone' : this.held.maker ? 'guest' : 'member';
    const reason = isKnown ? this.#endedBy : null;
    overNotice(request, response, status, { reason, who, console: this.#names.console });
  }

  #origin(part: WebPart): string {
    return this.#names.originOf(this.label, part);
  }

  #enter(request: IncomingMessage, url: URL, response: ServerResponse, part: WebPart, isAllowed: boolean): void {
    const ticket = url.searchParams.get('ticket') ?? '';
    const cookie = this.#isOver ? null : this.#access.exchange(ticket, part, isAllowed);
    if (cookie === null) return void this.#notHere(request, response, 403);
    if (cookie !== '') response.setHeader('set-cookie', cookie);
    const to = url.searchParams.get('to') ?? '/';
    redirect(response, isPath(to) ? to : '/');
  }

  #serveFrame(request: IncomingMessage, response: ServerResponse, url: URL): void {
    const locale = localeOf(request);
    if (url.pathname === paths.end && request.method === 'POST') {
      if (request.headers.origin !== this.#origin('frame')) return void this.#notHere(request, response, 403);
      this.end('by_person');
      return void this.#notHere(request, response, 200, true);
    }
    const minutes = Math.max(0, Math.ceil((this.#until - Date.now()) / 60_000));
    if (url.pathname === paths.state) {
      const left = message(locale, 'remotePage.left', { minutes });
      return void send(response, 200, 'application/json', JSON.stringify({ left }));
    }
    if (url.pathname !== '/' || request.method !== 'GET') return void this.#notHere(request, response, 404);
    const asked = url.searchParams.get('to') ?? '/';
    const to = encodeURIComponent(isPath(asked) ? asked : '/');
    const { name: target, host, port } = this.#target;
    const source = `${this.#origin('page')}${paths.enter}?ticket=${this.#access.issue('page')}&to=${to}`;
    // with none, the form below would have no origin
    response.setHeader('referrer-policy', 'same-origin');
    response.setHeader(
      'content-security-policy',
      `default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; frame-src ${this.#origin('page')}`,
    );
    send(
      response,
      200,
      'text/html',
      framePage(locale, {
        target,
        address: `${host}:${port}`,
        minutes,
        source,
        console: this.held.maker ? null : this.#names.console,
      }),
    );
  }

  async #toDevice(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { host, port } = this.#target;
    const address = `${host}:${port}`;
    try {
      const { http, own } = await this.#reach();
      await proxy(request, response, this.#way(http, own));
    } catch (error) {
      if (response.headersSent || response.destroyed) return void response.destroy();
      request.resume();
      const reason = (error as Error).message.slice(0, 200);
      const isSlow = error instanceof Slow;
      notice(request, response, isSlow ? 504 : 502, isSlow ? 'slow' : 'unreachable', { address, reason });
    }
  }

  #reach() {
    this.#device ??= deviceHttp(this.held.link, this.#target).then((http) => ({
      http,
      own: ownAddressOf(http, this.#origin('page')),
    }));
    // the next request tries again
    this.#device.catch(() => {
      this.#device = null;
    });
    return this.#device;
  }

  #way(http: DeviceHttp, own: OwnAddress) {
    return {
      http,
      own,
      page: this.#origin('page'),
      frame: this.#origin('frame'),
      up: (bytes: number) => {
        this.bytesUp += bytes;
        this.#active = Date.now();
      },
      down: (bytes: number) => {
        this.bytesDown += bytes;
        this.#active = Date.now();
      },
      leaves: (request: IncomingMessage, response: ServerResponse, to: URL) => {
        const isPort = to.hostname === this.#target.host;
        const standard = to.protocol === 'https:' ? '443' : '80';
        const params = { address: to.origin, port: to.port || standard };
        notice(request, response, 502, isPort ? 'other_port' : 'elsewhere', params);
      },
    };
  }

  #track(one: Duplex | ServerResponse): void {
    this.#active = Date.now();
    this.#open.add(one);
    one.once('close', () => this.#open.delete(one));
  }

  #checkIdle(): void {
    if (Date.now() - this.#active > remoteLimits.idle) this.end('idle');
  }
}

/** Of this origin: neither an address nor what browsers read as one. */
const isPath = (text: string) => /^\/(?![/\\])[^\r\n]*$/.test(text);

function redirect(response: ServerResponse, to: string): void {
  response.setHeader('referrer-policy', 'no-referrer');
  response.writeHead(303, { location: to }).end();
}

function send(response: ServerResponse, status: number, type: string, body: string): void {
  response.setHeader('x-content-type-options', 'nosniff');
  response.writeHead(status, { 'content-type': `${type}; charset=utf-8` }).end(body);
}

/** A page for people; other requests get its status. */
function notice(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  what: Notice,
  params: Readonly<Record<string, string>> = {},
): void {
  sendNotice(request, response, status, (locale) => noticePage(locale, what, params));
}

/** As `notice`, for a session that is over or not this browser's. */
export function overNotice(request: IncomingMessage, response: ServerResponse, status: number, facts: OverFacts): void {
  sendNotice(request, response, status, (locale) => overPage(locale, facts));
}

function sendNotice(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  page: (locale: Locale) => string,
): void {
  response.setHeader('cache-control', 'no-store');
  if (!/text\/html/.test(request.headers.accept ?? '')) return void response.writeHead(status).end();
  response.setHeader('content-security-policy', "default-src 'none'; style-src 'self'");
  send(response, status, 'text/html', page(localeOf(request)));
}

export const sendStyle = (response: ServerResponse) => send(response, 200, 'text/css', frameStyle);
