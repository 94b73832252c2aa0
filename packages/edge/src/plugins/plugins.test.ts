import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { pluginLimits } from '@yunxun/contract/device';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { headerOf, makeKey, packArchive, signRelease } from '../../../plugins/pack.ts';
import { systemClock } from '../clock.ts';
import { createPlugins, type Plugins } from './index.ts';
import { confine, type Host, lookAtHost } from './sandbox.ts';

const { pem, key } = makeKey();
const origin = 'http://console.test';
const metrics = join(import.meta.dirname, '../../../plugins/metrics');

let folder: string;
let plugins: Plugins;
let offered: Buffer;

const open = () =>
  createPlugins({
    folder,
    clock: systemClock,
    origins: [origin],
    log: () => undefined,
    download: () => Promise.resolve(offered),
  });

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'plugins-'));
  // a plugin of root runs as another user
  chmodSync(folder, 0o755);
  plugins = open();
});
afterEach(async () => {
  await plugins.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** A busy machine starts a plugin, which has a low priority, after the answer. */
const state = () => plugins.states()[0];

const files = (code: string, more: object = {}) => ({
  'plugin.json': JSON.stringify({ id: 'probe', version: '1.0.0', main: 'main.mjs', ...more }),
  'main.mjs': code,
});
const forever = 'setInterval(() => {}, 1000);';

function offer(bytes: Buffer, more: object = {}) {
  offered = bytes;
  const release = signRelease(bytes, { id: 'probe', version: '1.0.0', arch: 'all' }, pem);
  return {
    tool: 'plugin',
    op: 'install',
    url: `${origin}/plugins/x`,
    key,
    permissions: [],
    memory_mb: 32,
    settings: {},
    ...release,
    ...more,
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

describe('a plugin', () => {
  it('is verified, runs, takes new settings, and leaves nothing behind', async () => {
    const port = await freePort();
    const settings = { address: '127.0.0.1', port, loopback: true };
    const read = (name: string) => readFileSync(join(metrics, name));
    const bytes = packArchive({ 'plugin.json': read('plugin.json'), 'main.mjs': read('main.mjs') });
    const named = { id: 'metrics', version: '1.0.0', arch: 'all' };
    const permissions = ['net.listen', 'host.read'];
    expect(
      await plugins.command(offer(bytes, { ...signRelease(bytes, named, pem), permissions, settings })),
    ).toMatchObject({ error: 0, tool: { plugins: [{ id: 'metrics', version: '1.0.0' }] } });
    await expect.poll(state).toMatchObject({ state: 'running' });
    const page = async (at: number) => (await fetch(`http://127.0.0.1:${at}/metrics`)).text();
    await expect.poll(() => page(port)).toMatch(/node_network_receive_bytes_total\{device="lo"\} \d+/);
    expect(await page(port)).toMatch(/node_memory_MemTotal_bytes \d{6,}/);
    const other = await freePort();
    await plugins.command({ tool: 'plugin', op: 'settings', id: 'metrics', settings: { ...settings, port: other } });
    await expect.poll(() => page(other)).toContain('node_load1');
    expect(await plugins.command({ tool: 'plugin', op: 'remove', id: 'metrics' })).toMatchObject({ error: 0 });
    expect(readdirSync(folder)).toEqual([]);
    await expect(page(other)).rejects.toThrow();
  });

  it.each([
    ['signature', () => offer(packArchive(files(forever)), { key: makeKey().key })],
    ['signature', () => offer(packArchive(files(forever)), { version: '1.0.1' })],
    ['signature', () => offer(packArchive(files(forever)), { signature: 'AA==' })],
    ['size', () => offer(packArchive(files(forever)), { size: 7 })],
    [
      'hash',
      () => {
        const asked = offer(packArchive(files(forever)));
        offered = Buffer.from(offered);
        offered[offered.length - 1]! ^= 1;
        return asked;
      },
    ],
    ['manifest', () => offer(packArchive(files(forever, { id: 'other' })))],
    ['manifest', () => offer(packArchive(files(forever, { main: 'absent.mjs' })))],
    ['path', () => offer(packArchive({ ...files(forever), '../evil': 'x' }))],
    ['path', () => offer(packArchive({ ...files(forever), '/etc/evil': 'x' }))],
    ['path', () => offer(gzipSync(Buffer.concat([headerOf('link', 0, '2'), Buffer.alloc(1024)])))],
    ['archive', () => offer(Buffer.from('no archive'))],
    ['archive', () => offer(gzipSync(Buffer.alloc(pluginLimits.unpacked + 1)))],
    ['arch', () => offer(packArchive(files(forever)), { arch: 'mips' })],
    ['request', () => offer(packArchive(files(forever)), { url: 'http://other.test/x' })],
    ['request', () => offer(packArchive(files(forever)), { id: '../probe' })],
  ])('is refused for its %s, and nothing is written', async (reason, asked) => {
    expect(await plugins.command(asked())).toEqual({ error: 1, text: reason });
    expect(readdirSync(folder)).toEqual([]);
  });

  it('cannot read the host, start programs or write outside its data', async () => {
    const code = `
      import { readFileSync, writeFileSync } from 'node:fs';
      import { spawnSync } from 'node:child_process';
      const tried = (act) => { try { act(); return 'open'; } catch { return 'closed'; } };
      const home = process.env.YUNXUN_PLUGIN_DATA;
      writeFileSync(home + '/kept', 'x');
      console.log([
        tried(() => readFileSync('/etc/passwd')), tried(() => readFileSync(home + '/../record.json')),
        tried(() => spawnSync('/bin/true').error === undefined || (() => { throw new Error(); })()),
        tried(() => writeFileSync(process.cwd() + '/main.mjs', '')), Object.keys(process.env).length,
        readFileSync(home + '/kept', 'utf8'),
      ].join(' '));
      ${forever}`;
    await plugins.command(offer(packArchive(files(code))));
    await expect.poll(state).toMatchObject({ state: 'running', log: ['closed closed closed closed 2 x'] });
  });

  it('that ends is started again and reported as failed', async () => {
    await plugins.command(offer(packArchive(files("console.log('no port'); process.exit(3);"))));
    await expect.poll(state).toMatchObject({ state: 'failed', reason: 'exited' });
    await expect.poll(() => state()?.log.filter((line) => line === 'no port').length).toBeGreaterThan(1);
    expect(state()?.log).toContain('exit code 3');
  });

  it('starts with the agent, and an interrupted installation is named', async () => {
    await plugins.command(offer(packArchive(files(forever))));
    await plugins.stop();
    const record = join(folder, 'probe/record.json');
    const before = JSON.parse(readFileSync(record, 'utf8')) as object;
    writeFileSync(record, JSON.stringify({ ...before, installing: '1.1.0' }));
    mkdirSync(join(folder, 'probe/code-1.1.0.new'));
    mkdirSync(join(folder, 'fresh/code-2.0.0.new'), { recursive: true });
    writeFileSync(
      join(folder, 'fresh/record.json'),
      JSON.stringify({ id: 'fresh', version: null, installing: '2.0.0' }),
    );
    plugins = open();
    plugins.start();
    await expect
      .poll(() => plugins.states())
      .toMatchObject([
        { id: 'fresh', version: null, state: 'failed', reason: 'interrupted' },
        { id: 'probe', version: '1.0.0', state: 'running' },
      ]);
    expect(existsSync(join(folder, 'probe/code-1.1.0.new'))).toBe(false);
    expect(existsSync(join(folder, 'fresh/code-2.0.0.new'))).toBe(false);
  });
});

it('is not run where the host cannot confine it', () => {
  const plugin = { code: '/c', data: '/d', main: 'main.mjs', permissions: [], memoryMb: 32 };
  const host: Host = { ...lookAtHost(), permissionFlag: '--permission', root: false, ambient: true, setpriv: null };
  expect(confine(plugin, host)).toBeNull();
  expect(confine(plugin, { ...host, permissionFlag: null, setpriv: '/usr/bin/setpriv' })).toBeNull();
  expect(confine(plugin, { ...host, setpriv: '/usr/bin/setpriv' })?.args).toContain('--no-new-privs');
});
