import { Writable } from 'node:stream';
import type { RemoteInput, RemoteOutput } from '@yunxun/contract/remote-terminal';
import WebSocket from 'ws';
import { eventually } from '../../../../../../tools/eventually.ts';
import type { Registered, TestServer } from '../../../../test/server.ts';

export class TerminalPage {
  readonly socket: WebSocket;
  readonly outputs: RemoteOutput[] = [];
  shown = '';
  bytes = 0;
  closed: number | null = null;

  private constructor(socket: WebSocket) {
    this.socket = socket;
    socket.on('message', (data: Buffer, isBinary) => {
      if (!isBinary) return void this.outputs.push(JSON.parse(data.toString()));
      this.bytes += data.length;
      this.shown = (this.shown + data.toString('latin1')).slice(-100_000);
    });
    socket.on('close', (code) => {
      this.closed = code;
    });
  }

  static async open(server: TestServer, id: string, hello: object | string): Promise<TerminalPage> {
    const url = `${server.url.replace('http', 'ws')}/api/v3/remote/terminal?session=${id}`;
    const socket = new WebSocket(url);
    const page = new TerminalPage(socket);
    await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
    socket.send(typeof hello === 'string' ? hello : JSON.stringify(hello));
    return page;
  }

  static of(server: TestServer, id: string, { token }: Pick<Registered, 'token'>, more: object = {}) {
    return TerminalPage.open(server, id, { token, cols: 100, rows: 30, ...more });
  }

  type(text: string | Buffer): void {
    this.socket.send(Buffer.from(text as string));
  }

  /** Types with backpressure. */
  typing(): Writable {
    return new Writable({ write: (chunk: Buffer, _encoding, done) => this.socket.send(chunk, done) });
  }

  say(input: RemoteInput): void {
    this.socket.send(JSON.stringify(input));
  }

  async shows(text: string): Promise<void> {
    await eventually(async () => {
      if (!this.shown.includes(text))
        throw new Error(`not shown: ${text}; but ${JSON.stringify(this.shown.slice(-200))}`);
    });
  }

  async hears<T extends RemoteOutput['type']>(type: T): Promise<Extract<RemoteOutput, { type: T }>> {
    return eventually(async () => {
      const found = this.outputs.findLast((one) => one.type === type);
      if (!found) throw new Error(`not heard: ${type}; but ${JSON.stringify(this.outputs)}`);
      return found as Extract<RemoteOutput, { type: T }>;
    });
  }

  async leaves(): Promise<number> {
    return eventually(async () => {
      if (this.closed === null) throw new Error('still open');
      return this.closed;
    });
  }

  close(): void {
    this.socket.terminate();
  }
}
