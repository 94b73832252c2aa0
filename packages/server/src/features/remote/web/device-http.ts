import { Agent } from 'node:http';
import type { Duplex } from 'node:stream';
import { connect as startTls } from 'node:tls';
import type { DeviceLink } from '../relay/device-link.ts';
import type { Device } from './own-address.ts';

/** Milliseconds for a device to show which of the two it speaks. */
const probeWait = 10_000;
/** Few devices serve more at a time. */
const maxSockets = 6;
const tlsPorts: ReadonlySet<number> = new Set([443, 4443, 8443, 9443, 10443]);

export interface DeviceHttp extends Device {
  agent: Agent;
}

/** Connects to the web server of a device, which may speak TLS on any port. @throws Unreachable */
export async function deviceHttp(
  link: DeviceLink,
  { host, port }: { host: string; port: number },
): Promise<DeviceHttp> {
  const dial = () => link.connect(host, port);
  const scheme = await schemeOf(dial, port);
  return { host, port, scheme, agent: new LinkAgent(scheme === 'https' ? async () => secured(await dial()) : dial) };
}

async function schemeOf(dial: () => Promise<Duplex>, port: number): Promise<Device['scheme']> {
  const speaksTls = async () => {
    const socket = await dial();
    return secured(socket).then(
      (found) => {
        found.destroy();
        return true;
      },
      () => false,
    );
  };
  if (tlsPorts.has(port)) return (await speaksTls()) ? 'https' : 'http';
  const first = await firstAnswer(await dial());
  // servers answer plain text on a TLS port with 400, with an alert, or by leaving
  const isPlain = first === null || (first.startsWith('HTTP/') && !/^HTTP\/1\.[01] 400\b/.test(first));
  return isPlain || !(await speaksTls()) ? 'http' : 'https';
}

/** @returns the first bytes; null: none in time */
function firstAnswer(socket: Duplex): Promise<string | null> {
  return new Promise((resolve) => {
    const settle = (text: string | null) => {
      clearTimeout(timer);
      socket.destroy();
      resolve(text);
    };
    const timer = setTimeout(() => settle(null), probeWait);
    socket.once('data', (chunk: Buffer) => settle(chunk.toString('latin1')));
    socket.once('end', () => settle(''));
    socket.on('error', () => settle(''));
    socket.once('close', () => settle(''));
    socket.write('GET / HTTP/1.0\r\n\r\n');
  });
}

/** The certificates of such devices prove nothing: the way to them is their gateway's LAN. */
function secured(socket: Duplex): Promise<Duplex> {
  return new Promise((resolve, reject) => {
    const secure = startTls({
      socket,
      rejectUnauthorized: false,
      ALPNProtocols: ['http/1.1'],
      minVersion: 'TLSv1',
      ciphers: 'DEFAULT@SECLEVEL=0',
    });
    const fail = (error: Error) => {
      clearTimeout(timer);
      secure.destroy();
      socket.destroy();
      reject(error);
    };
    const timer = setTimeout(() => fail(new Error('no TLS answer')), probeWait);
    secure.once('error', fail);
    secure.once('close', () => fail(new Error('the connection ended')));
    secure.once('secureConnect', () => {
      clearTimeout(timer);
      secure.off('error', fail);
      secure.on('error', () => secure.destroy());
      secure.once('close', () => socket.destroy());
      resolve(secure);
    });
  });
}

/** Keeps connections, which are streams of the device's one connection. */
class LinkAgent extends Agent {
  readonly #open: () => Promise<Duplex>;

  constructor(open: () => Promise<Duplex>) {
    super({ keepAlive: true, maxSockets, maxFreeSockets: maxSockets });
    this.#open = open;
  }

  override createConnection(_options: unknown, done: (error: Error | null, stream: Duplex) => void): Duplex {
    this.#open().then(
      (stream) => done(null, stream),
      (error: Error) => done(error, undefined as never),
    );
    return undefined as never;
  }
}
