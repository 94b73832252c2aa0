import { Duplex } from 'node:stream';
import type { RemoteSize } from '@yunxun/contract/device';
import type { Terminal } from './device-link.ts';

/** RFC 854. */
const command = { end: 240, begin: 250, will: 251, wont: 252, do: 253, dont: 254, escape: 255 } as const;
/** RFC 857, RFC 858, RFC 1091, RFC 1073. */
const option = { echo: 1, suppress: 3, type: 24, size: 31 } as const;
const terminalType = 'xterm-256color';
/** Bytes of a sub-negotiation; longer ones are cut. */
const maxPart = 64;

type State = 'data' | 'return' | 'command' | 'option' | 'part' | 'partCommand';

/** Telnet over a connection: a terminal that the other side echoes and sizes. */
export function telnetTerminal(socket: Duplex, first: RemoteSize): Terminal {
  let size = first;
  let state: State = 'data';
  let verb = 0;
  let part: number[] = [];
  let sized = false;
  const ours = new Set<number>();
  const theirs = new Set<number>();
  const say = (...bytes: number[]) => socket.write(Buffer.from(bytes));
  const sendSize = () => {
    if (!sized) return;
    const { columns, rows } = size;
    const numbers = [columns >> 8, columns & 255, rows >> 8, rows & 255];
    const escaped = numbers.flatMap((byte) => (byte === command.escape ? [byte, byte] : [byte]));
    say(command.escape, command.begin, option.size, ...escaped, command.escape, command.end);
  };
  const stream = new Duplex({
    read: () => socket.resume(),
    write(chunk: Buffer, _encoding, done) {
      socket.write(escapeTyped(chunk), (error) => done(error));
    },
    final(done) {
      socket.end(() => done());
    },
    destroy(error, done) {
      socket.destroy();
      done(error);
    },
  });

  /** Answers a change of state only: an answer to an answer would go on for ever (RFC 854). */
  function agree(wanted: number): void {
    if (verb === command.do || verb === command.dont) {
      const isOn = verb === command.do && (wanted === option.size || wanted === option.type);
      if (isOn !== ours.has(wanted) || (verb === command.do && !isOn)) {
        say(command.escape, isOn ? command.will : command.wont, wanted);
      }
      if (isOn) ours.add(wanted);
      else ours.delete(wanted);
      if (wanted !== option.size) return;
      sized = isOn;
      sendSize();
      return;
    }
    const isOn = verb === command.will && (wanted === option.echo || wanted === option.suppress);
    if (isOn !== theirs.has(wanted) || (verb === command.will && !isOn)) {
      say(command.escape, isOn ? command.do : command.dont, wanted);
    }
    if (isOn) theirs.add(wanted);
    else theirs.delete(wanted);
  }

  function answerPart(): void {
    if (part[0] !== option.type || part[1] !== 1) return;
    say(command.escape, command.begin, option.type, 0, ...Buffer.from(terminalType), command.escape, command.end);
  }

  function read(byte: number, shown: number[]): void {
    switch (state) {
      case 'return':
        state = 'data';
        if (byte !== 0) read(byte, shown);
        return;
      case 'data':
        if (byte === command.escape) state = 'command';
        else shown.push(byte);
        if (byte === 13) state = 'return';
        return;
      case 'command':
        if (byte === command.escape) shown.push(byte);
        state = byte === command.begin ? 'part' : byte >= command.will && byte <= command.dont ? 'option' : 'data';
        verb = byte;
        part = [];
        return;
      case 'option':
        state = 'data';
        agree(byte);
        return;
      case 'part':
        if (byte === command.escape) state = 'partCommand';
        else if (part.length < maxPart) part.push(byte);
        return;
      case 'partCommand':
        state = byte === command.end ? 'data' : 'part';
        if (byte === command.end) answerPart();
        return;
    }
  }

  socket.on('data', (chunk: Buffer) => {
    const shown: number[] = [];
    for (const byte of chunk) read(byte, shown);
    if (shown.length > 0 && !stream.push(Buffer.from(shown))) socket.pause();
  });
  socket.on('error', (error) => stream.destroy(error));
  socket.once('end', () => stream.push(null));
  socket.once('close', () => stream.destroy());
  return {
    stream,
    resize(next) {
      size = next;
      sendSize();
    },
  };
}

/** Doubles the escape byte, and sends a return as RFC 854 asks. */
function escapeTyped(chunk: Buffer): Buffer {
  return Buffer.from(
    [...chunk].flatMap((byte) =>
      byte === command.escape ? [byte, byte] : byte === 13 ? [13, 0] : [byte],
    ),
  );
}
