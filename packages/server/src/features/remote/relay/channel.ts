import type { Socket } from 'node:net';
import { remote } from '@yunxun/contract';
import type { WebSocket } from 'ws';

export interface ChannelEvents {
  /** Buffers are terminal bytes, texts are JSON. */
  message(data: Buffer | string): void;
  drain(): void;
  close(): void;
}

/** Between a page and the process that holds its session. */
export interface Channel {
  send(data: Buffer | string): void;
  readonly unsent: number;
  pause(): void;
  resume(): void;
  close(): void;
  listen(events: ChannelEvents): void;
}

const { unreadBytes, inputBytes } = remote.remoteLimits;
export const isFull = (channel: Channel) => channel.unsent > unreadBytes;

export function webSocketChannel(socket: WebSocket): Channel {
  let listening: ChannelEvents | null = null;
  let wasFull = false;
  return {
    send(data) {
      if (socket.readyState !== socket.OPEN) return;
      socket.send(data, { binary: typeof data !== 'string' }, () => {
        if (!wasFull || socket.bufferedAmount > unreadBytes / 2) return;
        wasFull = false;
        listening?.drain();
      });
      wasFull ||= socket.bufferedAmount > unreadBytes;
    },
    get unsent() {
      return socket.bufferedAmount;
    },
    pause: () => socket.pause(),
    resume: () => socket.resume(),
    close() {
      socket.resume();
      socket.close();
    },
    listen(events) {
      listening = events;
      socket.removeAllListeners('message');
      socket.on('message', (data: Buffer, isBinary) => events.message(isBinary ? data : data.toString()));
      const closed = () => {
        if (listening === events) events.close();
      };
      if (socket.readyState === socket.CLOSED) process.nextTick(closed);
      else socket.once('close', closed);
    },
  };
}

const header = 5;
const kinds = { bytes: 0, text: 1 } as const;

/** Frames of a stream: kind (8 bit), length (32 bit, big-endian), data. */
export function socketChannel(socket: Socket): Channel {
  let rest: Buffer = Buffer.alloc(0);
  const maxFrame = unreadBytes + inputBytes;
  return {
    send(data) {
      if (socket.destroyed || socket.writableEnded) return;
      const body = typeof data === 'string' ? Buffer.from(data) : data;
      const head = Buffer.alloc(header);
      head.writeUInt8(typeof data === 'string' ? kinds.text : kinds.bytes, 0);
      head.writeUInt32BE(body.length, 1);
      socket.write(Buffer.concat([head, body]));
    },
    get unsent() {
      return socket.writableLength;
    },
    pause: () => socket.pause(),
    resume: () => socket.resume(),
    close() {
      socket.resume();
      socket.end();
    },
    listen(events) {
      socket.on('drain', () => events.drain());
      if (socket.closed) process.nextTick(() => events.close());
      else socket.once('close', () => events.close());
      socket.on('error', () => socket.destroy());
      socket.on('data', (chunk: Buffer) => {
        rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
        while (rest.length >= header) {
          const length = rest.readUInt32BE(1);
          if (length > maxFrame) return void socket.destroy();
          if (rest.length < header + length) return;
          const body = rest.subarray(header, header + length);
          const isText = rest[0] === kinds.text;
          rest = rest.subarray(header + length);
          events.message(isText ? body.toString() : body);
        }
      });
    },
  };
}

export function joinChannels(one: Channel, other: Channel): void {
  const way = (from: Channel, to: Channel) =>
    from.listen({
      message(data) {
        to.send(data);
        if (isFull(to)) from.pause();
      },
      drain: () => to.resume(),
      close: () => to.close(),
    });
  way(one, other);
  way(other, one);
}
