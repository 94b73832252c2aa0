import { randomBytes } from 'node:crypto';
import { createServer, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { endDevices, enrol, type Identity } from '../../../test/conformance/device-client.ts';
import type { Registered, TestServer } from '../../../test/server.ts';
import { AgentFixture, sshHost } from './testing/agent-fixture.ts';
import { AgentDouble, fillUntilStuck, joinSilently, oddFrames, RttyDouble } from './testing/devices.ts';
import { TerminalPage } from './testing/page.ts';

let fixture: AgentFixture;
let server: TestServer;
let owner: Registered;
let identity: Identity;
let gwid: string;

const call: AgentFixture['call'] = (what, body) => fixture.call(what, body);
const of = (...bytes: number[]) => Buffer.from(bytes).toString('hex');

beforeAll(async () => {
  fixture = await AgentFixture.start();
  ({ server, owner, identity, gwid } = fixture);
});
afterEach(() => fixture.endAll());
afterAll(async () => {
  await endDevices();
  await fixture.stop();
});

describe('the shell of a gateway', () => {
  it('is shown, sized and ended by its process', async () => {
    const { agent, page } = await fixture.open({ serial: identity.serial }, 'shell');
    await page.shows('box login: ');
    expect(agent.sizes).toContain('100x30');
    page.say({ type: 'size', cols: 120, rows: 40 });
    await expect.poll(() => agent.sizes).toContain('120x40');
    page.type('exit\r');
    expect(await page.hears('end')).toMatchObject({ reason: 'closed' });
    await page.shows('bye');
    await expect.poll(() => agent.closed).toBe(true);
  });

  it('waits for a page that reads nothing, and loses no byte', async () => {
    const { agent, page } = await fixture.open({ serial: identity.serial }, 'shell');
    await page.shows('box login: ');
    page.socket.pause();
    const sent = await fillUntilStuck(agent.output!, Buffer.alloc(4096, 'x'));
    page.socket.resume();
    await expect.poll(() => page.bytes).toBe('box login: '.length + sent * 4096);
  });

  it('is refused to another certificate and to a wrong token', async () => {
    const { data } = await call('remote/open', fixture.shellRequest());
    const hello = await fixture.request();
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
      expect((await call('remote/open', fixture.shellRequest())).code).toBe(2000);
      await fixture.request();
    }
    expect(await call('remote/open', fixture.shellRequest())).toMatchObject({
      code: 4106,
      data: { limit: 3, used: 3 },
    });
  });

  it('needs the certificate whatever protocol the connection speaks', async () => {
    await call('remote/open', fixture.shellRequest());
    const { session, token } = await fixture.request();
    const { remotePort } = server.program;
    const device = await RttyDouble.join(remotePort, { ca: identity.ca }, { id: session.replaceAll('-', ''), token });
    expect(await device.registered()).toContain('certificate');
  });

  it.each(['leave', 'pushed'] as const)('ends with an agent that lies (%s)', async (frames) => {
    const { data } = await call('remote/open', fixture.shellRequest());
    const agent = await joinSilently(server.program.remotePort, identity, await fixture.request());
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
    const { data } = await call('remote/open', fixture.shellRequest());
    const page = await TerminalPage.of(server, data.id, owner);
    await fixture.request({ error: 2, text: 'switched off on this host' });
    expect(await page.hears('end')).toMatchObject({ reason: 'refused', detail: 'switched off on this host' });
  });
});

describe('SSH to a peripheral device', () => {
  it('asks for user and password again after a refusal, then shows the shell', async () => {
    const sizes: string[] = [];
    const target = await fixture.peripheral('192.168.1.30', sshHost({ sizes }));
    const { page } = await fixture.open(target, 'ssh');
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
    const target = await fixture.peripheral(ip, sshHost());
    const first = await fixture.open(target, 'ssh');
    await first.page.hears('login');
    first.page.say({ type: 'login', user: 'root', password: 'right' });
    await first.page.shows('welcome$ ');
    await fixture.lead(ip, sshHost());
    const second = await fixture.open(target, 'ssh');
    await second.page.hears('login');
    second.page.say({ type: 'login', user: 'root', password: 'right' });
    const { known, offered } = await second.page.hears('host_key');
    expect(known).not.toBe(offered);
    expect(await second.page.hears('end')).toMatchObject({ reason: 'host_key' });
    expect((await call('remote/host_key/accept', { id: second.id, fingerprint: known })).code).toBe(4104);
    expect((await call('remote/host_key/accept', { id: second.id, fingerprint: offered })).code).toBe(2000);
    const third = await fixture.open(target, 'ssh');
    await third.page.hears('login');
    third.page.say({ type: 'login', user: 'root', password: 'right' });
    await third.page.shows('welcome$ ');
  });

  it('ends with a host that goes on after its end', async () => {
    interface Wire {
      _protocol: { channelEOF(id: number): void; channelExtData(id: number, data: Buffer, type: number): void };
    }
    const liar = sshHost({
      shell(client, stream) {
        const { _protocol: wire } = client as unknown as Wire;
        const { id } = (stream as unknown as { outgoing: { id: number } }).outgoing;
        wire.channelEOF(id);
        wire.channelExtData(id, Buffer.from('more'), 1);
      },
    });
    const { page } = await fixture.open(await fixture.peripheral('192.168.1.34', liar), 'ssh');
    await page.hears('login');
    page.say({ type: 'login', user: 'root', password: 'right' });
    expect(await page.hears('end')).toMatchObject({ reason: 'closed' });
  });

  it('ends with the reason of the gateway when it cannot connect', async () => {
    const target = await fixture.peripheral('192.168.1.32', createServer());
    fixture.ports.delete('192.168.1.32:22');
    const { page } = await fixture.open(target, 'ssh');
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
    const { page } = await fixture.open(await fixture.peripheral('192.168.1.33', listener), 'telnet');
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
    expect(list).toEqual(
      expect.arrayContaining([
        { kind: 'ssh', reason: 'no_port' },
        { kind: 'telnet', reason: 'no_port' },
      ]),
    );
  });
});
