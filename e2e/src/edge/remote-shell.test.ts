import { execFileSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type RemoteInput, type RemoteOutput, remoteTerminalPath } from '@yunxun/contract/remote-terminal';
import { afterEach, expect, it } from 'vitest';
import WebSocket from 'ws';
import { type LabConsole, slowly, startLabConsole } from './lab-console.ts';
import { labFixture } from './lab-fixture.ts';
import { startRemoteBox } from './remote-box.ts';

/** A real sshd behind a real box, by a real console. */

const password = 'lab secret';
const mebibyte = 1024 * 1024;
const sum = (text: string) => createHash('sha256').update(text).digest('hex');
let lab: LabConsole;
let device = '';
let peripheral = '';
let page: ShellPage | undefined;

labFixture(async (own) => {
  lab = own(await startLabConsole({ dhcpOnWans: true, settings: { YUNXUN_REMOTE_PORT: '0' } }));
  peripheral = '';
});
afterEach(async () => {
  page?.socket.terminate();
  if (page) await lab.ask('/api/v3/remote/end', { id: page.id });
  page = undefined;
});

class ShellPage {
  readonly id: string;
  readonly socket: WebSocket;
  readonly outputs: RemoteOutput[] = [];
  #chunks: Buffer[] = [];
  bytes = 0;

  constructor(id: string) {
    this.id = id;
    this.socket = new WebSocket(`${lab.url.replace('http', 'ws')}${remoteTerminalPath}?session=${id}`);
    this.socket.once('open', () => this.socket.send(JSON.stringify({ token: lab.owner.token, cols: 80, rows: 24 })));
    this.socket.on('message', (data: Buffer, isBinary) => {
      if (!isBinary) return void this.outputs.push(JSON.parse(data.toString()) as RemoteOutput);
      this.#chunks.push(data);
      this.bytes += data.length;
    });
  }

  get shown(): string {
    const all = Buffer.concat(this.#chunks);
    this.#chunks = [all];
    return all.toString('latin1');
  }

  say(input: RemoteInput): void {
    this.socket.send(JSON.stringify(input));
  }

  type(text: string): void {
    this.socket.send(Buffer.from(text));
  }

  async shows(text: string): Promise<void> {
    await expect.poll(() => this.shown.slice(-100_000), slowly).toContain(text);
  }

  /** The last of that type, once there are `count`. */
  async hears<T extends RemoteOutput['type']>(type: T, count = 1): Promise<RemoteOutput> {
    const all = () => this.outputs.filter((one) => one.type === type);
    await expect.poll(() => all().length, slowly).toBe(count);
    return all().at(-1)!;
  }
}

async function joined(): Promise<void> {
  if (peripheral !== '') return;
  const box = await startRemoteBox(lab);
  device = box.device;
  await startSshd();
  peripheral = await box.register({ name: 'Till', type: 'server', shell_port: 22 });
}

/** Without PAM it asks /etc/shadow, of which it has a copy with another password of root. */
async function startSshd(): Promise<void> {
  const at = (name: string) => join(lab.lab.folder, name);
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', at('host-key')]);
  const hash = execFileSync('openssl', ['passwd', '-6', password], { encoding: 'utf8' }).trim();
  const shadow = readFileSync('/etc/shadow', 'utf8').replace(/^root:[^:]*:/m, () => `root:${hash}:`);
  writeFileSync(at('shadow'), shadow, { mode: 0o600 });
  const lines = [
    `HostKey ${at('host-key')}`,
    `ListenAddress ${device}`,
    'PermitRootLogin yes',
    'PasswordAuthentication yes',
    'UsePAM no',
    'PidFile none',
    // neither greeting nor history of the machine that runs this
    'ForceCommand sh',
    'PrintMotd no',
    'PrintLastLog no',
  ];
  writeFileSync(at('sshd_config'), `${lines.join('\n')}\n`);
  const script = 'mkdir -p /run/sshd && mount --bind "$0" /etc/shadow && exec /usr/sbin/sshd -D -e -f "$1"';
  lab.lab.start('a', 'unshare', ['-m', 'sh', '-c', script, at('shadow'), at('sshd_config')]);
  const listens = async () => (await lab.lab.try('a', 'ss', '-Hltn', 'sport = :22')).stdout;
  await expect.poll(listens, slowly).toContain(device);
}

async function opened(): Promise<ShellPage> {
  await joined();
  const asked = { peripheral_id: peripheral, kind: 'ssh', purpose: 'Look', cols: 80, rows: 24 };
  const { id } = (await lab.ask<{ id: string }>('/api/v3/remote/open', asked)).data;
  page = new ShellPage(id);
  await page.hears('login');
  return page;
}

async function signedIn(): Promise<ShellPage> {
  const shell = await opened();
  shell.say({ type: 'login', user: 'root', password });
  await shell.shows('# ');
  return shell;
}

it('asks again after a wrong password, then shows the shell of the host', async () => {
  const shell = await opened();
  shell.say({ type: 'login', user: 'root', password: 'wrong' });
  expect(await shell.hears('login', 2)).toMatchObject({ again: true });
  shell.say({ type: 'login', user: 'root', password });
  await shell.shows('# ');
  shell.type('echo $SSH_CONNECTION; id -u\r');
  // the agent's own address in the LAN, and the host's
  await shell.shows(`${device} 22\r\n0\r\n`);
  shell.type('exit\r');
  expect(await shell.hears('end')).toMatchObject({ reason: 'closed' });
});

it('shows a program of the full screen, which follows the window', async () => {
  const shell = await signedIn();
  shell.type('busybox vi /etc/services\r');
  await shell.shows('\x1b[24;1H');
  shell.say({ type: 'size', cols: 132, rows: 45 });
  await shell.shows('\x1b[45;1H');
  shell.type(':q!\r');
  await shell.shows('\x1b[?1049l');
  shell.type('stty size\r');
  await shell.shows('45 132');
});

it('loses nothing of 10 MB that a program prints', async () => {
  const shell = await signedIn();
  const text = randomBytes(7_500_000).toString('base64').replace(/.{76}/g, '$&\n');
  const file = join(lab.lab.folder, 'long');
  writeFileSync(file, text);
  shell.type(`stty -onlcr -echo; printf 'start-%s\\n' 2; cat ${file}; echo end-$((1+1))\r`);
  await shell.shows('end-2');
  const { shown } = shell;
  const printed = shown.slice(shown.indexOf('start-2\n') + 8, shown.lastIndexOf('end-2'));
  expect([printed.length, sum(printed)]).toEqual([text.length, sum(text)]);
});

it('keeps a program waiting for a page that reads nothing, and goes on with it', async () => {
  const shell = await signedIn();
  const file = join(lab.lab.folder, 'longer');
  const length = 100 * mebibyte;
  writeFileSync(file, '');
  truncateSync(file, length);
  shell.type("stty -echo; printf 'ready-%s\\n' 2\r");
  await shell.shows('ready-2\r\n# ');
  const before = shell.bytes;
  shell.socket.pause();
  shell.type(`cat ${file}; echo end-$((1+1))\r`);
  const read = async () => {
    const pid = (await lab.lab.try('a', 'pgrep', '-fx', `cat ${file}`)).stdout.trim();
    return pid === '' ? 0 : Number(/^rchar: (\d+)$/m.exec(readFileSync(`/proc/${pid}/io`, 'utf8'))?.[1]);
  };
  let last = -1;
  const waits = async () => {
    const now = await read();
    const isStill = now > 0 && now === last;
    last = now;
    return isStill;
  };
  await expect.poll(waits, { ...slowly, interval: 2000 }).toBe(true);
  // what the connections, the host's SSH and the console have taken
  expect(last / mebibyte).toBeLessThan(24);
  shell.socket.resume();
  await expect.poll(() => shell.bytes, slowly).toBeGreaterThan(before + length);
  await shell.shows('end-2');
});
