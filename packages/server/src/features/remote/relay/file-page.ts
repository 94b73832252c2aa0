import { asRecord, remoteLimits } from '@yunxun/contract/device';
import type { RemoteFileInput, RemoteFileOutput } from '@yunxun/contract/remote-terminal';
import { type Channel, isFull } from './channel.ts';
import { FileAction } from './file-action.ts';
import { FileRefused, isPath, type RemoteFiles } from './files.ts';
import type { FileEntry, Grant } from './holding.ts';

/** What a page for files needs of its session. */
export interface FilesOf {
  /** Null until the terminal is open, and for one without files. */
  files(): RemoteFiles | null;
  log(grant: Grant, entry: FileEntry): Promise<void>;
  moved(up: number, down: number): void;
}

type Asked<T extends RemoteFileInput['type']> = Extract<RemoteFileInput, { type: T }>;

/** Serves the files of a session to one page. */
export class FilePage {
  readonly grant: Grant;
  readonly #channel: Channel;
  readonly #of: FilesOf;
  readonly #files: RemoteFiles;
  #action: FileAction | null = null;
  #isOver = false;
  /** Resolves once the device has cleared what was broken off. */
  #clearing: Promise<unknown> | null = null;

  constructor(channel: Channel, grant: Grant, of: FilesOf, files: RemoteFiles, closed: () => void) {
    this.grant = grant;
    this.#channel = channel;
    this.#of = of;
    this.#files = files;
    channel.listen({
      message: (data) => this.#hear(data),
      drain: () => this.#action?.goOn?.(),
      close: () => {
        this.#action?.end(new FileRefused('ended'));
        closed();
      },
    });
    this.#say({ type: 'ready' });
  }

  /** @returns what the device still has to clear, if any */
  end(): Promise<unknown> | null {
    this.#isOver = true;
    if (this.#action) this.#action.end(new FileRefused('ended'));
    else this.#say(failed(new FileRefused('ended')));
    this.#channel.close();
    return this.#clearing;
  }

  #hear(data: Buffer | string): void {
    if (this.#isOver) return;
    const action = this.#action;
    if (typeof data !== 'string') {
      // without an action: of a write that has failed meanwhile
      if (action?.feed) action.feed(data);
      else action?.end(new FileRefused('failed', 'bytes without a write'));
      return;
    }
    const input = readInput(data);
    if (input?.type === 'cancel') return void action?.end(new FileRefused('cancelled'));
    if (action) return void action.end(new FileRefused('failed', 'one action at a time'));
    this.#start(input);
  }

  #start(input: RemoteFileInput | null): void {
    let output: RemoteFileOutput = { type: 'done' };
    const action = new FileAction(
      () => this.#channel.unsent,
      (error) => {
        this.#action = null;
        this.#channel.resume();
        this.#say(error ? failed(error) : output);
      },
    );
    this.#action = action;
    const work = async () => {
      this.#of.moved(0, 0);
      if (input?.type === 'read') await this.#read(action, input);
      else if (input?.type === 'write') await this.#write(action, input);
      else if (input?.type === 'list') output = { type: 'list', ...(await this.#files.list(input.path)) };
      else throw new FileRefused('failed', 'unknown action');
    };
    work().then(
      () => action.end(),
      (error: unknown) => action.end(error),
    );
  }

  async #read(action: FileAction, { path }: Asked<'read'>): Promise<void> {
    const { name, size, stream } = await this.#files.read(path);
    stream.on('error', () => undefined);
    action.onEnd(() => stream.destroy());
    if (action.isOver) return;
    await this.#of.log(this.grant, { way: 'read', path, bytes: size });
    if (action.isOver) return;
    this.#say({ type: 'reading', name, size });
    let left = size;
    await new Promise<void>((resolve, reject) => {
      stream.on('data', (chunk: Buffer) => {
        left -= chunk.length;
        if (left < 0) return void reject(new FileRefused('changed'));
        this.#of.moved(0, chunk.length);
        this.#channel.send(chunk);
        action.moved();
        if (isFull(this.#channel)) stream.pause();
      });
      action.goOn = () => {
        action.moved();
        stream.resume();
      };
      stream.once('end', () => (left === 0 ? resolve() : reject(new FileRefused('changed'))));
      stream.once('error', reject);
      stream.once('close', () => reject(new FileRefused('failed', 'the connection ended')));
    });
  }

  async #write(action: FileAction, { path, size, replace }: Asked<'write'>): Promise<void> {
    if (size > remoteLimits.fileBytes) throw new FileRefused('too_large');
    const { stream, kept, pending } = await this.#files.write(path, size, replace);
    stream.on('error', () => undefined);
    this.#clearWith(kept);
    action.onEnd(() => stream.destroy());
    if (action.isOver) return;
    await this.#of.log(this.grant, { way: 'write', path, bytes: size });
    if (action.isOver) return;
    action.watch(pending);
    this.#say({ type: 'writing' });
    let left = size;
    if (left === 0) stream.end();
    stream.on('drain', () => {
      action.moved();
      if (!action.isOver) this.#channel.resume();
    });
    action.feed = (data) => {
      left -= data.length;
      if (left < 0) return action.end(new FileRefused('failed', 'more bytes than announced'));
      this.#of.moved(data.length, 0);
      action.moved();
      if (!stream.write(data)) this.#channel.pause();
      if (left === 0) stream.end();
    };
    await kept;
  }

  #clearWith(kept: Promise<void>): void {
    const clearing: Promise<void> = kept
      .catch(() => undefined)
      .then(() => {
        if (this.#clearing === clearing) this.#clearing = null;
      });
    this.#clearing = clearing;
  }

  #say(output: RemoteFileOutput): void {
    this.#channel.send(JSON.stringify(output));
  }
}

export function failed(error: unknown): RemoteFileOutput {
  const { reason, detail } = error instanceof FileRefused ? error : new FileRefused('failed');
  return { type: 'failed', reason, detail };
}

function readInput(text: string): RemoteFileInput | null {
  const { type, path, size, replace } = asRecord<Record<'type' | 'path' | 'size' | 'replace', unknown>>(parsed(text));
  if (type === 'cancel') return { type };
  if (type === 'list' && (path === '' || isPath(path))) return { type, path };
  if (!isPath(path) || path.endsWith('/')) return null;
  if (type === 'read') return { type, path };
  if (type !== 'write' || !Number.isSafeInteger(size) || (size as number) < 0) return null;
  return { type, path, size: size as number, replace: replace === true };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
