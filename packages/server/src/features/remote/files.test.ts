import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { remoteLimits } from '@yunxun/contract/device';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../../../../../tools/eventually.ts';
import { endDevices } from '../../../test/conformance/device-client.ts';
import { logHead } from '../../../test/endpoints.ts';
import { seedPerson } from '../../../test/seed-account.ts';
import { AgentFixture, sshHost } from './testing/agent-fixture.ts';
import { FilesPage, hashOf } from './testing/files-page.ts';
import { TerminalPage } from './testing/page.ts';
import { SftpHost } from './testing/sftp-host.ts';

const MiB = 1024 * 1024;
const gone = { type: 'failed', reason: 'none', detail: null };
let fixture: AgentFixture;
let addresses = 40;

beforeAll(async () => {
  fixture = await AgentFixture.start();
});
afterEach(() => fixture.endAll());
afterAll(async () => {
  await endDevices();
  await fixture.stop();
});

const owner = () => ({ token: fixture.owner.token });

async function session(host: SftpHost) {
  const ip = `192.168.1.${addresses++}`;
  const opened = await fixture.signIn(ip, { offer: (ssh) => host.serve(ssh) });
  return { ...opened, files: await FilesPage.open(fixture.server, opened.id, owner()) };
}

async function logged() {
  const { rows } = await fixture.server.db.database.systemPool.query<{
    after: object;
    command: boolean;
    operator: string;
  }>(
    "select after, command, operator from operation_log where account_id = $1 and action = 'remote.file' order by seq",
    [fixture.owner.accountId],
  );
  return rows;
}

describe('files of an SSH host', () => {
  it('are listed, written and read byte for byte, and each transfer is logged and counted', async () => {
    const host = new SftpHost({ '/home/root/notes': Buffer.from('abc') });
    const { id, files } = await session(host);
    const before = (await logged()).length;
    expect(await files.asks({ type: 'list', path: '' })).toEqual({
      type: 'list',
      path: '/home/root',
      entries: [{ name: 'notes', type: 'file', size: 3, modified: 1_700_000_000 }],
      more: false,
    });
    const sent = randomBytes(10 * MiB + 1);
    expect(await files.writes('/home/root/new', sent)).toEqual({ type: 'done' });
    expect(host.nodes.get('/home/root/new')?.bytes.equals(sent)).toBe(true);
    expect(host.paths()).toEqual(['/home/root/new', '/home/root/notes']);
    expect(await files.asks({ type: 'read', path: '/home/root/new' })).toEqual({ type: 'done' });
    expect(files.outputs[0]).toEqual({ type: 'reading', name: 'new', size: sent.length });
    expect(files.hash()).toBe(hashOf(sent));
    const [path, bytes] = ['/home/root/new', sent.length];
    expect((await logged()).slice(before)).toEqual([
      { after: { way: 'write', path, bytes }, command: true, operator: fixture.owner.email },
      { after: { way: 'read', path, bytes }, command: true, operator: fixture.owner.email },
    ]);
    await fixture.call('remote/end', { id });
    const ended = async () => {
      const { data } = await fixture.call<{ list: { id: string; bytes_up: number; bytes_down: number }[] }>(
        'remote/list',
        { limit: 50 },
      );
      return data.list.find((row) => row.id === id);
    };
    await expect.poll(async () => (await ended())?.bytes_up).toBeGreaterThanOrEqual(bytes);
    expect((await ended())?.bytes_down).toBeGreaterThanOrEqual(bytes);
  });

  it('are replaced only when asked, also where no name may exist', async () => {
    const host = new SftpHost({ '/etc/motd': Buffer.from('old') });
    const { files } = await session(host);
    expect(await files.writes('/etc/motd', Buffer.from('new'))).toMatchObject({ reason: 'exists' });
    expect(host.nodes.get('/etc/motd')?.bytes.toString()).toBe('old');
    expect(await files.writes('/etc/motd', Buffer.from('new'), true)).toEqual({ type: 'done' });
    expect(host.nodes.get('/etc/motd')?.bytes.toString()).toBe('new');
    expect(await files.writes('/etc/empty', Buffer.alloc(0))).toEqual({ type: 'done' });
    expect(host.paths()).toEqual(['/etc/empty', '/etc/motd']);
  });

  it('leave nothing of an upload that is broken off', async () => {
    const host = new SftpHost();
    const { id, files, page } = await session(host);
    const parts = () => host.paths().length;
    const begin = async (one: FilesPage) => {
      await one.starts('/home/root/part', 1000);
      one.send(Buffer.alloc(500));
      await expect.poll(parts).toBe(1);
    };
    await begin(files);
    files.say({ type: 'cancel' });
    expect(await files.hears('failed')).toMatchObject({ reason: 'cancelled' });
    await expect.poll(parts).toBe(0);
    await begin(files);
    files.send(Buffer.alloc(501));
    expect(await files.hears('failed')).toMatchObject({ reason: 'failed' });
    await expect.poll(parts).toBe(0);
    await begin(files);
    expect(await files.asks({ type: 'list', path: '' })).toMatchObject({ reason: 'failed' });
    await expect.poll(parts).toBe(0);
    const other = await FilesPage.open(fixture.server, id, owner());
    await begin(other);
    other.socket.terminate();
    await expect.poll(parts).toBe(0);
    await begin(files);
    await fixture.call('remote/end', { id });
    expect(await files.hears('failed')).toMatchObject({ reason: 'ended' });
    await files.leaves();
    await expect.poll(parts).toBe(0);
    expect(await page.hears('end')).toMatchObject({ reason: 'by_person' });
  });

  it('take along what a broken connection left in their folder an hour ago', async () => {
    const named = (name: string) => `/home/root/.yunxun-${name}`;
    const left = named('0000000000000000.part');
    const young = named('1111111111111111.part');
    const aside = named('2222222222222222.part.old');
    const foreign = named('notes.part');
    const host = new SftpHost(
      Object.fromEntries([left, young, aside, foreign].map((path) => [path, Buffer.from('x')])),
    );
    for (const path of [left, aside, foreign]) host.times.set(path, 1_700_000_000 - 3601);
    host.times.set(young, 1_700_000_000 - 3599);
    const { files } = await session(host);
    expect(await files.writes('/home/root/new', Buffer.from('new'))).toEqual({ type: 'done' });
    await expect.poll(() => host.paths()).toEqual([young, aside, foreign, '/home/root/new']);
  });

  it('are refused with the reason', async () => {
    const host = new SftpHost({ '/huge': Buffer.alloc(0), '/short': Buffer.from('abc') });
    host.sizes.set('/huge', remoteLimits.fileBytes + 1);
    host.nodes.set('/pipe', { type: 'fifo', bytes: Buffer.alloc(0) });
    const { files } = await session(host);
    const reasonOf = async (input: Parameters<FilesPage['asks']>[0]) => {
      const output = await files.asks(input);
      return output.type === 'failed' ? output.reason : output.type;
    };
    expect(await reasonOf({ type: 'read', path: '/home' })).toBe('other_kind');
    expect(await reasonOf({ type: 'read', path: '/pipe' })).toBe('other_kind');
    expect(await reasonOf({ type: 'list', path: '/short' })).toBe('other_kind');
    expect(await reasonOf({ type: 'read', path: '/huge' })).toBe('too_large');
    expect(await reasonOf({ type: 'read', path: '/none' })).toBe('not_found');
    expect(await reasonOf({ type: 'write', path: '/home', size: 1, replace: true })).toBe('other_kind');
    expect(await reasonOf({ type: 'write', path: '/protected/x', size: 1, replace: false })).toBe('denied');
    const large = { type: 'write', path: '/new', size: remoteLimits.fileBytes + 1, replace: false } as const;
    expect(await reasonOf(large)).toBe('too_large');
    for (const path of ['relative', '/a\0', `/${'a'.repeat(remoteLimits.pathBytes)}`])
      expect(await reasonOf({ type: 'read', path })).toBe('failed');
    expect(await reasonOf({ type: 'list', path: '/home' })).toBe('list');
  });

  it('wait for a page that reads nothing', async () => {
    const host = new SftpHost({ '/big': Buffer.alloc(0) });
    const size = 64 * MiB;
    host.sizes.set('/big', size);
    const { files } = await session(host);
    files.say({ type: 'read', path: '/big' });
    await files.hears('reading');
    files.socket.pause();
    let [before, same] = [-1, 0];
    await eventually(async () => {
      same = host.read === before ? same + 1 : 0;
      before = host.read;
      if (same <= 10) throw new Error(`${host.read} bytes were read`);
    });
    expect(before).toBeLessThan(size / 2);
    files.socket.resume();
    expect(await files.hears('done', 'failed')).toEqual({ type: 'done' });
    expect(files.bytes).toBe(size);
  });

  it('move no byte that is not logged', async () => {
    const host = new SftpHost({ '/a': Buffer.from('abc') });
    const { files } = await session(host);
    const { db } = fixture.server;
    await db.query("alter table operation_log add constraint no_files check (action <> 'remote.file') not valid", []);
    expect(await files.asks({ type: 'read', path: '/a' })).toEqual({ ...gone, reason: 'failed' });
    expect(await files.writes('/b', Buffer.from('b'))).toEqual({ ...gone, reason: 'failed' });
    await db.query('alter table operation_log drop constraint no_files', []);
    expect(files.bytes).toBe(0);
    await expect.poll(() => host.paths()).toEqual(['/a']);
  });

  it('have none where the host offers no SFTP', async () => {
    const { id } = await fixture.signIn(`192.168.1.${addresses++}`, {});
    const files = await FilesPage.open(fixture.server, id, owner());
    expect(await files.asks({ type: 'list', path: '' })).toMatchObject({ type: 'failed', reason: 'none' });
  });

  const program = '/usr/lib/openssh/sftp-server';
  it.skipIf(!existsSync(program) && !process.env.CI)('are those of OpenSSH (skipped without its server)', async () => {
    const home = mkdtempSync(join(tmpdir(), 'yunxun-files-'));
    writeFileSync(join(home, 'script'), 'old', { mode: 0o750 });
    symlinkSync(join(home, 'script'), join(home, 'link'));
    const { id } = await fixture.signIn(`192.168.1.${addresses++}`, {
      offer: (ssh) =>
        ssh.on('subsystem', (accept) => {
          const channel = accept();
          const server = spawn(program, ['-d', home], { stdio: ['pipe', 'pipe', 'ignore'] });
          channel.pipe(server.stdin);
          server.stdout.pipe(channel);
          channel.once('close', () => server.kill());
        }),
    });
    const files = await FilesPage.open(fixture.server, id, owner());
    const sent = randomBytes(3 * MiB);
    expect(await files.writes(join(home, 'new'), sent)).toEqual({ type: 'done' });
    expect(await files.asks({ type: 'read', path: join(home, 'new') })).toEqual({ type: 'done' });
    expect(files.hash()).toBe(hashOf(sent));
    expect(await files.writes(join(home, 'link'), sent)).toMatchObject({ reason: 'exists' });
    expect(await files.writes(join(home, 'link'), sent, true)).toEqual({ type: 'done' });
    expect(readFileSync(join(home, 'script')).equals(sent)).toBe(true);
    expect(statSync(join(home, 'script')).mode & 0o777).toBe(0o750);
    const listed = await files.asks({ type: 'list', path: '' });
    expect(listed).toMatchObject({ path: home, more: false });
    expect(readdirSync(home).toSorted()).toEqual(['link', 'new', 'script']);
    expect(listed.type === 'list' && listed.entries.find(({ name }) => name === 'link')).toMatchObject({
      type: 'link',
      size: sent.length,
    });
    rmSync(home, { recursive: true });
  });
});

describe('a page for files', () => {
  it('is refused to others, to a technician, without a terminal, and as the third', async () => {
    const host = new SftpHost();
    const { id, files } = await session(host);
    const stranger = await seedPerson(fixture.server);
    const first = async (of: string, proof: object) => {
      const page = await FilesPage.open(fixture.server, of, proof);
      if (page.outputs[0]?.type === 'failed') await page.leaves();
      return page.outputs[0];
    };
    expect(await first(id, { token: stranger.token })).toEqual(gone);
    expect(await first(id, { token: stranger.token, account: fixture.owner.accountId })).toEqual(gone);
    expect(await first(id, { link: 'A'.repeat(22) })).toEqual(gone);
    expect(await first('none', owner())).toEqual(gone);
    expect(await first(id, owner())).toEqual({ type: 'ready' });
    expect(await first(id, owner())).toMatchObject({ type: 'failed', reason: 'failed' });
    expect(await files.asks({ type: 'list', path: '/' })).toMatchObject({ type: 'list' });
    const waiting = await fixture.open(await fixture.peripheral(`192.168.1.${addresses++}`, sshHost()), 'ssh');
    expect(await first(waiting.id, owner())).toEqual(gone);
  });

  it('has no part in the session of a link', async () => {
    const asked = { serial: fixture.identity.serial, kind: 'shell', guest: 'Li', purpose: 'Repair', minutes: 15 };
    const made = await fixture.call<{ url: string }>('remote/link/create', asked);
    const opening = { secret: made.data.url.split('/').at(-1)!, cols: 80, rows: 24 };
    const { data } = await fixture.call<{ id: string; page: string }>('remote/link/open', opening);
    await fixture.join(await fixture.request());
    const page = await TerminalPage.open(fixture.server, data.id, { link: data.page, cols: 80, rows: 24 });
    await page.shows('box login: ');
    for (const proof of [{ link: data.page }, owner()])
      expect((await FilesPage.open(fixture.server, data.id, proof)).outputs).toEqual([gone]);
  });
});

describe('files of a gateway', () => {
  it('are listed, read and written through its agent', async () => {
    const { id, agent, page } = await fixture.open({ serial: fixture.identity.serial }, 'shell');
    await page.shows('box login: ');
    const files = await FilesPage.open(fixture.server, id, owner());
    expect(await files.asks({ type: 'list', path: '/etc' })).toMatchObject({ type: 'list', path: '/etc' });
    const sent = randomBytes(2 * MiB);
    expect(await files.writes('/etc/new', sent)).toEqual({ type: 'done' });
    expect(await files.asks({ type: 'read', path: '/etc/new' })).toEqual({ type: 'done' });
    expect(files.hash()).toBe(hashOf(sent));
    expect(await files.writes('/etc/new', sent)).toMatchObject({ reason: 'exists', detail: 'it exists' });
    expect(await files.asks({ type: 'read', path: '/none' })).toMatchObject({ reason: 'not_found' });
    await files.starts('/etc/part', 1000);
    files.send(Buffer.alloc(500));
    await expect.poll(() => agent.under).toBe(1);
    files.say({ type: 'cancel' });
    expect(await files.hears('failed')).toMatchObject({ reason: 'cancelled' });
    await expect.poll(() => agent.under).toBe(0);
    expect([...agent.files!.keys()]).toEqual(['/etc/new']);
  });

  it('are named as too old an agent’s, without asking it', async () => {
    const { data } = await fixture.call('remote/open', fixture.shellRequest());
    const agent = await fixture.join(await fixture.request());
    agent.files = null;
    const page = await TerminalPage.of(fixture.server, data.id, fixture.owner);
    await page.shows('box login: ');
    const before = await logHead(fixture.server, fixture.owner.accountId);
    const files = await FilesPage.open(fixture.server, data.id, owner());
    expect(await files.asks({ type: 'read', path: '/etc/passwd' })).toMatchObject({ reason: 'agent' });
    expect(await logHead(fixture.server, fixture.owner.accountId)).toBe(before);
  });
});
