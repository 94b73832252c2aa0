import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import ssh from 'ssh2';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { accessPoint, endDevices, enrol, type Identity, listedAs } from '../../../test/conformance/device-client.ts';
import type { AccessPoint } from '../../../test/conformance/peer/access-point.ts';
import type { Json } from '../../../test/conformance/peer/json.ts';
import { type Registered, startTestServer, type TestServer } from '../../../test/server.ts';
import { AgentDouble, joinSilently, oddFrames, RttyDouble } from './testing/devices.ts';
import { TerminalPage } from './testing/page.ts';

let server: TestServer;
let owner: Registered;
let identity: Identity;
let gateway: AccessPoint;
let gwid: string;
const answered = new Set<unknown>();
const targets: Server[] = [];
const ports = new Map<string, number>();

const abilities = { tools: true, watch: true, remote: true };
const capabilities = {
  platform: 'olg',
  compatible: 'yunxun_edge',
  model: 'Box',
  compress_cmd: true,
  yunxun: { agent: '0.9.0', abilities, missing: [], allowed: { reboot: true }, remote: { shell: true } },
};

const shellRequest = () => ({ serial: identity.serial, kind: 'shell', purpose: 'Repair', cols: 80, rows: 24 });

const call = <T = { id: string }>(what: string, body: object) => server.call<T>(`/api/v3/${what}`, body, owner);

/** Returns the parameters of the next command, which it answers. */
async function request(status: object = { error: 0, text: 'Success' }): Promise<{ session: string; token: string }> {
  const next = () =>
    gateway.received.find(
      ({ command }) =>
        command?.method === 'yunxun.tool' && (command.params as Json).tool === 'remote' && !answered.has(command.id),
    )?.command;
  await expect.poll(next).toBeDefined();
  const { id, params } = next()!;
  answered.add(id);
  gateway.sendJson({ jsonrpc: '2.0', id, result: { serial: identity.serial, status } });
  const { session, token, server: at, port, seconds } = params as Json;
  expect({ at, port, seconds }).toEqual({ at: 'localhost', port: server.program.remotePort, seconds: 3600 });
  return { session: String(session), token: String(token) };
}

async function open(target: object, kind: string): Promise<{ id: string; agent: AgentDouble; page: TerminalPage }> {
  const { code, data } = await call('remote/open', { ...target, kind, purpose: 'Repair', cols: 80, rows: 24 });
  expect(code).toBe(2000);
  const hello = await request();
  expect(hello.session).toBe(data.id);
  const agent = await AgentDouble.join(server.program.remotePort, identity, hello, (to) => ports.get(to) ?? null);
  expect(JSON.parse(agent.line)).toEqual({ ok: true });
  return { id: data.id, agent, page: await TerminalPage.of(server, data.id, owner) };
}

async function peripheral(ip: string, listener: Server): Promise<{ peripheral_id: string }> {
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  targets.push(listener);
  ports.set(`${ip}:22`, (listener.address() as AddressInfo).port);
  const given = { gwid, name: `Rack ${ip}`, type: 'server', ip, mode: 'icmp', detect_port: null, web_port: null };
  const { data } = await call('peripheral/create', { ...given, shell_port: 22 });
  return { peripheral_id: data.id };
}

type Shell = (client: ssh.Connection, stream: ssh.ServerChannel) => void;

function sshServer(key: string, sizes: string[] = [], more: Shell = () => undefined): Server {
  const shells = new ssh.Server({ hostKeys: [key] }, (client) => {
    client.on('error', () => undefined);
    client.on('authentication', (context) => {
      const isRight = context.method === 'password' && context.username === 'root' && context.password === 'right';
      if (isRight) context.accept();
      else context.reject(['password']);
    });
    client.on('session', (accept) => {
      const session = accept();
      session.on('pty', (take, _refuse, { cols, rows }) => {
        sizes.push(`${cols}x${rows}`);
        take?.();
      });
      session.on('window-change', (take, _refuse, { cols, rows }) => {
        sizes.push(`${cols}x${rows}`);
        take?.();
      });
      session.on('shell', (take) => {
        const stream = take();
        stream.write('welcome$ ');
        more(client, stream);
        stream.on('data', (chunk: Buffer) => {
          if (chunk.toString() !== 'exit\r') return void stream.write(chunk);
          stream.exit(0);
          stream.end();
        });
      });
    });
  });
  return createServer((socket) => shells.injectSocket(socket));
}

const of = (...bytes: number[]) => Buffer.from(bytes).toString('hex');
const keyOf = () => ssh.utils.generateKeyPairSync('ed25519').private;

beforeAll(async () => {
  server = await startTestServer();
  owner = await server.register();
  gwid = (await call<{ gwid: string }>('network/create', { remark: 'Depot' })).data.gwid;
  identity = await enrol(server, owner, { gwid, platform: 'olg' });
  gateway = accessPoint(identity, { capabilities });
  await gateway.connect();
  await server.db.query('update network set gateway_serial = $1 where gwid = $2', [identity.serial, gwid]);
  await listedAs(server, owner, identity.serial, { status: 'online' });
  await call('remote/settings/save', { enabled: true, version: 1 });
});
afterEach(async () => {
  const { data } = await call<{ list: { id: string }[] }>('remote/list', { open: true, limit: 50 });
  for (const { id } of data.list) await call('remote/end', { id });
});
afterAll(async () => {
  for (const target of targets) target.close();
  await endDevices();
  await server.stop();
});

describe('the shell of a gateway', () => {
  it('is shown, sized and ended by its process', async () => {
    const { agent, page } = await open({ serial: identity.serial }, 'shell');
    await page.shows('box login: ');
    expect(agent.sizes).toContain('100x30');
    page.say({ type: 'size', cols: 120, rows: 40 });
    await expect.poll(() => agent.sizes).toContain('120x40');
    page.type('exit\r');
    expect(await page.hears('end')).toMatchObject({ reason: 'closed' });
    await page.shows('bye');
    await expect.poll(() => agent.closed).toBe(true);
  });

  it('waits for a page that reads nothing, and loses nothing', async () => {
    const { page } = await open({ serial: identity.serial }, 'shell');
    await page.shows('box login: ');
    page.socket.pause();
    page.type('much');
    page.socket.resume();
    await expect.poll(() => page.bytes).toBe('box login: '.length + 32 * 1024 * 1024);
  });

  it('is refused to another certificate and to a wrong token', async () => {
    const { data } = await call('remote/open', shellRequest());
    const hello = await request();
    const other = await enrol(server, owner, { gwid });
    const { remotePort } = server.program;
    const wrong = { session: data.id, token: randomBytes(16).toString('hex') };
    for (const [as, says] of [
      [other, hello],
      [{ ca: identity.ca }, hello],
      [identity, wrong],
    ] as const)
      expect((await AgentDouble.join(remotePort, as, says)).line).toContain('error');
    expect((await AgentDouble.join(remotePort, identity, hello)).line).toContain('ok');
  });

  it('is opened three times at once, not more', async () => {
    for (let n = 0; n < 3; n += 1) {
      expect((await call('remote/open', shellRequest())).code).toBe(2000);
      await request();
    }
    expect(await call('remote/open', shellRequest())).toMatchObject({ code: 4106, data: { limit: 3, used: 3 } });
  });

  it('needs the certificate whatever protocol the connection speaks', async () => {
    await call('remote/open', shellRequest());
    const { session, token } = await request();
    const { remotePort } = server.program;
    const device = await RttyDouble.join(remotePort, { ca: identity.ca }, { id: session.replaceAll('-', ''), token });
    expect(await device.registered()).toContain('certificate');
  });

  it.each(['leave', 'pushed'] as const)('ends with an agent that lies (%s)', async (frames) => {
    const { data } = await call('remote/open', shellRequest());
    const agent = await joinSilently(server.program.remotePort, identity, await request());
    const before = agent.bytes();
    const page = await TerminalPage.of(server, data.id, owner);
    await page.hears('state');
    await expect.poll(agent.bytes).toBeGreaterThan(before);
    agent.socket.write(oddFrames[frames]);
    if (frames === 'leave') await call('remote/end', { id: data.id });
    await page.hears('end');
    const isGone = () => {
      if (agent.socket.writable) agent.socket.write(oddFrames.ping);
      return agent.socket.closed;
    };
    await expect.poll(isGone).toBe(true);
  });

  it('ends with the reason that its owner gives', async () => {
    const { data } = await call('remote/open', shellRequest());
    const page = await TerminalPage.of(server, data.id, owner);
    await request({ error: 2, text: 'switched off on this host' });
    expect(await page.hears('end')).toMatchObject({ reason: 'refused', detail: 'switched off on this host' });
  });
});

describe('SSH to a peripheral device', () => {
  it('asks for user and password again after a refusal, then shows the shell', async () => {
    const sizes: string[] = [];
    const target = await peripheral('192.168.1.30', sshServer(keyOf(), sizes));
    const { page } = await open(target, 'ssh');
    expect(await page.hears('login')).toMatchObject({ again: false });
    page.say({ type: 'login', user: 'root', password: 'wrong' });
    await expect.poll(() => page.outputs.filter(({ type }) => type === 'login')).toHaveLength(2);
    expect(await page.hears('login')).toMatchObject({ again: true });
    page.say({ type: 'login', user: 'root', password: 'right' });
    await page.shows('welcome$ ');
    page.type('ls\r');
    await page.shows('ls\r');
    page.say({ type: 'size', cols: 90, rows: 20 });
    await expect.poll(() => sizes).toContain('90x20');
    page.type('exit\r');
    expect(await page.hears('end')).toMatchObject({ reason: 'closed' });
    const { rows } = await server.db.database.systemPool.query<{ after: unknown }>(
      "select after from operation_log where account_id = $1 and action like 'remote.%'",
      [owner.accountId],
    );
    expect(JSON.stringify(rows)).not.toContain('right');
  });

  it('refuses a changed key until a person trusts it', async () => {
    const ip = '192.168.1.31';
    const target = await peripheral(ip, sshServer(keyOf()));
    const first = await open(target, 'ssh');
    await first.page.hears('login');
    first.page.say({ type: 'login', user: 'root', password: 'right' });
    await first.page.shows('welcome$ ');
    const impostor = sshServer(keyOf()).listen(0, '127.0.0.1');
    await once(impostor, 'listening');
    targets.push(impostor);
    ports.set(`${ip}:22`, (impostor.address() as AddressInfo).port);
    const second = await open(target, 'ssh');
    await second.page.hears('login');
    second.page.say({ type: 'login', user: 'root', password: 'right' });
    const { known, offered } = await second.page.hears('host_key');
    expect(known).not.toBe(offered);
    expect(await second.page.hears('end')).toMatchObject({ reason: 'host_key' });
    expect((await call('remote/host_key/accept', { id: second.id, fingerprint: known })).code).toBe(4104);
    expect((await call('remote/host_key/accept', { id: second.id, fingerprint: offered })).code).toBe(2000);
    const third = await open(target, 'ssh');
    await third.page.hears('login');
    third.page.say({ type: 'login', user: 'root', password: 'right' });
    await third.page.shows('welcome$ ');
  });

  it('ends with a host that goes on after its end', async () => {
    interface Wire {
      _protocol: { channelEOF(id: number): void; channelExtData(id: number, data: Buffer, type: number): void };
    }
    const liar = sshServer(keyOf(), [], (client, stream) => {
      const { _protocol: wire } = client as unknown as Wire;
      const { id } = (stream as unknown as { outgoing: { id: number } }).outgoing;
      wire.channelEOF(id);
      wire.channelExtData(id, Buffer.from('more'), 1);
    });
    const { page } = await open(await peripheral('192.168.1.34', liar), 'ssh');
    await page.hears('login');
    page.say({ type: 'login', user: 'root', password: 'right' });
    expect(await page.hears('end')).toMatchObject({ reason: 'closed' });
  });

  it('ends with the reason of the gateway when it cannot connect', async () => {
    const target = await peripheral('192.168.1.32', createServer());
    ports.delete('192.168.1.32:22');
    const { page } = await open(target, 'ssh');
    await page.hears('login');
    page.say({ type: 'login', user: 'root', password: 'right' });
    expect(await page.hears('end')).toMatchObject({ reason: 'unreachable', detail: 'connection refused' });
  });
});

describe('Telnet to a peripheral device', () => {
  it('agrees on echo, size and type, and escapes what is typed', async () => {
    const heard: Buffer[] = [];
    const listener = createServer((socket: Socket) => {
      socket.on('error', () => undefined).on('data', (chunk) => heard.push(chunk));
      const [iac, will, ask, sb, se] = [255, 251, 253, 250, 240] as const;
      socket.write(Buffer.from([iac, will, 1, iac, will, 3, iac, ask, 31, iac, ask, 24, iac, ask, 1]));
      socket.write(Buffer.from([iac, sb, 24, 1, iac, se]));
      socket.write(Buffer.concat([Buffer.from('Us'), Buffer.from('er\r\0:'), Buffer.from([iac, iac])]));
    });
    const { page } = await open(await peripheral('192.168.1.33', listener), 'telnet');
    await page.shows('User\r:\xff');
    page.type(Buffer.from([13, 255, 65]));
    const all = () => Buffer.concat(heard).toString('hex');
    for (const answer of [
      of(255, 253, 1),
      of(255, 253, 3),
      of(255, 251, 31),
      of(255, 251, 24),
      of(255, 252, 1),
      of(255, 250, 31, 0, 100, 0, 30, 255, 240),
      `fffa1800${Buffer.from('xterm-256color').toString('hex')}fff0`,
      of(13, 0, 255, 255, 65),
    ])
      await expect.poll(all).toContain(answer);
  });
});

describe('a peripheral device', () => {
  it('needs a gateway that can, and a port', async () => {
    const { data } = await call('peripheral/create', {
      gwid,
      name: 'Camera',
      type: 'camera',
      ip: '192.168.1.90',
      mode: 'icmp',
      detect_port: null,
      web_port: 80,
      shell_port: null,
    });
    const list = (await call<{ list: object[] }>('remote/targets', { peripheral_id: data.id })).data.list;
    expect(list).toEqual([
      { kind: 'ssh', reason: 'no_port' },
      { kind: 'telnet', reason: 'no_port' },
    ]);
  });
});
