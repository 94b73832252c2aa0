import { Duplex } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import {
  type RemoteSize,
  type RttyFromDevice,
  readRttyFromDevice,
  rttyLimits,
  rttyServer,
  splitRtty,
} from '@yunxun/contract/device';
import { type DeviceLink, type Terminal, Unreachable } from './device-link.ts';

/** Milliseconds without a frame until the device counts as gone; it sends a heartbeat every 5 s. */
const silence = 20_000;
const loginWait = 10_000;

type Heard = (message: RttyFromDevice) => void;

/** Reads frames of a device; a malformed one, or one that was not asked for, ends the connection. */
export class RttyConnection {
  readonly socket: TLSSocket;
  #rest: Uint8Array = new Uint8Array();
  #hear: Heard;
  #heardAt = Date.now();
  #paused = false;

  constructor(socket: TLSSocket, hear: Heard) {
    this.socket = socket;
    this.#hear = hear;
    socket.on('error', () => socket.destroy());
    socket.on('data', (chunk: Buffer) => this.#read(chunk));
    const beat = setInterval(() => {
      if (!this.#paused && Date.now() - this.#heardAt > silence) socket.destroy();
      else this.send(rttyServer.heartbeat());
    }, rttyLimits.heartbeat);
    beat.unref();
    socket.once('close', () => clearInterval(beat));
  }

  handOver(hear: Heard): void {
    this.#hear = hear;
  }

  send(frames: Uint8Array, sent?: () => void): void {
    if (this.socket.destroyed || this.socket.writableEnded) sent?.();
    else this.socket.write(frames, () => sent?.());
  }

  pause(): void {
    this.#paused = true;
    this.socket.pause();
  }

  resume(): void {
    if (!this.#paused) return;
    this.#paused = false;
    this.#heardAt = Date.now();
    this.socket.resume();
  }

  #read(chunk: Buffer): void {
    this.#heardAt = Date.now();
    const split = splitRtty(this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]));
    if (split === null) return void this.socket.destroy();
    this.#rest = split.rest;
    for (const frame of split.frames) {
      const message = readRttyFromDevice(frame);
      if (message === null || message.type === 'other') return void this.socket.destroy();
      if (message.type !== 'heartbeat') this.#hear(message);
    }
  }
}

export function rttyLink(connection: RttyConnection): DeviceLink {
  const { socket } = connection;
  connection.handOver(() => socket.destroy());
  return {
    async openShell(size) {
      let refused = (): void => undefined;
      const { sid, stream } = await login(connection, () => refused());
      const resize = ({ columns, rows }: RemoteSize) => connection.send(rttyServer.size(sid, columns, rows));
      resize(size);
      return {
        stream,
        resize,
        onFileRefused(handle) {
          refused = handle;
        },
      } satisfies Terminal;
    },
    connect: () => Promise.reject(new Unreachable('an access point forwards no connections')),
    onClose(handle) {
      if (socket.destroyed) handle();
      else socket.once('close', handle);
    },
    close: () => socket.destroySoon(),
  };
}

function login(connection: RttyConnection, fileRefused: () => void): Promise<{ sid: number; stream: Duplex }> {
  return new Promise((resolve, reject) => {
    const fail = (reason: string) => {
      clearTimeout(timer);
      reject(new Unreachable(reason));
    };
    const timer = setTimeout(() => fail('no terminal'), loginWait);
    connection.socket.once('close', () => fail('the connection ended'));
    connection.handOver((message) => {
      if (message.type !== 'login') return void connection.socket.destroy();
      if (message.sid === null) return fail('the device opens no more terminals');
      clearTimeout(timer);
      // at once: the prompt may follow in the same chunk
      resolve({ sid: message.sid, stream: terminalStream(connection, message.sid, fileRefused) });
    });
    connection.send(rttyServer.login());
  });
}

function terminalStream(connection: RttyConnection, sid: number, fileRefused: () => void): Duplex {
  const { socket } = connection;
  const stream = new Duplex({
    read: () => connection.resume(),
    write: (chunk: Buffer, _encoding, done) => connection.send(rttyServer.data(sid, chunk), () => done()),
    final(done) {
      connection.send(rttyServer.logout(sid), () => done());
    },
    destroy(error, done) {
      socket.destroy();
      done(error);
    },
  });
  connection.handOver((message) => {
    if (message.type === 'data' && message.sid === sid) {
      if (!stream.push(Buffer.from(message.data))) connection.pause();
    } else if (message.type === 'logout' && message.sid === sid) {
      connection.handOver(() => socket.destroy());
      stream.push(null);
    } else if (message.type === 'file' && message.sid === sid) {
      if (message.step === 'wanted') connection.send(rttyServer.fileRefused());
      if (message.step === 'wanted' || message.step === 'end') fileRefused();
    } else socket.destroy();
  });
  socket.once('close', () => {
    if (!stream.readableEnded) stream.push(null);
  });
  return stream;
}
