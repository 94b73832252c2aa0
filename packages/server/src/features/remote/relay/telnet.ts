import { Duplex } from 'node:stream';
import type { RemoteSize } from '@yunxun/contract/device';
import type { Terminal } from './device-link.ts';

/** RFC 854. */
const command = { end: 240, begin: 250, will: 251, wont: 252, do: 253, dont: 254, escape: 255 } as const;
/** RFC 857, RFC 858, RFC 1091, RFC 1073. */
const option = { echo: 1, suppress: 3, type: 24, size: 31 } as const;
const terminalType = 'xterm-256color';
const maxPart = 64;
/** Bytes. A host that asks without end, and reads nothing, is left. */
const maxUnsent = 256 * 1024;

type State = 'data' | 'return' | 'command' | 'option' | 'part' | 'partCommand';

export function telnetTerminal(socket: Duplex, first: RemoteSize): Terminal {
  const stream = new Duplex({
    read: () => socket.resume(),
    write(chunk: Buffer, _encoding, done) {
      if (socket.writable) socket.write(escapeTyped(chunk), () => done());
      else done();
    },
    final(done) {
      socket.end(() => done());
    },
    destroy(error, done) {
      socket.destroy();
      done(error);
    },
  });
  const reader = new TelnetReader((bytes) => {
    if (socket.writableLength > maxUnsent) socket.destroy();
    else socket.write(Buffer.from(bytes));
  }, first);
  socket.on('data', (chunk: Buffer) => {
    const shown = reader.read(chunk);
    if (shown.length > 0 && !stream.push(shown)) socket.pause();
  });
  socket.on('error', (error) => stream.destroy(error));
  // the end stays behind the output that the page has not taken
  let isOver = false;
  const over = () => {
    if (!isOver) stream.push(null);
    isOver = true;
  };
  socket.once('end', over).once('close', over);
  return { stream, resize: (size) => reader.resize(size) };
}

class TelnetReader {
  readonly #say: (bytes: readonly number[]) => void;
  #size: RemoteSize;
  #state: State = 'data';
  #verb = 0;
  #part: number[] = [];
  #isSized = false;
  readonly #ours = new Set<number>();
  readonly #theirs = new Set<number>();

  constructor(say: (bytes: readonly number[]) => void, size: RemoteSize) {
    this.#say = say;
    this.#size = size;
  }

  resize(size: RemoteSize): void {
    this.#size = size;
    this.#sendSize();
  }

  read(chunk: Buffer): Buffer {
    const shown: number[] = [];
    for (const byte of chunk) this.#take(byte, shown);
    return Buffer.from(shown);
  }

  #take(byte: number, shown: number[]): void {
    switch (this.#state) {
      case 'return':
        this.#state = 'data';
        if (byte !== 0) this.#take(byte, shown);
        return;
      case 'data':
        if (byte === command.escape) this.#state = 'command';
        else shown.push(byte);
        if (byte === 13) this.#state = 'return';
        return;
      case 'command':
        if (byte === command.escape) shown.push(byte);
        this.#state =
          byte === command.begin ? 'part' : byte >= command.will && byte <= command.dont ? 'option' : 'data';
        this.#verb = byte;
        this.#part = [];
        return;
      case 'option':
        this.#state = 'data';
        this.#agree(byte);
        return;
      case 'part':
        if (byte === command.escape) this.#state = 'partCommand';
        else if (this.#part.length < maxPart) this.#part.push(byte);
        return;
      case 'partCommand':
        this.#state = byte === command.end ? 'data' : 'part';
        if (byte === command.end) this.#answerPart();
        return;
    }
  }

  #agree(wanted: number): void {
    const asksUs = this.#verb === command.do || this.#verb === command.dont;
    if (!asksUs) {
      const isOn = this.#verb === command.will && (wanted === option.echo || wanted === option.suppress);
      this.#settle(this.#theirs, wanted, isOn, [command.do, command.dont], this.#verb === command.will);
      return;
    }
    const isOn = this.#verb === command.do && (wanted === option.size || wanted === option.type);
    this.#settle(this.#ours, wanted, isOn, [command.will, command.wont], this.#verb === command.do);
    if (wanted !== option.size) return;
    this.#isSized = isOn;
    this.#sendSize();
  }

  /** Answers a change of state only: an answer to an answer would go on for ever (RFC 854). */
  #settle(
    on: Set<number>,
    wanted: number,
    isOn: boolean,
    [yes, no]: readonly [number, number],
    isAsked: boolean,
  ): void {
    if (isOn !== on.has(wanted) || (isAsked && !isOn)) this.#say([command.escape, isOn ? yes : no, wanted]);
    if (isOn) on.add(wanted);
    else on.delete(wanted);
  }

  #answerPart(): void {
    const [of, verb] = this.#part;
    if (of !== option.type || verb !== 1) return;
    this.#say([
      command.escape,
      command.begin,
      option.type,
      0,
      ...Buffer.from(terminalType),
      command.escape,
      command.end,
    ]);
  }

  #sendSize(): void {
    if (!this.#isSized) return;
    const { columns, rows } = this.#size;
    const numbers = [columns >> 8, columns & 255, rows >> 8, rows & 255];
    const escaped = numbers.flatMap((byte) => (byte === command.escape ? [byte, byte] : [byte]));
    this.#say([command.escape, command.begin, option.size, ...escaped, command.escape, command.end]);
  }
}

/** Doubles the escape byte, and sends a return as RFC 854 asks. */
function escapeTyped(chunk: Buffer): Buffer {
  return Buffer.from(
    [...chunk].flatMap((byte) => (byte === command.escape ? [byte, byte] : byte === 13 ? [13, 0] : [byte])),
  );
}
