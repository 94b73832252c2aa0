import { execFile, execFileSync } from 'node:child_process';
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { appendFileSync, chmodSync, chownSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { edgeUnboundMethod, remoteHeaders } from '@yunxun/contract/device';
import { type TestAgent, TestRelay, type TestShell } from '@yunxun/edge/testing';
import { expect, it } from 'vitest';
import { bundle, type LabHost, smallGateway, startHost } from './host.ts';
import { type Lab, startLab } from './lab.ts';
import { slowly } from './lab-console.ts';
import { labFixture } from './lab-fixture.ts';

/** Real login, pseudo-terminal and sshd; the relay is a double. */

const password = 'lab secret';
const target = '10.1.0.20';
const lena = 4_000;
const run = promisify(execFile);
let lab: Lab;
let host: LabHost;
let relay: TestRelay;

labFixture(async (own) => {
  lab = own(await startLab({ console: true }));
  host = own(await startHost(lab, { ownEtc: true }));
  relay = own(await TestRelay.start(host.console.authority, lab.console!));
  addPeople(join(host.folder, 'etc'));
  startRootSocket();
  await lab.run('a', 'ip', 'addr', 'add', `${target}/24`, 'dev', 'eth0');
  startSshd();
  await holdRoot();
  await host.start();
  expect(await host.configure(smallGateway(100)), host.log()).toMatchObject({ uuid: 100, status: { error: 0 } });
});

/** Root gets the password too. */
function addPeople(etc: string): void {
  const hash = execFileSync('openssl', ['passwd', '-6', password], { encoding: 'utf8' }).trim();
  const [passwd, shadow] = [join(etc, 'passwd'), join(etc, 'shadow')];
  const lines = readFileSync(shadow, 'utf8').replace(/^root:[^:]*:/m, () => `root:${hash}:`);
  writeFileSync(shadow, `${lines}lena:${hash}:20000:0:99999:7:::\n`);
  const home = join(lab.folder, 'lena');
  mkdirSync(home);
  chownSync(home, lena, lena);
  chmodSync(lab.folder, 0o755);
  appendFileSync(passwd, `lena:x:${lena}:${lena}::${home}:/bin/sh\n`);
}

/** As yunxun-edge-shell.socket and its service, whose end ends all their processes. */
function startRootSocket(): void {
  const folder = join(host.folder, 'run/yunxun-edge-root');
  mkdirSync(folder);
  const script = `mount --bind "$0/etc" /etc || exit
while :; do systemd-socket-activate -l "$1" "$2" "$3" shell; done`;
  const args = [host.folder, socketPath(), process.execPath, bundle()];
  lab.start('gw', 'unshare', ['-m', 'sh', '-c', script, ...args]);
}

const socketPath = () => join(host.folder, 'run/yunxun-edge-root/shell');

function startSshd(): void {
  const place = (name: string) => join(lab.folder, name);
  for (const name of ['host-key', 'user-key'])
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', place(name)]);
  mkdirSync('/run/sshd', { recursive: true });
  const lines = [
    `HostKey ${place('host-key')}`,
    `AuthorizedKeysFile ${place('user-key.pub')}`,
    `ListenAddress ${target}`,
    'StrictModes no',
    'UsePAM no',
    'PidFile none',
  ];
  writeFileSync(place('sshd_config'), `${lines.join('\n')}\n`);
  lab.start('a', '/usr/sbin/sshd', ['-D', '-e', '-f', place('sshd_config')]);
}

let held: Socket | null = null;

/** Keeps root's process, so that no test meets its end and its next start. */
async function holdRoot(): Promise<void> {
  if (held !== null && !held.destroyed) return;
  const connected = () =>
    new Promise<Socket | null>((resolve) => {
      const socket = connect(socketPath(), () => resolve(socket));
      socket.once('error', () => resolve(null));
    });
  await expect.poll(async () => (held = await connected()), slowly).not.toBeNull();
  // as SocketUser= does
  chownSync(socketPath(), 65_534, 65_534);
}

async function open(): Promise<TestAgent> {
  const session = await host.session();
  await holdRoot();
  const token = randomBytes(16).toString('hex');
  const connected = relay.agent(token);
  const where = { server: lab.console, port: relay.port, seconds: 600 };
  const reply = await session.command('yunxun.tool', { tool: 'remote', session: randomUUID(), token, ...where });
  expect(reply, host.log()).toMatchObject({ status: { error: 0 } });
  return connected;
}

async function logIn(shell: TestShell, name = 'root'): Promise<void> {
  await shell.shows('login: ');
  shell.type(`${name}\r`);
  await shell.shows('Password: ');
  shell.type(`${password}\r`);
  await shell.shows(name === 'root' ? '# ' : '$ ');
}

const runs = async (mark: string) => (await lab.try('gw', 'pgrep', '-f', mark)).stdout.trim() !== '';

it('asks for the box’s own user and password', async () => {
  const agent = await open();
  const shell = await agent.shell();
  await shell.shows('login: ');
  shell.type('root\r');
  await shell.shows('Password: ');
  shell.clear();
  shell.type('wrong\r');
  await shell.shows('Login incorrect');
  await logIn(shell);
  shell.type('id -u; tty\r');
  await shell.shows('0\r\n/dev/pts/');
  expect(shell.text).not.toContain(password);
  shell.type('exit\r');
  await shell.closed;
  agent.session.destroy();
});

it('shows a program of the full screen, which follows the window', async () => {
  const agent = await open();
  const shell = await agent.shell(80, 24);
  await logIn(shell);
  shell.type('busybox vi /etc/services\r');
  await shell.shows('\x1b[24;1H');
  expect(await agent.size(shell.id, 132, 45)).toBe(204);
  await shell.shows('\x1b[45;1H');
  shell.type(':q!\r');
  await shell.shows('\x1b[?1049l');
  agent.session.destroy();
});

it('loses nothing of 10 MB that a program prints', async () => {
  const agent = await open();
  const shell = await agent.shell();
  await logIn(shell);
  const text = randomBytes(7_500_000).toString('base64').replace(/.{76}/g, '$&\n');
  const file = join(lab.folder, 'long');
  writeFileSync(file, text);
  shell.type(`stty -onlcr -echo; printf 'start-%s\\n' 2; cat ${file}; echo end-$((1+1))\r`);
  await shell.shows('end-2');
  const printed = shell.text;
  expect(printed.slice(printed.indexOf('start-2\n') + 8, printed.lastIndexOf('end-2')) === text).toBe(true);
  agent.session.destroy();
});

// else the number of who started this test is in every process below
const isRecorded = readFileSync('/proc/self/loginuid', 'utf8') === '4294967295';

it.skipIf(!isRecorded)('serves files as the user of the login, and refuses them before the sign-in', async () => {
  const agent = await open();
  const shell = await agent.shell();
  await shell.shows('login: ');
  expect((await agent.files(shell.id, 'list', '')).status).toBe(401);
  await logIn(shell, 'lena');
  const bytes = randomBytes(1_000_000);
  const path = join(lab.folder, 'lena/sent');
  const size = { [remoteHeaders.size]: `${bytes.length}` };
  const sent = await agent.files(shell.id, 'write', path, size, (stream) => stream.end(bytes));
  expect([sent.status, statSync(path).uid, readFileSync(path).equals(bytes)]).toEqual([200, lena, true]);
  shell.clear();
  shell.type('exec su\r');
  await shell.shows('Password: ');
  shell.type(`${password}\r`);
  await shell.shows('# ');
  expect((await agent.files(shell.id, 'read', '/etc/shadow')).status).toBe(403);
  const listed = await agent.files(shell.id, 'list', '');
  expect(JSON.parse(listed.text)).toMatchObject({ path: join(lab.folder, 'lena'), entries: [{ name: 'sent' }] });
  const roots = await agent.shell();
  await logIn(roots);
  expect((await agent.files(roots.id, 'read', '/etc/shadow')).text).toContain('lena:');
  agent.session.destroy();
});

it('leaves nothing on the box when relay, agent or binding end', async () => {
  for (const end of ['relay', 'binding', 'agent'] as const) {
    const agent = await open();
    const shell = await agent.shell();
    await logIn(shell);
    const seconds = 4_000_000 + Math.floor(Math.random() * 1_000_000);
    shell.type(`nohup sleep ${seconds} & sleep ${seconds + 1}\r`);
    await expect.poll(() => runs(`sleep ${seconds + 1}`), slowly).toBe(true);
    if (end === 'relay') agent.session.destroy();
    else if (end === 'binding') (await host.session()).send(edgeUnboundMethod, {});
    else await host.end('SIGKILL');
    await shell.closed;
    await expect.poll(async () => (await runs(`sleep ${seconds}`)) || runs('exec login 3>&-'), slowly).toBe(false);
    if (end === 'agent') await host.start();
  }
});

it('carries SSH to a host of its LAN, with 10 MB in each direction', async () => {
  const agent = await open();
  const server = createServer((socket) => {
    socket.on('error', () => {});
    void agent.connect(`${target}:22`).then(({ stream, bytes }) => {
      // sshd speaks first
      socket.write(bytes);
      socket.pipe(stream);
      stream.on('data', (part: Buffer) => socket.write(part)).once('close', () => socket.end());
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const options = ['StrictHostKeyChecking=no', 'UserKnownHostsFile=/dev/null', 'LogLevel=ERROR', 'BatchMode=yes'];
  const login = ['-p', `${port}`, '-i', join(lab.folder, 'user-key'), 'root@127.0.0.1'];
  const ssh = (command: string) =>
    run('ssh', ['-F', '/dev/null', ...options.flatMap((option) => ['-o', option]), ...login, command], {
      encoding: 'buffer',
      maxBuffer: 64 << 20,
    });
  const bytes = randomBytes(10_000_000);
  const file = join(lab.folder, 'bytes');
  writeFileSync(file, bytes);
  const { stdout } = await ssh(`cat ${file}`);
  expect(stdout.equals(bytes)).toBe(true);
  const sent = ssh(`sha256sum`);
  sent.child.stdin?.end(bytes);
  expect((await sent).stdout.toString()).toContain(createHash('sha256').update(bytes).digest('hex'));
  server.close();
  agent.session.destroy();
});

it.each([
  [`${target}:23`, 502],
  ['10.1.0.1:22', 403],
  ['192.0.2.10:80', 403],
  ['198.51.100.1:53', 403],
  ['127.0.0.1:22', 403],
])('refuses a connection to %s', async (authority, status) => {
  const agent = await open();
  expect((await agent.connect(authority)).status).toBe(status);
  agent.session.destroy();
});

it('offers nothing when its owner says no', async () => {
  const session = await host.session();
  const abilities = async () => (await (await host.session()).message('connect')).params.capabilities;
  expect(await abilities()).toMatchObject({ yunxun: { abilities: { remote: true }, remote: { shell: true } } });
  writeFileSync(join(host.folder, 'etc/yunxun-edge/options.json'), JSON.stringify({ remote: false }));
  const params = { tool: 'remote', session: randomUUID(), token: 'ab'.repeat(16), server: lab.console, port: 1 };
  expect(await session.command('yunxun.tool', { ...params, seconds: 60 })).toMatchObject({ status: { error: 2 } });
  await host.start();
  expect(await abilities()).toMatchObject({ yunxun: { abilities: { remote: false } } });
  expect(await abilities()).not.toHaveProperty('yunxun.remote');
});
