import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer, type TLSSocket } from 'node:tls';
import {
  type RemoteDirectory,
  type RttyFromDevice,
  readRttyFromDevice,
  remoteHeaders,
  remoteLimits,
  rttyServer,
  splitRtty,
} from '@yunxun/contract/device';
import { type TestAgent, TestRelay, type TestShell } from '@yunxun/edge/testing';
import { describe, expect, it } from 'vitest';
import { fleetFixture } from '../fleet-fixture.ts';
import { simulatedLogin } from './shell.ts';

const fixture = fleetFixture();
const token = 'ab'.repeat(16);

type Tail<T extends readonly unknown[]> = T extends readonly [unknown, ...infer R] ? R : never;

/** Server of rtty for one console. */
async function rttyPort(connected: (client: RttyPeer) => void): Promise<number> {
  const { authority } = fixture.console;
  const { certificate, key } = authority.server('localhost');
  const options = { cert: certificate, key, ca: authority.certificate, requestCert: true, rejectUnauthorized: true };
  const server = createServer(options, (socket) => connected(new RttyPeer(socket)));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  fixture.onEnd(() => void server.close());
  return (server.address() as AddressInfo).port;
}

class RttyPeer {
  readonly socket: TLSSocket;
  readonly frames: RttyFromDevice[] = [];
  #rest: Uint8Array = new Uint8Array();

  constructor(socket: TLSSocket) {
    this.socket = socket;
    fixture.onEnd(() => void socket.destroy());
    socket.on('error', () => {});
    socket.on('data', (part: Buffer) => {
      const split = splitRtty(Buffer.concat([this.#rest, part]));
      this.#rest = split?.rest ?? this.#rest;
      for (const frame of split?.frames ?? []) this.frames.push(readRttyFromDevice(frame)!);
    });
  }

  get screen(): string {
    return this.frames.map((one) => (one.type === 'data' ? Buffer.from(one.data).toString() : '')).join('');
  }

  async says<T extends RttyFromDevice['type']>(type: T): Promise<RttyFromDevice & { type: T }> {
    const find = () => this.frames.find((one): one is RttyFromDevice & { type: T } => one.type === type);
    await expect.poll(find).toBeDefined();
    return find()!;
  }

  type(sid: number, keys: string): void {
    this.socket.write(rttyServer.data(sid, Buffer.from(keys)));
  }
}

async function accessPoint() {
  const { session, serial } = await fixture.one();
  const peers: RttyPeer[] = [];
  const port = await rttyPort((peer) => peers.push(peer));
  const id = randomUUID().replaceAll('-', '');
  const dial = (more: object = {}) =>
    session.command('rtty', { id, token, server: 'localhost', port, timeout: 600, user: 'root', ...more });
  return { dial, peers, id, serial };
}

describe('the rtty of a simulated access point', () => {
  it('registers, and opens a login prompt that follows the window', async () => {
    const { dial, peers, id, serial } = await accessPoint();
    expect(await dial()).toMatchObject({ status: { error: 0, text: 'Command was executed' } });
    await expect.poll(() => peers.length).toBe(1);
    const [peer] = peers as [RttyPeer];
    expect(await peer.says('register')).toEqual({ type: 'register', id, description: '', token });
    expect(peer.socket.getPeerCertificate().subject.CN).toBe(serial);
    peer.socket.write(rttyServer.registered());
    peer.socket.write(rttyServer.login());
    const { sid } = await peer.says('login');
    expect(sid).toBe(0);
    await expect.poll(() => peer.screen).toContain(' login: ');
    peer.type(0, `${simulatedLogin.user}\r${simulatedLogin.password}\r`);
    peer.socket.write(rttyServer.size(0, 132, 50));
    peer.type(0, 'stty size\r');
    await expect.poll(() => peer.screen).toContain('50 132\r\n');
    expect(peer.screen).not.toContain(`Password: ${simulatedLogin.password}`);
    peer.type(0, 'exit\r');
    expect(await peer.says('logout')).toEqual({ type: 'logout', sid: 0 });
    expect(await peer.says('heartbeat')).toBeDefined();
  });

  it('is one: the next replaces it, and a refused one leaves', async () => {
    const { dial, peers } = await accessPoint();
    expect(await dial({ token: undefined })).toMatchObject({ status: { error: 2 } });
    await dial();
    await expect.poll(() => peers.length).toBe(1);
    await dial();
    await expect.poll(() => peers.map(({ socket }) => socket.closed)).toEqual([true, false]);
    peers[1]!.socket.write(rttyServer.registered('invalid token'));
    await expect.poll(() => peers[1]!.socket.closed).toBe(true);
  });
});

describe('the agent of a simulated gateway', () => {
  async function gateway() {
    const { session, serial } = await fixture.one({ aps: 0, edges: 1 });
    const relay = await TestRelay.start(fixture.console.authority, '127.0.0.1', 'localhost');
    fixture.onEnd(() => relay.stop());
    const connected = relay.agent(token);
    const params = { tool: 'remote', session: randomUUID(), token, server: 'localhost', port: relay.port, seconds: 60 };
    expect(await session.command('yunxun.tool', params)).toMatchObject({ status: { error: 0 } });
    const agent = await connected;
    fixture.onEnd(() => agent.session.destroy());
    expect(agent.commonName).toBe(serial);
    return agent;
  }

  async function logIn(shell: TestShell): Promise<void> {
    await shell.shows(' login: ');
    shell.type(`${simulatedLogin.user}\r`);
    await shell.shows('Password: ');
    shell.type(`${simulatedLogin.password}\r`);
    await shell.shows('# ');
  }

  it('opens a shell with a program of the full screen', async () => {
    const agent = await gateway();
    const shell = await agent.shell(80, 24);
    await logIn(shell);
    shell.type('top\r');
    await shell.shows('80x24');
    expect(await agent.size(shell.id, 120, 40)).toBe(204);
    await shell.shows('120x40');
    shell.type('qexit\r');
    await shell.closed;
  });

  it('serves its files to who signed in', async () => {
    const agent = await gateway();
    const shell = await agent.shell();
    const files = async (...rest: Tail<Parameters<TestAgent['files']>>) => {
      const { status, text } = await agent.files(shell.id, ...rest);
      return [status, text] as const;
    };
    const write = (path: string, text: string, more: Record<string, string> = {}) =>
      files('write', path, { [remoteHeaders.size]: `${text.length}`, ...more }, (stream) => void stream.end(text));
    expect(await files('list', '')).toEqual([401, 'there was no sign-in at this shell']);
    await logIn(shell);
    const names = async (path: string) => {
      const [, text] = await files('list', path);
      const { path: folder, entries } = JSON.parse(text) as RemoteDirectory;
      return [folder, ...entries.map(({ name, type, size }) => `${type} ${name} ${size}`)];
    };
    expect(await names('/')).toEqual(['/', 'directory etc 0', 'directory root 0', 'directory tmp 0']);
    expect(await files('read', '/etc/config/network')).toEqual([200, expect.stringContaining("'192.168.1.1/24'")]);
    expect(await write('/tmp/new', 'one')).toEqual([200, '']);
    expect((await write('/tmp/new', 'other'))[0]).toBe(409);
    expect(await files('read', '/tmp/new')).toEqual([200, 'one']);
    expect((await write('/tmp/new', 'other', { [remoteHeaders.replace]: 'yes' }))[0]).toBe(200);
    expect(await write('/root/empty', '')).toEqual([200, '']);
    expect(await names('')).toContain('file empty 0');
    expect(await names('/tmp')).toContain('file new 5');
    expect((await files('read', '/tmp/none'))[0]).toBe(404);
    expect((await write('/none/new', 'one'))[0]).toBe(404);
    expect((await files('read', '/tmp'))[0]).toBe(415);
    expect((await files('list', '/tmp/new'))[0]).toBe(415);
    expect((await files('write', '/tmp/large', { [remoteHeaders.size]: `${remoteLimits.fileBytes + 1}` }))[0]).toBe(
      413,
    );
    // the body stays open: its early end would be another refusal
    expect(
      (await files('write', '/tmp/large', { [remoteHeaders.size]: `${remoteLimits.fileBytes}` }, () => {}))[0],
    ).toBe(507);
    expect((await write('/tmp/short', 'one', { [remoteHeaders.size]: '4' }))[0]).toBe(400);
    expect(await names('/tmp')).toHaveLength(3);
  });

  it('connects to the devices of its LAN by Telnet', async () => {
    const agent = await gateway();
    const camera = await agent.connect('192.168.1.64:23');
    expect(camera.status).toBe(200);
    await camera.shows('host-64 login: ');
    // will ECHO, will SGA, do NAWS
    expect([...camera.bytes.subarray(0, 9)]).toEqual([255, 251, 1, 255, 251, 3, 255, 253, 31]);
    camera.type(new Uint8Array([255, 251, 31, 255, 250, 31, 0, 200, 0, 60, 255, 240]));
    await logIn(camera);
    camera.type('stty size\r\0');
    await camera.shows('60 200\r\n');
    camera.type('exit\r\0');
    await camera.closed;
    expect((await agent.connect('192.168.1.64:22')).status).toBe(502);
    expect((await agent.connect('192.168.1.1:23')).status).toBe(403);
    expect((await agent.connect('10.9.9.9:23')).status).toBe(403);
  });

  it('connects to the screen of a till, whose sum follows the pointer', async () => {
    const agent = await gateway();
    const till = await agent.connect('192.168.1.64:5900');
    await till.shows('RFB 003.008\n');
    till.type('RFB 003.008\n\x01\x01');
    await till.shows('POS');
    const request = Buffer.from([3, 1, 0, 0, 0, 0, 1, 224, 1, 64]);
    const begins = Buffer.from([0, 0, 0, 1, 0, 0, 0, 0, 1, 224, 1, 64, 0, 0, 0, 2]);
    const pictures = () => till.bytes.toString('latin1').split(begins.toString('latin1'));
    till.type(Buffer.concat([Buffer.from([2, 0, 0, 1, 0, 0, 0, 2]), request]));
    await expect.poll(() => pictures().length).toBe(2);
    till.type(Buffer.concat([request, Buffer.from([5, 1, 0, 30, 0, 110])]));
    await expect.poll(() => pictures().length).toBe(3);
    expect(pictures()[1]).not.toBe(pictures()[2]);
    till.type(Buffer.from([9]));
    await till.closed;
  });
});
