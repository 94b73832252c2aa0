import { execFile } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fastify, { type FastifyInstance } from 'fastify';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createAgentSigner } from './agent-signer.ts';
import { edgeBundlePath, mountEdgeBundle } from './edge-bundle.ts';
import { enrolScript } from './enrol-script.ts';
import { fetchers, program, shells } from './testing/shells.ts';

if (fetchers.length === 0 && process.env.CI)
  throw new Error('enroll.sh is tested with curl or wget; in CI one must be there');

const tools = 'cat cut id mkdir mktemp rm sed tr uname'.split(' ');
const network = 'nft tc bridge dnsmasq conntrack tcpdump ping'.split(' ');
const agent = `
import { appendFileSync, existsSync } from 'node:fs';
const root = process.env.YUNXUN_EDGE_ROOT;
const call = process.argv.slice(2);
appendFileSync(root + '/calls', JSON.stringify({ call, umask: process.umask() }) + '\\n');
if (existsSync(root + '/refuse-' + call[0])) { console.error('refused'); process.exit(1); }
if (existsSync(root + '/offline-' + call[0])) { console.error('not online: no route'); process.exit(4); }
`;

let built: string;
let app: FastifyInstance;
let url: string;
let instead: Record<string, string>;
let root: string;

beforeAll(async () => {
  built = mkdtempSync(join(tmpdir(), 'yunxun-edge-dist-'));
  writeFileSync(join(built, 'yunxun-edge.mjs'), agent);
  writeFileSync(join(built, 'version'), '1.2.3\n');
  app = fastify();
  app.addHook('onSend', async (request, _reply, body) => instead[request.url] ?? body);
  mountEdgeBundle(app, built, createAgentSigner(Buffer.alloc(32, 7)));
  url = await app.listen({ host: '127.0.0.1', port: 0 });
});
afterAll(async () => {
  await app.close();
  rmSync(built, { recursive: true });
});

beforeEach(() => {
  instead = {};
  root = mkdtempSync(join(tmpdir(), 'yunxun-root-'));
  for (const folder of ['etc', 'tmp', 'bin']) mkdirSync(join(root, folder));
  symlinkSync(process.execPath, join(root, 'bin/node'));
  for (const name of [...network, 'ip', 'busybox']) put(name, '');
});
afterEach(() => rmSync(root, { recursive: true }));

function put(name: string, text: string): void {
  const path = join(root, 'bin', name);
  rmSync(path, { force: true });
  writeFileSync(path, `#!/bin/sh\n${text}\n`);
  chmodSync(path, 0o755);
}
const lack = (name: string) => rmSync(join(root, 'bin', name));
const lines = (file: string) =>
  existsSync(join(root, file)) ? readFileSync(join(root, file), 'utf8').trim().split('\n') : [];
const calls = () => lines('calls').map((line) => (JSON.parse(line) as { call: string[] }).call);

function run(
  parameters: string[],
  { shell = shells[0]!, fetcher = fetchers[0]!, hasher = 'sha256sum', console = url, env = {} } = {},
): Promise<{ code: number; output: string }> {
  const [name, options] = shell;
  const bin = join(root, 'bin');
  const origin = (tool: string) => program(name === 'busybox' && !/openssl|curl/.test(tool) ? 'busybox' : tool);
  for (const tool of [...tools, hasher, fetcher]) symlinkSync(origin(tool), join(bin, tool));
  return new Promise((resolve) => {
    const child = execFile(
      program(name),
      [...options, '-s', '--', ...parameters],
      { env: { PATH: bin, ENROLL_ROOT: root, ...env }, cwd: root },
      (error, out, output) => resolve({ code: error ? Number(error.code) : 0, output: out + output }),
    );
    child.stdin?.end(`umask 077\n${enrolScript(console)}`);
  });
}

describe.skipIf(fetchers.length === 0)('enroll.sh on a Linux machine', () => {
  describe.each(shells)('in %s %s', (...shell) => {
    test.each(fetchers)(
      'takes the agent with %s, has it install and enrol itself, and leaves nothing',
      async (fetcher) => {
        const { code, output } = await run(['ABCDE-12345'], { shell, fetcher });
        expect(output).toContain('Installing version 1.2.3');
        expect(code).toBe(0);
        expect(calls()).toEqual([['install'], ['enroll', '--', url, 'ABCDE-12345']]);
        expect(lines('calls').every((line) => line.includes('"umask":18'))).toBe(true);
        expect(readdirSync(join(root, 'tmp'))).toEqual([]);
      },
    );

    test('runs nothing of a bundle that is not the one of the statement', async () => {
      instead[edgeBundlePath] = `${agent}// changed`;
      const { code, output } = await run(['ABC'], { shell });
      expect(output).toContain('not the bundle that the console signed');
      expect(code).toBe(1);
      expect(calls()).toEqual([]);
    });

    test('names the packages that are missing, and changes nothing', async () => {
      for (const name of ['node', 'nft', 'tc', 'bridge']) lack(name);
      put('apt-get', `echo "$*" >> ${root}/installed`);
      const { code, output } = await run(['ABC'], { shell });
      expect(code).toBe(3);
      expect(output).toContain('apt-get install nodejs nftables iproute2\n');
      expect(output).toContain('ENROLL_INSTALL=1');
      expect(lines('installed')).toEqual([]);
      expect(calls()).toEqual([]);
    });
  });

  test.skipIf(!program('openssl'))('checks with openssl where there is no sha256sum', async () => {
    expect((await run(['ABC'], { hasher: 'openssl' })).code).toBe(0);
  });

  test('passes the network on', async () => {
    await run(['ABC', '0199d0aa-0000-7000-8000-000000000001']);
    expect(calls()[1]).toEqual(['enroll', '--gwid=0199d0aa-0000-7000-8000-000000000001', '--', url, 'ABC']);
  });

  test('installs missing packages on request, and goes on', async () => {
    for (const name of ['node', 'conntrack']) lack(name);
    const link = (name: string, to: string) => `${program('ln')} -sf ${to} ${root}/bin/${name}`;
    put(
      'apt-get',
      `echo "$*" >> ${root}/installed\n[ "$2" = update ] || { ${link('node', process.execPath)}; ${link('conntrack', '/bin/true')}; }`,
    );
    const { code, output } = await run(['ABC'], { env: { ENROLL_INSTALL: '1' } });
    expect(output).toContain('Installing: nodejs conntrack');
    expect(code).toBe(0);
    expect(lines('installed')).toEqual(['-q update', '-q -y --no-install-recommends install nodejs conntrack']);
    expect(calls()).toHaveLength(2);
  });

  test.each([
    ['a Node.js that is too old', () => put('node', 'echo v18.19.0'), ['needs', 'node', 'here is v18.19.0']],
    ['an ip that speaks no JSON', () => put('ip', 'exit 1'), ['opkg install ip-full']],
  ])('counts %s as missing', async (_, change, words) => {
    change();
    put('opkg', `echo "$*" >> ${root}/installed`);
    const { code, output } = await run(['ABC']);
    expect(code).toBe(3);
    for (const word of words) expect(output).toContain(word);
    expect(lines('installed')).toEqual([]);
  });

  test('says what will not work without a program, and goes on', async () => {
    lack('dnsmasq');
    const { code, output } = await run(['ABC']);
    expect(output).toContain('without dnsmasq some of it will not work');
    expect(code).toBe(0);
  });

  test.each([
    ['no statement', '<html>'],
    ['a version with a command in it', '{"version":"$(id)","sha256":""}'],
    ['no digest', '{"version":"1.2.3","sha256":""}'],
  ])('runs nothing when the console sends %s', async (_, statement) => {
    instead[`${edgeBundlePath}.sig`] = statement;
    const { code, output } = await run(['ABC']);
    expect(output).toContain('names no version');
    expect(code).toBe(1);
    expect(calls()).toEqual([]);
  });

  test('says so when the console was built without the agent, or cannot be reached', async () => {
    const without = fastify();
    mountEdgeBundle(without, null, createAgentSigner(Buffer.alloc(32)));
    const address = await without.listen({ host: '127.0.0.1', port: 0 });
    const { code, output } = await run(['ABC'], { console: address });
    await without.close();
    expect(code).toBe(1);
    expect(output).toContain('built without the agent');
    expect(output).toContain('YUNXUN_PUBLIC_URL');
    expect(calls()).toEqual([]);
  });

  test.each([
    ['install', 'could not be installed', 1],
    ['enroll', 'installed, but not bound', 2],
  ])('passes a failure to %s on', async (step, words, count) => {
    writeFileSync(join(root, `refuse-${step}`), '');
    const { code, output } = await run(['ABC']);
    expect(code).toBe(1);
    expect(output).toContain(words);
    expect(calls()).toHaveLength(count);
  });

  test('fails with the reason when the agent is bound and does not come online', async () => {
    writeFileSync(join(root, 'offline-enroll'), '');
    const { code, output } = await run(['ABC']);
    expect(code).toBe(1);
    expect(output).toMatch(/not online: no route\n.*is bound, but its agent is not online/);
  });

  test.each([
    ['no binding code', ['']],
    ['a binding code that would break out', ['A";$(id)']],
    ['a network id that would break out', ['ABC', '--x']],
  ])('refuses %s before it does anything', async (_, parameters) => {
    expect((await run(parameters)).code).toBe(1);
    expect(calls()).toEqual([]);
  });
});
