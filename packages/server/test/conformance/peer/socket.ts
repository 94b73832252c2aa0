import { createHash, randomBytes } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { isIP } from 'node:net';
import { connect, type TLSSocket } from 'node:tls';
import { acceptsServer } from './hostname.ts';
import { encodeFrame, type Frame, type FrameOptions, FrameReader, opcodes } from './websocket.ts';

export interface SocketOptions {
  address?: string;
  port: number;
  from?: string;
  server: string;
  key: string;
  cert: string;
  ca: string;
  /** Client option `-h`: checks CN and SAN against `server`. */
  validateHostname?: boolean;
  /** Firmware before mid-2026 reads the CN only. */
  readsAlternativeNames?: boolean;
  nameChecked?: string;
  maxVersion?: 'TLSv1.2' | 'TLSv1.3';
  minVersion?: 'TLSv1.2' | 'TLSv1.3';
  /** Silence before a WebSocket ping (firmware: 60 s) and before the hang-up without a pong (70 s). */
  pingAfterMs?: number;
  hangUpAfterMs?: number;
}

export interface Closed {
  /** Close code of the server; null without a close frame. */
  code: number | null;
  reason: string;
  noPong: boolean;
}

/** Name mismatch: the firmware retries after 1800 s. */
export class BadHostname extends Error {}
export class UpgradeRefused extends Error {}

interface SocketEvents {
  frame: [Frame];
  pong: [];
  closed: [Closed];
}

/** TLS with a client certificate, libwebsockets' upgrade request, raw frames. */
export class DeviceSocket extends EventEmitter<SocketEvents> {
  readonly tls: TLSSocket;
  readonly subprotocol: string | null;
  readonly closed: Promise<Closed>;
  #reader = new FrameReader();
  #closeFrame: { code: number; reason: string } | null = null;
  #noPong = false;
  #pingTimer: NodeJS.Timeout | undefined;
  #hangUpTimer: NodeJS.Timeout | undefined;
  #options: SocketOptions;

  constructor(tls: TLSSocket, subprotocol: string | null, first: Buffer, options: SocketOptions) {
    super();
    this.tls = tls;
    this.subprotocol = subprotocol;
    this.#options = options;
    this.closed = new Promise((resolve) => {
      tls.once('close', () => {
        clearTimeout(this.#pingTimer);
        clearTimeout(this.#hangUpTimer);
        const closed = {
          code: this.#closeFrame?.code ?? null,
          reason: this.#closeFrame?.reason ?? '',
          noPong: this.#noPong,
        };
        this.emit('closed', closed);
        resolve(closed);
      });
    });
    tls.on('error', () => tls.destroy());
    this.#armValidity();
    // Reads only after the caller has added its listeners.
    setImmediate(() => {
      this.#take(first);
      tls.on('data', (bytes: Buffer) => this.#take(bytes));
      tls.resume();
    });
  }

  send(text: string): void {
    this.sendFrame(text);
  }

  sendFrame(payload: Buffer | string, options?: FrameOptions): void {
    if (!this.tls.destroyed) this.tls.write(encodeFrame(payload, options));
  }

  sendRaw(bytes: Buffer | string): void {
    if (!this.tls.destroyed) this.tls.write(bytes);
  }

  close(code = 1000): void {
    const payload = Buffer.alloc(2);
    payload.writeUInt16BE(code);
    this.sendFrame(payload, { opcode: opcodes.close });
    this.tls.end();
  }

  cut(): void {
    this.tls.destroy();
  }

  #take(bytes: Buffer): void {
    for (const frame of this.#reader.push(bytes)) {
      if (frame.opcode === opcodes.ping) this.sendFrame(frame.payload, { opcode: opcodes.pong });
      else if (frame.opcode === opcodes.pong) {
        this.#armValidity();
        this.emit('pong');
      } else if (frame.opcode === opcodes.close) {
        const code = frame.payload.length >= 2 ? frame.payload.readUInt16BE(0) : 1005;
        this.#closeFrame = { code, reason: frame.payload.subarray(2).toString() };
        this.sendFrame(frame.payload.subarray(0, 2), { opcode: opcodes.close });
        this.tls.end();
      }
      this.emit('frame', frame);
    }
  }

  /** Only a pong resets the timer, as in the firmware. */
  #armValidity(): void {
    const { pingAfterMs = 60_000, hangUpAfterMs = 70_000 } = this.#options;
    clearTimeout(this.#pingTimer);
    clearTimeout(this.#hangUpTimer);
    this.#pingTimer = setTimeout(() => this.sendFrame('', { opcode: opcodes.ping }), pingAfterMs).unref();
    this.#hangUpTimer = setTimeout(() => {
      this.#noPong = true;
      this.cut();
    }, hangUpAfterMs).unref();
  }
}

export async function openTls(options: SocketOptions): Promise<TLSSocket> {
  const { address = options.server, port, key, cert, ca, minVersion, maxVersion } = options;
  // The firmware replaces the library's name check.
  const tls = connect({
    host: address,
    port,
    ...(options.from && { localAddress: options.from }),
    key,
    cert,
    ca,
    minVersion,
    maxVersion,
    // SNI excludes addresses
    servername: isIP(options.server) ? '' : options.server,
    checkServerIdentity: () => undefined,
  });
  await new Promise<void>((resolve, reject) => {
    tls.once('secureConnect', resolve);
    tls.once('error', reject);
    tls.once('close', () => reject(new Error('closed during the handshake')));
  });
  return tls;
}

/** Imitates libwebsockets: no port in Host, http Origin, no User-Agent, no extensions. */
export function upgradeRequest(server: string, key: string): string {
  return [
    'GET / HTTP/1.1',
    'Pragma: no-cache',
    'Cache-Control: no-cache',
    `Host: ${server}`,
    `Origin: http://${server}`,
    'Upgrade: websocket',
    'Connection: Upgrade',
    `Sec-WebSocket-Key: ${key}`,
    'Sec-WebSocket-Protocol: ucentral-broker',
    'Sec-WebSocket-Version: 13',
    '',
    '',
  ].join('\r\n');
}

export async function openSocket(options: SocketOptions): Promise<DeviceSocket> {
  const tls = await openTls(options);
  const key = randomBytes(16).toString('base64');
  tls.write(upgradeRequest(options.server, key));
  const { head, rest } = await readHead(tls);
  const fields = new Map(
    head.slice(1).map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
  const accept = createHash('sha1').update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64');
  const subprotocol = fields.get('sec-websocket-protocol') ?? null;
  const fits =
    head[0]?.startsWith('HTTP/1.1 101 ') &&
    fields.get('sec-websocket-accept') === accept &&
    (subprotocol === null || subprotocol === 'ucentral-broker') &&
    !fields.has('sec-websocket-extensions');
  if (!fits) {
    tls.destroy();
    throw new UpgradeRefused(head[0]);
  }
  // The client checks the name after the handshake.
  if (options.validateHostname) {
    const peer = tls.getPeerCertificate();
    const dns = (peer.subjectaltname ?? '')
      .split(', ')
      .flatMap((entry) => (entry.startsWith('DNS:') ? [entry.slice(4)] : []));
    if (
      !acceptsServer(
        options.nameChecked ?? options.server,
        { commonName: String(peer.subject.CN), dns },
        options.readsAlternativeNames ?? true,
      )
    ) {
      tls.destroy();
      throw new BadHostname(`${peer.subject.CN} ${dns.join(' ')}`);
    }
  }
  return new DeviceSocket(tls, subprotocol, rest, options);
}

function readHead(tls: TLSSocket): Promise<{ head: string[]; rest: Buffer }> {
  return new Promise((resolve, reject) => {
    let bytes = Buffer.alloc(0);
    const fail = (error: Error): void => reject(error);
    const gone = (): void => reject(new Error('closed before the upgrade was answered'));
    const take = (more: Buffer): void => {
      bytes = Buffer.concat([bytes, more]);
      const end = bytes.indexOf('\r\n\r\n');
      if (end < 0) return;
      tls.off('data', take);
      tls.off('error', fail);
      tls.off('close', gone);
      tls.pause();
      resolve({ head: bytes.subarray(0, end).toString('latin1').split('\r\n'), rest: bytes.subarray(end + 4) });
    };
    tls.on('data', take);
    tls.once('error', fail);
    tls.once('close', gone);
  });
}
