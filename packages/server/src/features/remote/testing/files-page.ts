import { createHash } from 'node:crypto';
import type { RemoteFileInput, RemoteFileOutput } from '@yunxun/contract/remote-terminal';
import WebSocket from 'ws';
import { eventually } from '../../../../../../tools/eventually.ts';
import type { TestServer } from '../../../../test/server.ts';

const pieceBytes = 30 * 1024;

/** A page for the files of a session. */
export class FilesPage {
  readonly socket: WebSocket;
  readonly outputs: RemoteFileOutput[] = [];
  closed: number | null = null;
  bytes = 0;
  #hash = createHash('sha256');

  private constructor(socket: WebSocket) {
    this.socket = socket;
    socket.on('message', (data: Buffer, isBinary) => {
      if (!isBinary) return void this.outputs.push(JSON.parse(data.toString()));
      this.bytes += data.length;
      this.#hash.update(data);
    });
    socket.on('close', (code) => {
      this.closed = code;
    });
  }

  static async open(server: TestServer, id: string, proof: object): Promise<FilesPage> {
    const socket = new WebSocket(`${server.url.replace('http', 'ws')}/api/v3/remote/terminal?session=${id}`);
    const page = new FilesPage(socket);
    await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
    socket.send(JSON.stringify({ cols: 80, rows: 24, files: true, ...proof }));
    await page.hears('ready', 'failed');
    return page;
  }

  say(input: RemoteFileInput): void {
    this.outputs.length = 0;
    this.bytes = 0;
    this.#hash = createHash('sha256');
    this.socket.send(JSON.stringify(input));
  }

  async hears(...types: RemoteFileOutput['type'][]): Promise<RemoteFileOutput> {
    return eventually(async () => {
      const found = this.outputs.find(({ type }) => types.includes(type));
      if (!found) throw new Error(`not heard: ${types}; but ${JSON.stringify(this.outputs)}`);
      return found;
    });
  }

  /** Returns how it ended. */
  async asks(input: RemoteFileInput): Promise<RemoteFileOutput> {
    this.say(input);
    return this.hears('list', 'done', 'failed');
  }

  /** SHA-256 of the bytes of the last action. */
  hash(): string {
    return this.#hash.copy().digest('hex');
  }

  async starts(path: string, size: number, replace = false): Promise<RemoteFileOutput> {
    this.say({ type: 'write', path, size, replace });
    return this.hears('writing', 'failed');
  }

  send(bytes: Buffer): void {
    for (let at = 0; at < bytes.length; at += pieceBytes) this.socket.send(bytes.subarray(at, at + pieceBytes));
  }

  async writes(path: string, bytes: Buffer, replace = false): Promise<RemoteFileOutput> {
    const answer = await this.starts(path, bytes.length, replace);
    if (answer.type === 'failed') return answer;
    this.send(bytes);
    return this.hears('done', 'failed');
  }

  async leaves(): Promise<void> {
    await eventually(async () => {
      if (this.closed === null) throw new Error('still open');
    });
  }
}

export const hashOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
