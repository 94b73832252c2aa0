import { isIP } from 'node:net';
import { type TLSSocket, connect as tlsConnect } from 'node:tls';
import {
  asCount,
  asText,
  type RttyFromServer,
  readRttyFromServer,
  rttyDevice,
  rttyLimits,
  splitRtty,
} from '@yunxun/contract/device';
import { type Cancel, type Clock, certificateNames, type Identity } from '@yunxun/edge';
import type { SimulatedShell } from './shell.ts';

export interface RttyOptions {
  clock: Clock;
  identity: Identity;
  checkHost: boolean;
  newShell(): SimulatedShell;
}

export interface RttyRequest {
  id: string;
  token: string;
  server: string;
  port: number;
  /** Seconds. */
  timeout: number;
}

export function readRttyRequest(params: Readonly<Record<string, unknown>>): RttyRequest | null {
  const [id, token, server] = [asText(params.id, 64), asText(params.token, 64), asText(params.server, 255)];
  const [port, timeout] = [asCount(params.port), asCount(params.timeout)];
  return id && token && server && port && timeout ? { id, token, server, port, timeout } : null;
}

/** Has no flow control, like the firmware's. */
export class RttyClient {
  readonly #options: RttyOptions;
  readonly #socket: TLSSocket;
  readonly #shells = new Map<number, SimulatedShell>();
  readonly #overdue: Cancel;
  #heartbeat: Cancel = () => {};
  #silence: Cancel = () => {};
  #rest: Uint8Array = new Uint8Array();

  constructor(request: RttyRequest, options: RttyOptions) {
    this.#options = options;
    const { identity, checkHost, clock } = options;
    const { id, token, server, port, timeout } = request;
    this.#socket = tlsConnect({
      host: server,
      port,
      servername: isIP(server) === 0 ? server : '',
      ca: identity.ca,
      cert: identity.certificate,
      key: identity.key,
      checkServerIdentity: (_host, certificate) =>
        !checkHost || certificateNames(server, certificate) ? undefined : new Error('another host'),
    });
    this.#socket.on('error', () => this.stop());
    this.#socket.once('close', () => this.stop());
    this.#socket.on('data', (part: Buffer) => this.#read(part));
    this.#socket.once('secureConnect', () => {
      this.#socket.write(rttyDevice.register(id, '', token));
      this.#heard();
      this.#beat();
    });
    this.#overdue = clock.after(timeout * 1000, () => this.stop());
  }

  stop(): void {
    this.#silence();
    this.#heartbeat();
    this.#overdue();
    for (const shell of this.#shells.values()) shell.destroy();
    this.#shells.clear();
    this.#socket.destroy();
  }

  #beat(): void {
    if (this.#socket.destroyed) return;
    this.#socket.write(rttyDevice.heartbeat());
    this.#heartbeat = this.#options.clock.after(rttyLimits.heartbeat, () => this.#beat());
  }

  #heard(): void {
    this.#silence();
    this.#silence = this.#options.clock.after(rttyLimits.silence, () => this.stop());
  }

  #read(part: Buffer): void {
    this.#heard();
    const split = splitRtty(Buffer.concat([this.#rest, part]));
    if (split === null) {
      this.stop();
      return;
    }
    this.#rest = split.rest;
    for (const frame of split.frames) {
      const message = readRttyFromServer(frame);
      if (message === null || (message.type === 'register' && message.error !== null)) {
        this.stop();
        return;
      }
      this.#act(message);
    }
  }

  #act(message: RttyFromServer): void {
    if (message.type === 'login') this.#login();
    if (!('sid' in message)) return;
    const shell = this.#shells.get(message.sid);
    if (message.type === 'data') shell?.write(message.data);
    if (message.type === 'size') shell?.resize({ columns: message.columns, rows: message.rows });
    if (message.type === 'logout') {
      this.#shells.delete(message.sid);
      shell?.destroy();
    }
  }

  #login(): void {
    const sids = Array.from({ length: rttyLimits.sessions }, (_none, sid) => sid);
    const free = sids.find((sid) => !this.#shells.has(sid)) ?? null;
    this.#socket.write(rttyDevice.login(free));
    if (free === null) return;
    const shell = this.#options.newShell();
    this.#shells.set(free, shell);
    shell.on('data', (part: Buffer) => this.#socket.write(rttyDevice.data(free, part)));
    shell.once('end', () => {
      this.#shells.delete(free);
      if (!this.#socket.destroyed) this.#socket.write(rttyDevice.logout(free));
    });
  }
}
