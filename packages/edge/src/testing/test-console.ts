import { createServer as createHttpServer, type IncomingMessage, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { edgeReachPath, isRecord } from '@yunxun/contract/device';
import { WebSocketServer } from 'ws';
import { readRequest, TestAuthority } from './authority.ts';
import { quietly, TestSession, testTimeout } from './test-session.ts';

export interface TestConsoleOptions {
  serverName?: string;
  alternativeNames?: readonly string[];
  address?: string;
  location?: string;
  signingKey?: string;
  reach?: number;
  /** HTTP status of a refused upgrade; null: accepted. */
  upgrade?: () => number | null;
  pong?: boolean;
  overloaded?: { times: number; retryAfterS: number };
  refusals?: { status: number; body: unknown; headers?: Record<string, string> }[];
}

export class TestConsole {
  readonly authority = new TestAuthority();
  readonly sessions: TestSession[] = [];
  readonly enrolments: Record<string, unknown>[] = [];
  readonly #waiting: { serial: string | null; give: (session: TestSession) => void }[] = [];
  #connecting: { from: number; give: (session: TestSession) => void }[] = [];
  readonly #options: TestConsoleOptions;
  readonly #http: Server;
  readonly #device: ReturnType<typeof createTlsServer>;
  readonly #sockets = new Set<Socket>();
  readonly #failed: string[] = [];

  private constructor(options: TestConsoleOptions) {
    this.#options = options;
    const name = options.serverName ?? 'localhost';
    const pair = this.authority.server(name, options.alternativeNames ?? [name]);
    this.#device = createTlsServer({
      cert: pair.certificate,
      key: pair.key,
      ca: this.authority.certificate,
      requestCert: true,
      rejectUnauthorized: true,
    });
    this.#device.on('connection', (socket: Socket) => {
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
    });
    this.#device.on('tlsClientError', (error) => this.#failed.push(error.message));
    this.#device.on('request', (request, response) => {
      response.writeHead(request.url === edgeReachPath ? (options.reach ?? 204) : 426, { connection: 'close' }).end();
    });
    let refusals = options.overloaded?.times ?? 0;
    const sockets = new WebSocketServer({
      server: this.#device,
      autoPong: options.pong ?? true,
      verifyClient(_info, answer) {
        const refused = options.upgrade?.() ?? null;
        if (refused !== null) return answer(false, refused);
        refusals -= 1;
        if (refusals < 0) answer(true);
        else answer(false, 503, undefined, { 'Retry-After': String(options.overloaded?.retryAfterS) });
      },
    });
    sockets.on('connection', (socket, request) => {
      const { subject } = (request.socket as TLSSocket).getPeerCertificate();
      const session = new TestSession(socket, String(subject.CN), request);
      const place = this.sessions.push(session) - 1;
      const printed = () => {
        for (const { from, give } of this.#connecting) if (from <= place) give(session);
        this.#connecting = this.#connecting.filter(({ from }) => from > place);
      };
      session.message('connect').then(printed, () => {});
      const at = this.#waiting.findIndex((entry) => entry.serial === null || entry.serial === session.commonName);
      const [waiter] = at < 0 ? [] : this.#waiting.splice(at, 1);
      waiter?.give(session);
    });
    this.#http = createHttpServer((request, response) => {
      void this.#enrol(request).then(({ status, body, headers }) => {
        response.writeHead(status, { 'content-type': 'application/json', ...headers });
        response.end(JSON.stringify(body));
      });
    });
  }

  static async start(options: TestConsoleOptions = {}): Promise<TestConsole> {
    const console = new TestConsole(options);
    const { address } = console;
    await Promise.all([listen(console.#http, address), listen(console.#device, address)]);
    return console;
  }

  get address(): string {
    return this.#options.address ?? '127.0.0.1';
  }

  get url(): string {
    return `http://${this.address}:${(this.#http.address() as AddressInfo).port}`;
  }

  get devicePort(): number {
    return (this.#device.address() as AddressInfo).port;
  }

  session(serial: string | null = null): Promise<TestSession> {
    return this.#within('session', (give) => this.#waiting.push({ serial, give }));
  }

  connected(): Promise<TestSession> {
    const from = this.sessions.length;
    return this.#within('session that says connect', (give) => this.#connecting.push({ from, give }));
  }

  logText(): string {
    const failed = this.#failed.length === 0 ? [] : [`handshakes that failed: ${this.#failed.slice(-5).join('; ')}`];
    const older = this.sessions.length > 3 ? [`${this.sessions.length - 3} sessions before`] : [];
    return [...failed, ...older, ...this.sessions.slice(-3).map((session) => session.logText())].join('\n');
  }

  #within(what: string, ask: (give: (session: TestSession) => void) => void): Promise<TestSession> {
    const waiting = new Promise<TestSession>((give, reject) => {
      const timer = setTimeout(
        () => reject(new Error(`no ${what} in ${testTimeout / 1000} s\n${this.logText()}`)),
        testTimeout,
      );
      timer.unref();
      ask((session) => {
        clearTimeout(timer);
        give(session);
      });
    });
    return quietly(waiting);
  }

  async stop(): Promise<void> {
    for (const session of this.sessions) session.socket.terminate();
    // including sockets with an unfinished handshake
    for (const socket of this.#sockets) socket.destroy();
    this.#http.closeAllConnections();
    this.#device.closeAllConnections();
    await Promise.all([new Promise((done) => this.#http.close(done)), new Promise((done) => this.#device.close(done))]);
  }

  async #enrol(request: IncomingMessage): Promise<{ status: number; body: unknown; headers?: Record<string, string> }> {
    let text = '';
    for await (const chunk of request) text += String(chunk);
    const body: unknown = JSON.parse(text);
    if (!isRecord(body) || typeof body.csr !== 'string') return { status: 422, body: { code: 422 } };
    this.enrolments.push(body);
    const refusal = this.#options.refusals?.shift();
    if (refusal !== undefined) return refusal;
    const { publicKey, commonName } = readRequest(body.csr);
    const data = {
      certificate: this.authority.device(publicKey, commonName),
      ca: this.authority.certificate,
      server: this.#options.location ?? 'localhost',
      port: this.devicePort,
      ...(this.#options.signingKey === undefined ? {} : { signing_key: this.#options.signingKey }),
    };
    return { status: 200, body: { code: 2000, message: 'ok', data } };
  }
}

function listen(server: Server, address: string): Promise<void> {
  return new Promise((ready) => {
    server.listen(0, address, ready);
  });
}
