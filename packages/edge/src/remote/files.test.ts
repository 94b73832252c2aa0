import { execFileSync } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import type { ClientHttp2Stream } from 'node:http2';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type RemoteDirectory, remoteHeaders, remoteLimits } from '@yunxun/contract/device';
import { buildSync } from 'esbuild';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../clock.ts';
import { type TestAgent, TestAuthority, TestRelay, type TestShell } from '../testing/index.ts';
import { createRemote, type Remote } from './index.ts';
import { openRootTerminal, serveShells } from './root-shell.ts';
import { personOf } from './sign-in.ts';
import { noTerminalBecause, openTerminal } from './terminal.ts';

const plainUser = 65_534;
/** Of processes that no login started: only below them does a number say who signed in. */
const isRecorded =
  process.getuid?.() === 0 &&
  (await noTerminalBecause()) === null &&
  existsSync('/proc/self/loginuid') &&
  readFileSync('/proc/self/loginuid', 'utf8') === '4294967295';

let place: string;
let command: string[];
beforeAll(() => {
  place = mkdtempSync(join(tmpdir(), 'yunxun-files-'));
  chmodSync(place, 0o755);
  const program = join(place, 'program.mjs');
  const contents =
    "import { actOnFile } from './file-program.ts'; await actOnFile(process.stdin, process.stdout); process.exit();";
  const stdin = { contents, resolveDir: import.meta.dirname };
  buildSync({ stdin, bundle: true, format: 'esm', platform: 'node', target: 'node20', outfile: program });
  command = [process.execPath, program];
});
afterAll(() => rmSync(place, { recursive: true, force: true }));

let relay: TestRelay;
let remote: Remote;
let agent: TestAgent;
let home: string;
let loginShell: string | null;
let ended: Promise<void>;

beforeEach(async () => {
  home = mkdtempSync(join(place, 'home-'));
  chownSync(home, plainUser, plainUser);
  loginShell = '/bin/sh';
  const find = async (uid: number) => {
    const person = await personOf(uid);
    return { ...person, home, shell: loginShell ?? person.shell };
  };
  const path = join(place, randomUUID());
  const authority = new TestAuthority();
  relay = await TestRelay.start(authority);
  ended = serveShells({ path }, (size) => openTerminal(size, 'sh', { command, personOf: find }));
  remote = createRemote({
    clock: systemClock,
    identity: () => ({ ca: authority.certificate, ...authority.server('02fe3c9a0001') }),
    allowed: () => true,
    noShell: () => null,
    openTerminal: (size) => openRootTerminal(size, path),
    connect: () => Promise.reject(new Error('no LAN')),
    log: () => {},
  });
  const token = randomBytes(16).toString('hex');
  const connected = relay.agent(token);
  const where = { server: '127.0.0.1', port: relay.port, seconds: 60 };
  await remote.command({ tool: 'remote', session: randomUUID(), token, ...where });
  agent = await connected;
});
afterEach(async () => {
  await remote.close();
  await relay.stop();
  await ended;
});

/** As `login` and pam_loginuid do: the number in root's own process, the person's shell below it. */
async function signIn(how = ''): Promise<TestShell> {
  const shell = await agent.shell();
  const rights = `--reuid ${plainUser} --regid ${plainUser} --clear-groups`;
  shell.type(`echo ${plainUser} >/proc/self/loginuid; ${how} setpriv ${rights} sh -c 'echo in-$((1+1)); exec sh'\n`);
  await shell.shows('in-2');
  return shell;
}

const write = (shell: TestShell, path: string, bytes: Buffer, more: Record<string, string> = {}) =>
  agent.files(shell.id, 'write', path, { [remoteHeaders.size]: `${bytes.length}`, ...more }, (stream) =>
    stream.end(bytes),
  );
const answerOf = ({ status, text }: TestShell): [number, string] => [status, text];

function whenPart(_begun: boolean, then: () => void): void {
  const look = () => (readdirSync(home).length === 1 ? then() : setTimeout(look, 20));
  look();
}

describe.skipIf(!isRecorded)('files of a shell', () => {
  it('need a person who signed in, whose login shell runs programs', async () => {
    const shell = await agent.shell();
    shell.type('echo ready-$((1+1))\n');
    await shell.shows('ready-2');
    expect(answerOf(await agent.files(shell.id, 'list', ''))).toEqual([401, 'there was no sign-in at this shell']);
    expect((await agent.files('none', 'list', '')).status).toBe(404);
    shell.type(`echo ${plainUser} >/proc/self/loginuid; echo done-$((1+1))\n`);
    await shell.shows('done-2');
    expect((await agent.files(shell.id, 'list', '')).status).toBe(200);
    loginShell = null;
    expect(answerOf(await agent.files(shell.id, 'list', ''))).toEqual([
      403,
      'the login shell of this user runs no other program',
    ]);
  });

  it.each([
    ['where PAM noted no user', `setpriv --reuid ${plainUser} --clear-groups sh`],
    ['where the login became the shell', `exec setpriv --reuid ${plainUser} --clear-groups sh`],
  ])('are refused %s, though a person notes root', async (_what, become) => {
    const shell = await agent.shell();
    shell.type(`${become}\n`);
    shell.type('echo 0 >/proc/self/loginuid; echo is-$(cat /proc/self/loginuid)-$((1+1))\n');
    await shell.shows('is-0-2');
    const answer = await agent.files(shell.id, 'read', '/etc/shadow');
    expect(answerOf(answer)).toEqual([501, 'the host does not record who signed in (pam_loginuid)']);
  });

  it('are those of the person who signed in, also after that person becomes another', async () => {
    const shell = await signIn();
    const bytes = randomBytes(3_000_000);
    expect(answerOf(await write(shell, join(home, 'names 中.bin'), bytes))).toEqual([200, '']);
    const made = statSync(join(home, 'names 中.bin'));
    expect([made.uid, made.mode & 0o777]).toEqual([plainUser, 0o666 & ~process.umask()]);
    const back = await agent.files(shell.id, 'read', join(home, 'names 中.bin'));
    expect([back.status, back.size, back.bytes.equals(bytes)]).toEqual([200, bytes.length, true]);
    expect((await agent.files(shell.id, 'read', '/etc/shadow')).status).toBe(403);
    expect((await write(shell, '/etc/yunxun-test', bytes)).status).toBe(403);
    expect((await agent.files(shell.id, 'read', join(home, 'none'))).status).toBe(404);
    // the program below `login` is root's, as after su
    const second = await agent.shell();
    second.type(`echo ${plainUser} >/proc/self/loginuid; sh -c 'id -u; echo su-$((1+1)); exec sh'\n`);
    await second.shows('0\r\nsu-2');
    expect((await agent.files(second.id, 'read', '/etc/shadow')).status).toBe(403);
  });

  it('are listed with folders first, without names that are not UTF-8', async () => {
    mkdirSync(join(home, 'folder'));
    writeFileSync(join(home, 'a file'), 'four');
    writeFileSync(Buffer.concat([Buffer.from(`${home}/`), Buffer.from([0xff, 0xfe])]), '');
    symlinkSync('a file', join(home, 'link'));
    const shell = await signIn();
    const answer = await agent.files(shell.id, 'list', '');
    const modified = expect.any(Number) as number;
    const entries: RemoteDirectory['entries'] = [
      { name: 'folder', type: 'directory', size: 0, modified },
      { name: 'a file', type: 'file', size: 4, modified },
      { name: 'link', type: 'link', size: 4, modified },
    ];
    expect(JSON.parse(answer.text)).toEqual({ path: home, entries, more: false });
    for (let i = 0; i < remoteLimits.entries; i += 1) writeFileSync(join(home, 'folder', `${i}`), '');
    expect(JSON.parse((await agent.files(shell.id, 'list', join(home, 'folder'))).text)).toMatchObject({ more: false });
    writeFileSync(join(home, 'folder', 'one more'), '');
    const cut = JSON.parse((await agent.files(shell.id, 'list', join(home, 'folder'))).text) as RemoteDirectory;
    expect([cut.entries.length, cut.more]).toEqual([remoteLimits.entries, true]);
  });

  it('are replaced only when asked, with their rights', async () => {
    const path = join(home, 'kept');
    writeFileSync(path, 'old');
    chownSync(path, plainUser, plainUser);
    chmodSync(path, 0o640);
    const shell = await signIn();
    expect((await write(shell, path, Buffer.from('new'))).status).toBe(409);
    expect(readFileSync(path, 'utf8')).toBe('old');
    expect((await write(shell, path, Buffer.from('new'), { [remoteHeaders.replace]: 'yes' })).status).toBe(200);
    expect([readFileSync(path, 'utf8'), statSync(path).mode & 0o777]).toEqual(['new', 0o640]);
    expect(readdirSync(home)).toEqual(['kept']);
  });

  const size = 1_000_000;
  const half = (stream: ClientHttp2Stream) => stream.write(randomBytes(size / 2));
  it.each<[string, (stream: ClientHttp2Stream, shell: TestShell) => void, number]>([
    ['with too few bytes', (stream) => void stream.end(randomBytes(size / 2)), 400],
    ['with too many bytes', (stream) => void stream.end(randomBytes(size * 2)), 400],
    ['that was given up', (stream) => whenPart(half(stream), () => stream.close()), 0],
    ['whose shell ended', (stream, shell) => whenPart(half(stream), () => shell.stream.close()), 503],
  ])('leave nothing of an upload %s', async (_what, body, status) => {
    const shell = await signIn();
    const headers = { [remoteHeaders.size]: `${size}` };
    const answer = await agent.files(shell.id, 'write', join(home, 'new'), headers, (stream) => body(stream, shell));
    expect(answer.status).toBe(status);
    await expect.poll(() => readdirSync(home)).toEqual([]);
  });

  it('are plain, of a size that fits, and two at once', async () => {
    execFileSync('mkfifo', [join(home, 'pipe')]);
    chmodSync(join(home, 'pipe'), 0o666);
    writeFileSync(join(home, 'large'), '');
    truncateSync(join(home, 'large'), remoteLimits.fileBytes + 1);
    const shell = await signIn();
    expect((await agent.files(shell.id, 'read', join(home, 'pipe'))).status).toBe(415);
    expect((await agent.files(shell.id, 'read', '/dev/zero')).status).toBe(415);
    expect((await agent.files(shell.id, 'read', home)).status).toBe(415);
    expect((await agent.files(shell.id, 'list', join(home, 'pipe'))).status).toBe(415);
    expect((await agent.files(shell.id, 'read', join(home, 'large'))).status).toBe(413);
    expect((await agent.files(shell.id, 'read', 'home')).status).toBe(400);
    const streams: ClientHttp2Stream[] = [];
    const begun = ['one', 'two'].map((name) =>
      agent.files(shell.id, 'write', join(home, name), { [remoteHeaders.size]: '2' }, (stream) => {
        streams.push(stream);
        stream.write('x');
      }),
    );
    await expect.poll(() => readdirSync(home).filter((name) => name.startsWith('.yunxun-')).length).toBe(2);
    expect((await agent.files(shell.id, 'list', '')).status).toBe(503);
    for (const stream of streams) stream.end('y');
    expect((await Promise.all(begun)).map(({ status }) => status)).toEqual([200, 200]);
    expect(readFileSync(join(home, 'two'), 'utf8')).toBe('xy');
  });
});
