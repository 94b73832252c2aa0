import type { RemoteEndReason } from '@yunxun/contract';
import { asRecord, type RemoteSize, readRemoteSize, remoteLimits } from '@yunxun/contract/device';
import type { RemoteInput, RemoteOutput } from '@yunxun/contract/remote-terminal';
import { type Channel, isFull } from './channel.ts';
import type { DeviceLink, Terminal } from './device-link.ts';
import { FilePages } from './file-pages.ts';
import type { Grant, Held, Holding } from './holding.ts';
import type { Recorder } from './recorder.ts';
import { Replay } from './replay.ts';

export interface Dialogue {
  say(output: RemoteOutput): void;
  /** Resolves with the next text of that type. @throws when the session ends */
  ask<T extends Answer>(output: RemoteOutput, type: T): Promise<Extract<RemoteInput, { type: T }>>;
}

type Answer = 'login' | 'answers' | 'trusted';

export type Start = (link: DeviceLink, size: RemoteSize, dialogue: Dialogue) => Promise<Terminal>;

export class SessionRefused extends Error {
  override readonly name = 'SessionRefused';

  constructor(
    readonly reason: RemoteEndReason,
    readonly detail: string | null = null,
  ) {
    super(reason);
  }
}

/** Milliseconds. */
const resizeEvery = 100;

/** Joins the connection of a device with the page that looks at it, and outlives that page for a minute. */
export class HeldSession implements Holding {
  readonly held: Held;
  readonly filePages: FilePages;
  readonly #begin: Start;
  grant: Grant | null = null;
  bytesUp = 0;
  bytesDown = 0;
  #page: Channel | null = null;
  #terminal: Terminal | null = null;
  #started = false;
  #over = false;
  /** By the page, which draws slower than it receives. */
  #onHold = false;
  #size: RemoteSize = { columns: 80, rows: 24 };
  #question: {
    output: RemoteOutput;
    type: string;
    answer(input: never): void;
    fail(error: Error): void;
  } | null = null;
  /** Repeated to a page that returns. */
  #signedIn: RemoteOutput | null = null;
  /** Null: a later page could not read on. */
  readonly #replay: Replay | null;
  readonly #recorder: Recorder | null;
  readonly #until: Date;
  readonly #hard: NodeJS.Timeout;
  #idle: NodeJS.Timeout | undefined;
  #left: NodeJS.Timeout | undefined;
  #sizing: NodeJS.Timeout | undefined;

  constructor(held: Held, begin: Start, now: Date, recorder: Recorder | null = null) {
    this.held = held;
    this.#begin = begin;
    this.#replay = held.kind === 'vnc' ? null : new Replay();
    this.#recorder = recorder;
    recorder?.listen({ drain: () => this.#flow(), fail: () => this.end('not_recorded') });
    this.#until = new Date(now.getTime() + remoteLimits.hard);
    this.#hard = setTimeout(() => this.end('too_long'), remoteLimits.hard);
    this.filePages = new FilePages({
      files: () => (this.#over ? null : (this.#terminal?.files ?? null)),
      log: held.logFile,
      moved: (up, down) => {
        this.bytesUp += up;
        this.bytesDown += down;
        this.#typed();
      },
    });
    this.#waitForPage();
  }

  attach(page: Channel, grant: Grant | null, size: RemoteSize): void {
    if (this.#over) return void page.close();
    if (this.#started && !this.#replay) {
      page.send(JSON.stringify({ type: 'replaced' } satisfies RemoteOutput));
      return void page.close();
    }
    this.#say({ type: 'replaced' });
    this.#page?.close();
    this.#page = page;
    this.grant = grant;
    this.#hold(false);
    clearTimeout(this.#left);
    this.#typed();
    page.listen({
      message: (data) => {
        if (this.#page !== page) return;
        if (typeof data === 'string') this.#hear(data);
        else this.#type(data);
      },
      drain: () => this.#flow(),
      close: () => {
        if (this.#page !== page) return;
        this.#page = null;
        if (!this.#replay) return this.end('left');
        this.#hold(false);
        this.#waitForPage();
      },
    });
    this.#say({
      type: 'state',
      state: 'open',
      until: this.#until.toISOString(),
      recorded: this.#recorder?.isOn === true,
    });
    const past = this.#replay?.read();
    if (past && past.length > 0) page.send(past);
    if (this.#signedIn) this.#say(this.#signedIn);
    if (this.#question) this.#say(this.#question.output);
    this.#resize(size);
    if (!this.#started) void this.#start();
  }

  end(reason: RemoteEndReason, detail: string | null = null): void {
    if (this.#over) return;
    this.#over = true;
    for (const timer of [this.#hard, this.#idle, this.#left, this.#sizing]) clearTimeout(timer);
    this.#question?.fail(new SessionRefused(reason));
    this.#say({ type: 'end', reason, detail });
    this.#page?.close();
    this.#page = null;
    this.#recorder?.close();
    const close = () => {
      this.#terminal?.stream.destroy();
      this.held.link.close();
    };
    const clearing = this.filePages.end();
    if (clearing) void clearing.then(close, close);
    else close();
    this.held.ended(this, reason, detail);
  }

  async #start(): Promise<void> {
    this.#started = true;
    const dialogue: Dialogue = {
      say: (output) => {
        if (output.type === 'signed_in') this.#signedIn = output;
        this.#say(output);
      },
      ask: (output, type) => this.#ask(output, type),
    };
    try {
      const terminal = await this.#begin(this.held.link, this.#size, dialogue);
      if (this.#over) return void terminal.stream.destroy();
      this.#terminal = terminal;
      terminal.stream.on('data', (chunk: Buffer) => this.#show(chunk));
      terminal.stream.on('error', () => this.end('closed'));
      terminal.stream.once('end', () => this.end('closed'));
      terminal.stream.once('close', () => this.end('closed'));
      terminal.stream.on('drain', () => this.#page?.resume());
      terminal.onFileRefused?.(() => this.#say({ type: 'file_refused' }));
      terminal.resize(this.#size);
      this.#recorder?.resized(this.#size);
      if (terminal.stream.destroyed) this.end('closed');
    } catch (error) {
      if (error instanceof SessionRefused) this.end(error.reason, error.detail);
      else this.end('unreachable', (error as Error).message.slice(0, 200));
    }
  }

  #show(chunk: Buffer): void {
    this.bytesDown += chunk.length;
    this.#replay?.add(chunk);
    this.#recorder?.output(chunk);
    this.#page?.send(chunk);
    if (this.#isBehind()) this.#flow();
  }

  #type(data: Buffer): void {
    // pages of screens ask for pictures all the time
    if (this.#replay) this.#typed();
    if (!this.#terminal?.stream.writable) return;
    this.bytesUp += data.length;
    if (!this.#terminal.stream.write(data)) this.#page?.pause();
  }

  #hear(text: string): void {
    const input = asRecord<{ type: string; cols: unknown; rows: unknown; on: unknown }>(parsed(text));
    if (input.type === 'hold') return void this.#hold(input.on === true);
    if (input.type === 'size') {
      const size = readRemoteSize(input.cols, input.rows);
      if (size) this.#resize(size);
      return;
    }
    if (input.type === 'end') return void this.end('by_person');
    this.#typed();
    const question = this.#question;
    if (!question || question.type !== input.type || !isAnswer(input)) return;
    this.#question = null;
    question.answer(input as never);
  }

  #ask<T extends Answer>(output: RemoteOutput, type: T) {
    return new Promise<Extract<RemoteInput, { type: T }>>((answer, fail) => {
      this.#question = { output, type, answer, fail };
      this.#say(output);
    });
  }

  #say(output: RemoteOutput): void {
    this.#page?.send(JSON.stringify(output));
  }

  /** A window that a person drags has a new size with each movement: the device gets the last one. */
  #resize(size: RemoteSize): void {
    this.#size = size;
    if (this.#sizing) return;
    if (this.#terminal) this.#recorder?.resized(size);
    this.#terminal?.resize(size);
    this.#sizing = setTimeout(() => {
      this.#sizing = undefined;
      if (this.#size !== size) this.#resize(this.#size);
    }, resizeEvery);
  }

  #hold(on: boolean): void {
    this.#onHold = on;
    this.#flow();
  }

  #flow(): void {
    const stream = this.#terminal?.stream;
    if (this.#onHold || this.#isBehind()) stream?.pause();
    else stream?.resume();
  }

  #isBehind(): boolean {
    return (this.#page !== null && isFull(this.#page)) || this.#recorder?.isFull === true;
  }

  #typed(): void {
    if (this.#over) return;
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => this.end('idle'), remoteLimits.idle);
  }

  #waitForPage(): void {
    clearTimeout(this.#left);
    this.#left = setTimeout(() => this.end('left'), remoteLimits.withoutPage);
  }
}

const maxText = 1024;

const isText = (value: unknown) => typeof value === 'string' && value.length <= maxText;

function isAnswer(input: unknown): boolean {
  const { type, user, password, answers } = asRecord<Record<string, unknown>>(input);
  if (type === 'login') return isText(user) && isText(password);
  if (type === 'trusted') return true;
  return type === 'answers' && Array.isArray(answers) && answers.length <= 16 && answers.every(isText);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
