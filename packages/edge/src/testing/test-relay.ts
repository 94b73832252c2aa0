import { once } from 'node:events';
import { type ClientHttp2Session, type ClientHttp2Stream, connect, type OutgoingHttpHeaders } from 'node:http2';
import type { AddressInfo, Socket } from 'node:net';
import { createServer, type Server, type TLSSocket } from 'node:tls';
import {
  type RemoteFileWay,
  readRemoteHello,
  remoteFilePath,
  remoteHeaders,
  remoteLine,
  remotePaths,
  remoteProtocols,
} from '@yunxun/contract/device';
import type { TestAuthority } from './authority.ts';
import { quietly, testTimeout } from './test-session.ts';

/** Accepts each token once. */
export class TestRelay {
  readonly #server: Server;
  readonly #tokens = new Set<string>();
  readonly #waiting = new Map<string, (agent: TestAgent) => void>();
  readonly #sockets = new Set<Socket>();

  private constructor(server: Server) {
    this.#server = server;
  }

  static async start(authority: TestAuthority, address = '127.0.0.1', name = address): Promise<TestRelay> {
    const { certificate, key } = authority.server(name);
    const server = createServer({
      cert: certificate,
      key,
      ca: authority.certificate,
      requestCert: true,
      rejectUnauthorized: true,
      ALPNProtocols: [remoteProtocols.agent],
    });
    const relay = new TestRelay(server);
    server.on('secureConnection', (socket) => void relay.#accept(socket));
    server.on('tlsClientError', () => {});
    server.on('connection', (socket: Socket) => {
      relay.#sockets.add(socket);
      socket.once('close', () => relay.#sockets.delete(socket));
    });
    server.listen(0, address);
    await once(server, 'listening');
    return relay;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  agent(token: string): Promise<TestAgent> {
    this.#tokens.add(token);
    const agent = new Promise<TestAgent>((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error('no agent')), testTimeout);
      timer.unref();
      this.#waiting.set(token, (found) => {
        clearTimeout(timer);
        resolve(found);
      });
    });
    return quietly(agent);
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise<void>((done) => this.#server.close(() => done()));
  }

  async #accept(socket: TLSSocket): Promise<void> {
    socket.on('error', () => {});
    const [line] = (await once(socket, 'data')) as [Buffer];
    socket.pause();
    const hello = readRemoteHello(line.toString('utf8'));
    if (hello === null || !this.#tokens.delete(hello.token)) return void socket.end(remoteLine({ error: 'token' }));
    socket.write(remoteLine({ ok: true }), () => {
      const session = connect('http://agent', { createConnection: () => socket });
      session.on('error', () => {});
      this.#waiting.get(hello.token)?.(new TestAgent(session, String(socket.getPeerCertificate().subject.CN)));
    });
  }
}

export class TestAgent {
  readonly session: ClientHttp2Session;
  readonly commonName: string;

  constructor(session: ClientHttp2Session, commonName: string) {
    this.session = session;
    this.commonName = commonName;
  }

  async shell(columns = 80, rows = 24): Promise<TestShell> {
    const shell = await this.#open({ ':method': 'POST', ':path': remotePaths.shell, ...sizeOf(columns, rows) });
    return shell;
  }

  async connect(authority: string): Promise<TestShell> {
    return this.#open({ ':method': 'CONNECT', ':authority': authority });
  }

  async size(shell: string, columns: number, rows: number): Promise<number> {
    const path = `${remotePaths.shell}/${shell}/size`;
    const { status } = await this.#open({ ':method': 'POST', ':path': path, ...sizeOf(columns, rows) });
    return status;
  }

  /** Resolves when all of the answer is there; status 0: none came. */
  async files(
    shell: string,
    way: RemoteFileWay,
    path: string,
    more: OutgoingHttpHeaders = {},
    body: (stream: ClientHttp2Stream) => void = (stream) => void stream.end(),
  ): Promise<TestShell> {
    const encoded = Buffer.from(path).toString('base64url');
    const headers = { ':path': remoteFilePath(shell, way), [remoteHeaders.path]: encoded, ...more };
    const answer = await this.#open({ ':method': 'POST', ...headers }, body);
    await answer.closed;
    return answer;
  }

  async closed(): Promise<void> {
    if (!this.session.destroyed) await once(this.session, 'close');
  }

  async #open(headers: OutgoingHttpHeaders, body = (_stream: ClientHttp2Stream) => {}): Promise<TestShell> {
    const stream = this.session.request(headers, { endStream: false });
    const shell = new TestShell(stream);
    stream.once('response', (answered: Record<string, unknown>) => {
      shell.status = Number(answered[':status']);
      shell.id = String(answered[remoteHeaders.shell] ?? '');
      shell.size = Number(answered[remoteHeaders.size] ?? Number.NaN);
    });
    body(stream);
    await Promise.race([once(stream, 'response').catch(() => {}), shell.closed]);
    return shell;
  }
}

export class TestShell {
  readonly stream: ClientHttp2Stream;
  readonly closed: Promise<void>;
  status = 0;
  id = '';
  /** Bytes that were announced. */
  size = Number.NaN;
  #output: Buffer[] = [];

  constructor(stream: ClientHttp2Stream) {
    this.stream = stream;
    stream.on('error', () => {});
    stream.on('data', (part: Buffer) => this.#output.push(part));
    stream.once('end', () => stream.end());
    this.closed = new Promise((resolve) => stream.once('close', () => resolve()));
  }

  get text(): string {
    return this.bytes.toString('utf8');
  }

  get bytes(): Buffer {
    const all = Buffer.concat(this.#output);
    this.#output = [all];
    return all;
  }

  clear(): void {
    this.#output = [];
  }

  type(keys: string | Uint8Array): void {
    this.stream.write(keys);
  }

  async shows(words: string): Promise<void> {
    const over = performance.now() + testTimeout;
    while (!this.text.includes(words)) {
      if (this.stream.closed || performance.now() > over)
        throw new Error(`no "${words}" in:\n${this.text.slice(-2000)}`);
      await new Promise((turn) => setTimeout(turn, 20));
    }
  }
}

const sizeOf = (columns: number, rows: number) => ({
  [remoteHeaders.columns]: `${columns}`,
  [remoteHeaders.rows]: `${rows}`,
});
