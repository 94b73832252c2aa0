import { Duplex } from 'node:stream';
import { readRemoteSize } from '@yunxun/contract/device';
import type { SimulatedShell } from './shell.ts';

/** RFC 854, 857, 858, 1073. */
const codes = { end: 240, begin: 250, will: 251, wont: 252, do: 253, dont: 254, iac: 255 } as const;
const options = { echo: 1, suppressGoAhead: 3, windowSize: 31 } as const;

/** Telnet server of a simulated camera: it echoes, and asks for the window's size. */
export class SimulatedTelnet extends Duplex {
  readonly #shell: SimulatedShell;
  #negotiation: number[] = [];

  constructor(shell: SimulatedShell) {
    super();
    this.#shell = shell;
    const { iac, will } = codes;
    this.push(Buffer.from([iac, will, options.echo, iac, will, options.suppressGoAhead]));
    this.push(Buffer.from([iac, codes.do, options.windowSize]));
    shell.on('data', (part: Buffer) => this.push(escaped(part)));
    shell.once('end', () => this.push(null));
  }

  override _read(): void {}

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    const keys: number[] = [];
    for (const byte of chunk) {
      if (this.#negotiation.length > 0 || byte === codes.iac) this.#negotiate(byte, keys);
      // RFC 854: NUL follows a carriage return
      else if (byte !== 0) keys.push(byte);
    }
    if (keys.length > 0) this.#shell.write(Buffer.from(keys));
    done();
  }

  override _final(done: () => void): void {
    this.#shell.end();
    done();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#shell.destroy();
    done(error);
  }

  #negotiate(byte: number, keys: number[]): void {
    const command = [...this.#negotiation, byte];
    this.#negotiation = command;
    const [, verb] = command;
    if (verb === undefined) return;
    if (verb === codes.iac) keys.push(codes.iac);
    else if (verb === codes.begin) {
      const isOver = command.at(-1) === codes.end && command.at(-2) === codes.iac;
      if (!isOver && command.length < 64) return;
      this.#resize(command);
    } else if (verb >= codes.will && command.length < 3) return;
    this.#negotiation = [];
  }

  #resize([, , option, ...rest]: readonly number[]): void {
    const bytes = rest.slice(0, -2).filter((byte, at) => byte !== codes.iac || rest[at + 1] !== codes.iac);
    if (option !== options.windowSize || bytes.length !== 4) return;
    const size = readRemoteSize(bytes[0]! * 256 + bytes[1]!, bytes[2]! * 256 + bytes[3]!);
    if (size !== null) this.#shell.resize(size);
  }
}

function escaped(part: Buffer): Buffer {
  return Buffer.from([...part].flatMap((byte) => (byte === codes.iac ? [byte, byte] : [byte])));
}
