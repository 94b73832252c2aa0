import { spawnSync } from 'node:child_process';
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Writable } from 'node:stream';
import { createServer as createTlsServer } from 'node:tls';
import { remoteLimits, remoteProtocols } from '@yunxun/contract/device';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { systemClock } from '../clock.ts';
import { emptyLayout, type Layout } from '../measure/layout.ts';
import { TestAuthority, TestRelay } from '../testing/index.ts';
import { createRemote, type Remote, type RemoteOptions } from './index.ts';
import { openRootTerminal, serveShells } from './root-shell.ts';
import { checkTarget, connectTarget, ownSubnets, TargetRefused } from './target.ts';
import { noTerminalBecause, openTerminal } from './terminal.ts';

const hasTerminals = (await noTerminalBecause()) === null;
const openShell: RemoteOptions['openTerminal'] = (size) => openTerminal(size, 'sh');

let authority: TestAuthority;
let relay: TestRelay;
let remote: Remote;
let owner: { allows: boolean };
let folder: string;

function remoteOf(more: Partial<RemoteOptions> = {}): Remote {
  const pair = authority.server('02fe3c9a0001');
  return createRemote({
    clock: systemClock,
    identity: () => ({ ca: authority.certificate, ...pair }),
    allowed: () => owner.allows,
    noShell: () => null,
    openTerminal: openShell,
    connect: () => Promise.reject(new TargetRefused(403, 'no LAN')),
    log: () => {},
    ...more,
  });
}

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'yunxun-remote-'));
  authority = new TestAuthority();
  relay = await TestRelay.start(authority);
  owner = { allows: true };
  remote = remoteOf();
});
afterEach(async () => {
  await remote.close();
  await relay.stop();
  rmSync(folder, { recursive: true, force: true });
});

const newToken = () => randomBytes(16).toString('hex');

function paramsOf(token: string): Record<string, unknown> {
  return { tool: 'remote', session: randomUUID(), token, server: '127.0.0.1', port: relay.port, seconds: 60 };
}

async function open() {
  const token = newToken();
  const connected = relay.agent(token);
  const answer = await remote.command(paramsOf(token));
  if (answer.error !== 0) throw new Error(answer.text);
  return connected;
}

const runs = (mark: string) => spawnSync('pgrep', ['-f', mark], { encoding: 'utf8' }).stdout.trim() !== '';

describe.skipIf(!hasTerminals)('a shell', () => {
  it('has a terminal of the size that was asked for, and follows the window', async () => {
    const agent = await open();
    expect(agent.commonName).toBe('02fe3c9a0001');
    const shell = await agent.shell(132, 43);
    expect(shell.status).toBe(200);
    shell.type('stty size; tty\n');
    await shell.shows('43 132\r\n/dev/pts/');
    shell.type('until [ "$(stty size)" = "30 90" ]; do sleep 0.05; done; echo sized$((1+1))\n');
    expect(await agent.size(shell.id, 90, 30)).toBe(204);
    await shell.shows('sized2');
    expect(await agent.size('none', 90, 30)).toBe(404);
    expect(await agent.size(shell.id, 0, 30)).toBe(400);
  });

  it('loses no byte of 10 MB in either direction', async () => {
    const agent = await open();
    const shell = await agent.shell();
    const lines = randomBytes(7_500_000).toString('base64').replace(/.{76}/g, '$&\n');
    const [out, back] = [join(folder, 'out'), join(folder, 'in')];
    writeFileSync(out, lines);
    shell.type(`stty raw -echo; echo start-$((1+1)); cat ${out}; echo end-$((1+1)); stty raw\n`);
    await shell.shows('end-2');
    const { text } = shell;
    expect(text.slice(text.indexOf('start-2\n') + 8, text.lastIndexOf('end-2')) === lines).toBe(true);
    shell.clear();
    const read = `dd of=${back} bs=64k count=${lines.length} iflag=count_bytes,fullblock status=none`;
    shell.type(`echo take$((1+1)); ${read}; echo taken$((1+1))\n`);
    await shell.shows('take2');
    shell.type(lines);
    await shell.shows('taken2');
    const digest = (bytes: string | Buffer) => createHash('sha256').update(bytes).digest('hex');
    expect(digest(readFileSync(back))).toBe(digest(lines));
  }, 60_000);

  it('ends with its program', async () => {
    const agent = await open();
    const shell = await agent.shell();
    shell.type('exit\n');
    await shell.closed;
    expect(agent.session.destroyed).toBe(false);
  });

  it.each([
    ['the relay goes', (agent: Awaited<ReturnType<typeof open>>) => agent.session.destroy()],
    ['the agent ends', () => void remote.close()],
  ])('leaves no process behind when %s', async (_what, end) => {
    const agent = await open();
    const shell = await agent.shell();
    const seconds = 4_000_000 + Math.floor(Math.random() * 1_000_000);
    shell.type(`nohup sleep ${seconds} & sleep ${seconds + 1}\n`);
    await expect.poll(() => runs(`sleep ${seconds + 1}`)).toBe(true);
    end(agent);
    await shell.closed;
    await expect.poll(() => runs(`sleep ${seconds}`) || runs(`sleep ${seconds + 1}`)).toBe(false);
  });

  it('is opened by root for an agent without rights, over a socket', async () => {
    const path = join(folder, 'shell');
    const served = serveShells({ path }, openShell);
    remote = remoteOf({ openTerminal: (size) => openRootTerminal(size, path) });
    const agent = await open();
    const shell = await agent.shell(100, 50);
    shell.type(`stty size; printf '%s' ${'x'.repeat(100)}; echo\n`);
    await shell.shows(`50 100\r\n${'x'.repeat(100)}`);
    shell.type('until [ "$(stty size)" = "20 70" ]; do sleep 0.05; done; echo sized$((1+1))\n');
    await agent.size(shell.id, 70, 20);
    await shell.shows('sized2');
    shell.type('exit\n');
    await shell.closed;
    await served;
    expect((await agent.shell()).status).toBe(503);
  });
});

describe('the login unit of root', () => {
  it('ends a program that reads nothing when the agent has gone', async () => {
    const path = join(folder, 'shell');
    let hasBytes = false;
    const input = new Writable({
      write: () => {
        hasBytes = true;
      },
    });
    const close = vi.fn(async () => void input.destroy());
    const served = serveShells({ path }, async () => ({ input, output: new PassThrough(), resize: () => {}, close }));
    const terminal = await openRootTerminal({ columns: 80, rows: 24 }, path);
    terminal.input.write(randomBytes(1_000_000));
    await expect.poll(() => hasBytes).toBe(true);
    await terminal.close();
    await served;
    expect(close).toHaveBeenCalledOnce();
  });
});

describe('a session', () => {
  it('needs the consent of the owner of the host, even later', async () => {
    expect(remote.ability()).toEqual({ shell: true });
    owner.allows = false;
    expect(remote.ability()).toBeNull();
    expect(await remote.command(paramsOf(newToken()))).toMatchObject({
      error: 2,
      text: expect.stringContaining('owner'),
    });
  });

  it.each([
    ['session', 'x'],
    ['token', 'A'.repeat(32)],
    ['server', '-x'],
    ['port', 0],
    ['seconds', 'soon'],
  ])('is not opened with a wrong %s', async (key, value) => {
    const params = { ...paramsOf(newToken()), [key]: value };
    expect(await remote.command(params)).toEqual({ error: 2, text: 'invalid parameters' });
  });

  it('is not opened by a relay that refuses its token, that has a certificate of another authority, or that does not listen', async () => {
    expect(await remote.command(paramsOf(newToken()))).toEqual({ error: 1, text: 'token' });
    const other = new TestAuthority();
    const stranger = remoteOf({ identity: () => ({ ...other.server('x'), ca: other.certificate }) });
    expect(await stranger.command(paramsOf(newToken()))).toMatchObject({ error: 1 });
    const nowhere = { ...paramsOf(newToken()), port: 1 };
    expect(await remote.command(nowhere)).toMatchObject({ error: 1, text: expect.stringContaining('ECONNREFUSED') });
  });

  it('is not opened by a relay whose line has no end', async () => {
    const { certificate: cert, key } = authority.server('127.0.0.1');
    const ALPNProtocols = [remoteProtocols.agent];
    const endless = createTlsServer({ cert, key, ALPNProtocols }, (socket) => {
      socket.on('error', () => {}).write('x'.repeat(remoteLimits.lineBytes));
    }).listen(0, '127.0.0.1');
    await once(endless, 'listening');
    const { port } = endless.address() as AddressInfo;
    const answer = await remote.command({ ...paramsOf(newToken()), port });
    expect(answer).toEqual({ error: 1, text: 'not an answer of the relay' });
    endless.close();
  });

  it('is one of three, and ends when its time is over', async () => {
    const agents = await Promise.all([open(), open(), open()]);
    expect(await remote.command(paramsOf(newToken()))).toEqual({ error: 1, text: 'too many sessions' });
    agents[0].session.destroy();
    const token = newToken();
    const connected = relay.agent(token);
    await expect.poll(() => remote.command({ ...paramsOf(token), seconds: 1 })).toMatchObject({ error: 0 });
    await (await connected).closed();
  });
});

describe('a target', () => {
  const layout: Layout = {
    ...emptyLayout,
    interfaces: [
      { name: 'up0v0', location: '', role: 'upstream', device: 'wan1', ports: [] },
      { name: 'down1v0', location: '', role: 'downstream', device: 'lan1', ports: [] },
    ],
  };
  const own = (device: string, text: string, prefix: number) => {
    const parts = text.split('.').map(Number);
    return { device, text, prefix, address: parts.reduce((sum, part) => sum * 256 + part, 0) };
  };
  const subnets = [own('lan1', '10.1.0.1', 24), own('wan1', '198.51.100.3', 24), own('lo', '127.0.0.1', 8)];

  it('is a host of a LAN', () => {
    expect(checkTarget('10.1.0.20:22', layout, subnets)).toEqual({ address: '10.1.0.20', port: 22, from: '10.1.0.1' });
  });

  it.each([
    ['10.1.0.1:22', 'the gateway itself'],
    ['10.1.0.0:22', 'the network'],
    ['10.1.0.255:22', 'the broadcast address'],
    ['10.2.0.7:22', 'no LAN'],
    ['198.51.100.1:22', 'a host of a WAN'],
    ['198.51.100.3:22', 'the gateway, at its WAN'],
    ['127.0.0.1:22', 'loopback'],
    ['169.254.169.254:80', 'link-local'],
    ['224.0.0.1:80', 'multicast'],
    ['10.1.0.20:0', 'no port'],
    ['10.1.0.20', 'no port'],
    ['10.1.0.20:22:22', 'two ports'],
    ['010.1.0.20:22', 'octal'],
    ['printer:22', 'a name'],
    ['[fe80::1]:22', 'IPv6'],
  ])('is not %s: %s', (authorityText) => {
    expect(() => checkTarget(authorityText, layout, subnets)).toThrow(TargetRefused);
  });

  it('is not in a LAN that a WAN has too', () => {
    const both = [...subnets, own('wan2', '10.1.0.99', 25)];
    expect(() => checkTarget('10.1.0.20:22', layout, both)).toThrow(TargetRefused);
  });
});

describe('a connection to a target', () => {
  let echo: Server;
  beforeEach(async () => {
    echo = createServer((socket) => socket.on('error', () => {}).pipe(socket));
    await new Promise<void>((ready) => echo.listen(0, '0.0.0.0', ready));
    const { port } = echo.address() as AddressInfo;
    remote = remoteOf({
      connect(asked) {
        if (!asked.startsWith('10.1.0.20:')) return Promise.reject(new TargetRefused(403, 'no LAN'));
        return connectTarget({ address: '127.0.0.1', port: asked.endsWith(':7') ? port : 1, from: '127.0.0.1' });
      },
    });
  });
  afterEach(async () => {
    await new Promise<void>((done) => echo.close(() => done()));
  });

  it('carries 10 MB there and back, and ends with either side', async () => {
    const agent = await open();
    const stream = await agent.connect('10.1.0.20:7');
    expect(stream.status).toBe(200);
    const bytes = randomBytes(10_000_000);
    stream.stream.end(bytes);
    await stream.closed;
    expect(stream.bytes.equals(bytes)).toBe(true);
    const cut = await agent.connect('10.1.0.20:7');
    agent.session.destroy();
    await cut.closed;
    await expect.poll(() => new Promise((done) => echo.getConnections((_error, count) => done(count)))).toBe(0);
  });

  const [device] = Object.entries(networkInterfaces()).find(([name]) => name !== 'lo') ?? [];

  it.skipIf(device === undefined)('never leads to this machine', async () => {
    const own = ownSubnets().filter((subnet) => subnet.device === device);
    const lan = { name: 'down1v0', location: '', role: 'downstream', device: device!, ports: [] } as const;
    const layout: Layout = { ...emptyLayout, interfaces: [lan] };
    remote = remoteOf({ connect: async (asked) => connectTarget(checkTarget(asked, layout, ownSubnets())) });
    const agent = await open();
    const { port } = echo.address() as AddressInfo;
    for (const address of [...own.map(({ text }) => text), '127.0.0.1', '127.0.0.2', '0.0.0.0', '169.254.169.254']) {
      const { status, closed } = await agent.connect(`${address}:${port}`);
      expect([address, status]).toEqual([address, 403]);
      await closed;
    }
  });

  it('is refused with the reason', async () => {
    const agent = await open();
    const refused = await agent.connect('10.1.0.20:9');
    await refused.closed;
    expect([refused.status, refused.text]).toEqual([502, 'ECONNREFUSED']);
    const foreign = await agent.connect('10.9.0.1:22');
    await foreign.closed;
    expect([foreign.status, foreign.text]).toEqual([403, 'no LAN']);
  });
});
