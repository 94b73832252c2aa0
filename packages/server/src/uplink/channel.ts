import { changingMethods, isControllerMethod, nextId, silentMethods } from '@yunxun/contract/device';
import { CommandError } from './command-error.ts';
import { type DeviceProfile, encodeCommand } from './frame.ts';

export interface ChannelOptions {
  serial: string;
  profile(): DeviceProfile;
  send(frame: string): void;
  /** Handles a repeated, late or unknown reply. */
  unexpected(id: number): void;
}

export type CommandResult = Readonly<Record<string, unknown>>;

interface Call {
  method: string;
  params: Readonly<Record<string, unknown>>;
  id: number | null;
  timer: NodeJS.Timeout;
  settle(outcome: { result: CommandResult } | { error: CommandError }): void;
}

const rangeSize = 65_536;
const sessionRanges = 32_768;
/** Queued changes. */
const maxWaiting = 32;

/**
 * Runs one change at a time; reads bypass the queue. Time-outs include queueing: nothing is sent after the caller gave
 * up.
 */
export class CommandChannel {
  readonly #options: ChannelOptions;
  readonly #pending = new Map<number, Call>();
  readonly #queue: Call[] = [];
  #changing: Call | null = null;
  #lastId = 0;
  #closed = false;

  constructor(options: ChannelOptions) {
    this.#options = options;
  }

  /** Gives each session its own range: late replies match no command. */
  numberFrom(epoch: number): void {
    this.#lastId = ((epoch - 1) % sessionRanges) * rangeSize;
  }

  /** @throws CommandError */
  call(method: string, params: Readonly<Record<string, unknown>>, timeoutMs: number): Promise<CommandResult> {
    return new Promise((resolve, reject) => {
      if (this.#closed) return reject(gone(false));
      if (!isControllerMethod(method))
        return reject(new CommandError('BAD_COMMAND', `no such command: ${method}`, { sent: false }));
      const changes = changingMethods.has(method);
      if (changes && this.#queue.length >= maxWaiting) {
        return reject(new CommandError('DEVICE_BUSY', 'too many changes wait for the device', { sent: false }));
      }
      const call: Call = {
        method,
        params,
        id: null,
        timer: setTimeout(() => this.#timeOut(call, timeoutMs), timeoutMs),
        settle: (outcome) => {
          clearTimeout(call.timer);
          if (call.id !== null) this.#pending.delete(call.id);
          if ('error' in outcome) reject(outcome.error);
          else resolve(outcome.result);
          if (this.#changing === call) {
            this.#changing = null;
            this.#next();
          }
        },
      };
      if (!changes) return this.#send(call);
      this.#queue.push(call);
      this.#next();
    });
  }

  /** Needs no reply; lost if the session has ended. */
  notify(method: string, params: Readonly<Record<string, unknown>>): void {
    const { send, serial } = this.#options;
    if (!this.#closed) send(JSON.stringify({ jsonrpc: '2.0', method, params: { ...params, serial } }));
  }

  reply(id: number, outcome: { result: CommandResult } | { refused: { code: number; message: string } }): void {
    const call = this.#pending.get(id);
    if (!call) this.#options.unexpected(id);
    else if ('result' in outcome) call.settle(outcome);
    else {
      const { code, message } = outcome.refused;
      call.settle({ error: new CommandError('DEVICE_REFUSED', message, { sent: true, code }) });
    }
  }

  close(): void {
    this.#closed = true;
    for (const call of this.#queue.splice(0)) call.settle({ error: gone(false) });
    for (const call of Array.from(this.#pending.values())) call.settle({ error: gone(true) });
  }

  #next(): void {
    if (this.#changing || this.#closed) return;
    const call = this.#queue.shift();
    if (!call) return;
    this.#changing = call;
    this.#send(call);
  }

  #send(call: Call): void {
    const id = nextId(this.#lastId);
    let frame: string;
    try {
      frame = encodeCommand(this.#options.serial, this.#options.profile(), call.method, call.params, id);
    } catch (error) {
      call.settle({ error: error as CommandError });
      return;
    }
    this.#lastId = id;
    call.id = id;
    this.#pending.set(id, call);
    this.#options.send(frame);
    if (isControllerMethod(call.method) && silentMethods.has(call.method)) call.settle({ result: {} });
  }

  #timeOut(call: Call, timeoutMs: number): void {
    const waiting = this.#queue.indexOf(call);
    if (waiting >= 0) this.#queue.splice(waiting, 1);
    const sent = call.id !== null;
    const words = sent ? `no answer to ${call.method}` : `${call.method} had to wait behind other changes`;
    call.settle({ error: new CommandError('DEVICE_TIMEOUT', `${words} for ${timeoutMs} ms`, { sent }) });
  }
}

function gone(sent: boolean): CommandError {
  return new CommandError('DEVICE_GONE', 'the connection ended', { sent });
}
