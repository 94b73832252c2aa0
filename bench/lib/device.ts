import { once } from 'node:events';
import { connect } from 'node:net';
import { connect as connectTls, createSecureContext, type SecureContext, type TLSSocket } from 'node:tls';
import { type DeviceKey, makeKey, makeRequest } from '../../packages/server/test/conformance/peer/identity.ts';
import { encodeFrame, FrameReader, opcodes } from '../../packages/server/test/conformance/peer/websocket.ts';
import { expectDone, post } from './client.ts';
import { inParallel } from './stats.ts';

export interface Identity {
  serial: string;
  context: SecureContext;
  port: number;
}

/** Shared: 10,000 keys take long and are not measured. */
let sharedKey: DeviceKey | undefined;

export const serialOf = (number: number): string => `9e${number.toString(16).padStart(10, '0')}`;

export async function enrol(
  url: string,
  bindingCode: string,
  serial: string,
  gwid?: string,
  platform: 'ap' | 'olg' = 'ap',
): Promise<Identity> {
  sharedKey ??= makeKey();
  const { data } = await expectDone(
    post<{ certificate: string; ca: string; port: number }>(url, '/api/v3/device/enroll', {
      binding_code: bindingCode,
      serial,
      csr: makeRequest(serial, sharedKey),
      platform,
      model: platform === 'ap' ? 'Bench AP' : 'Bench gateway',
      ...(gwid && { gwid }),
    }),
  );
  const context = createSecureContext({ key: sharedKey.keyPem, cert: data.certificate, ca: data.ca });
  return { serial, context, port: data.port };
}

export function enrolMany(url: string, bindingCodes: readonly string[], count: number): Promise<Identity[]> {
  const numbers = Array.from({ length: count }, (_, at) => at);
  return inParallel(numbers, 8, (at) => enrol(url, bindingCodes[at % bindingCodes.length] as string, serialOf(at)));
}

export const connectParams = {
  firmware: 'OpenWrt 23.05 / TIP-bench',
  uuid: 1,
  reason: 'coldboot',
  capabilities: {
    platform: 'ap',
    model: 'Bench AP',
    compatible: 'bench_ap',
    compress_cmd: true,
    network: { wan: ['eth0'], lan: ['eth1'] },
  },
};

const upgradeRequest = [
  'GET / HTTP/1.1',
  'Host: localhost',
  'Upgrade: websocket',
  'Connection: Upgrade',
  'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
  'Sec-WebSocket-Version: 13',
  'Sec-WebSocket-Protocol: ucentral-broker',
  '',
  '',
].join('\r\n');

async function next(socket: TLSSocket, event: string): Promise<unknown[]> {
  const ending = new AbortController();
  const closed = () => ending.abort(new Error('the connection was closed'));
  socket.once('close', closed);
  try {
    return await once(socket, event, { signal: ending.signal });
  } finally {
    socket.off('close', closed);
  }
}

/** A loopback address has 28,000 ports. */
const perAddress = 15_000;
let opened = 0;

export interface Command {
  id: number;
  method: string;
  params: Record<string, unknown>;
}

/** On a bare TLS socket, to save CPU shared with the server. */
export class BenchDevice {
  ticket: Buffer | undefined;
  onCommand: ((command: Command) => void) | null = null;
  readonly #reader = new FrameReader();

  private constructor(
    readonly identity: Identity,
    readonly socket: TLSSocket,
  ) {
    socket.on('session', (ticket) => {
      this.ticket = ticket;
    });
    socket.on('error', () => undefined);
  }

  static async shake(identity: Identity, ticket?: Buffer): Promise<BenchDevice> {
    const localAddress = `127.0.0.${1 + (Math.floor(opened++ / perAddress) % 200)}`;
    const socket = connectTls({
      socket: connect({ host: '127.0.0.1', localAddress, port: identity.port }),
      servername: 'localhost',
      secureContext: identity.context,
      ...(ticket && { session: ticket }),
    });
    const device = new BenchDevice(identity, socket);
    await next(socket, 'secureConnect');
    return device;
  }

  static async open(identity: Identity, ticket?: Buffer): Promise<BenchDevice> {
    const device = await BenchDevice.shake(identity, ticket);
    device.socket.write(upgradeRequest);
    let head = Buffer.alloc(0);
    while (!head.includes('\r\n\r\n')) {
      const [chunk] = (await next(device.socket, 'data')) as [Buffer];
      head = Buffer.concat([head, chunk]);
    }
    if (!head.toString('latin1').startsWith('HTTP/1.1 101'))
      throw new Error(`refused: ${head.toString('latin1', 0, 60)}`);
    device.#hear(head.subarray(head.indexOf('\r\n\r\n') + 4));
    device.socket.on('data', (chunk: Buffer) => device.#hear(chunk));
    return device;
  }

  sayConnect(): void {
    this.notify('connect', connectParams);
  }

  notify(method: string, params: Record<string, unknown>): void {
    const { serial } = this.identity;
    this.socket.write(encodeFrame(JSON.stringify({ jsonrpc: '2.0', method, params: { serial, ...params } })));
  }

  reply(id: number, result: Record<string, unknown>): void {
    const { serial } = this.identity;
    this.socket.write(encodeFrame(JSON.stringify({ jsonrpc: '2.0', id, result: { serial, ...result } })));
  }

  ping(): void {
    this.socket.write(encodeFrame('', { opcode: opcodes.ping }));
  }

  cut(): void {
    this.socket.destroy();
  }

  #hear(chunk: Buffer): void {
    for (const frame of this.#reader.push(chunk)) {
      if (frame.opcode === opcodes.ping) this.socket.write(encodeFrame(frame.payload, { opcode: opcodes.pong }));
      if (frame.opcode === opcodes.close) this.socket.end(encodeFrame(frame.payload, { opcode: opcodes.close }));
      if (frame.opcode === opcodes.text) this.onCommand?.(JSON.parse(frame.payload.toString()) as Command);
    }
  }
}
