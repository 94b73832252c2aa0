import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { remoteTerminalPath } from '@yunxun/contract/remote-terminal';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import WebSocket from 'ws';
import { eventually } from '../../../tools/eventually.ts';
import { exampleOf } from './operation-guide.ts';
import { type Registered, startTestServer, type TestServer } from './server.ts';

/** Only the proxy, because test clients use loopback too. */
const proxyAddress = '127.0.0.1';
const visitor = '127.0.0.2';

interface Proxy {
  port: number;
  stop(): Promise<void>;
}

let server: TestServer;
let owner: Registered;
const dir = mkdtempSync(join(tmpdir(), 'yunxun-proxy-'));
const certificate = join(dir, 'cert.pem');
const key = join(dir, 'key.pem');

beforeAll(async () => {
  server = await startTestServer({ config: { trustedProxies: [proxyAddress], publicUrl: 'https://localhost' } });
  owner = await server.register();
  execFileSync(
    'openssl',
    [
      'req',
      '-x509',
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:prime256v1',
      '-nodes',
      '-days',
      '2',
      '-subj',
      '/CN=localhost',
      '-addext',
      'subjectAltName=DNS:localhost',
      '-keyout',
      key,
      '-out',
      certificate,
    ],
    { stdio: 'ignore' },
  );
});
afterAll(async () => {
  await server.stop();
  rmSync(dir, { recursive: true, force: true });
});

async function freePort(): Promise<number> {
  const socket = createServer().listen(0, proxyAddress);
  await once(socket, 'listening');
  const { port } = socket.address() as AddressInfo;
  socket.close();
  await once(socket, 'close');
  return port;
}

function replaced(text: string, from: string, to: string, times = 1): string {
  expect(text.split(from).length - 1, from).toBe(times);
  return text.replaceAll(from, to);
}

async function run(program: string, args: string[], port: number): Promise<Proxy> {
  const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'], env: { ...process.env, HOME: dir } });
  let text = '';
  child.stderr.on('data', (chunk: Buffer) => {
    text += chunk.toString();
  });
  const answers = async () => {
    const { status } = await ask(port, '/healthz');
    if (status !== 200) throw new Error(`${program} answers ${status}: ${text}`);
  };
  await eventually(answers);
  return {
    port,
    async stop() {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    },
  };
}

async function startNginx(program: string): Promise<Proxy> {
  const port = await freePort();
  let site = exampleOf('nginx');
  site = replaced(site, 'listen 443 ssl http2;', `listen ${proxyAddress}:${port} ssl http2;`);
  site = replaced(site, 'listen 80;', `listen ${proxyAddress}:${await freePort()};`);
  site = replaced(site, 'server_name console.example.org;', 'server_name localhost;', 2);
  site = replaced(site, '/etc/ssl/console.example.org.pem', certificate);
  site = replaced(site, '/etc/ssl/console.example.org.key', key);
  site = replaced(site, '127.0.0.1:8080', `127.0.0.1:${server.program.httpPort}`, 2);
  const home = join(dir, 'nginx');
  mkdirSync(home);
  const kinds = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  const folders = kinds.map((kind) => `${kind}_temp_path ${join(home, kind)};`).join('\n');
  const user = process.getuid?.() === 0 ? 'user root;' : '';
  writeFileSync(
    join(home, 'nginx.conf'),
    `${user} daemon off; pid ${join(home, 'pid')}; error_log stderr; events {} http { access_log off; ${folders}\n${site} }`,
  );
  return run(program, ['-p', home, '-e', 'stderr', '-c', join(home, 'nginx.conf')], port);
}

async function startCaddy(program: string): Promise<Proxy> {
  const port = await freePort();
  let site = exampleOf('caddyfile');
  site = replaced(
    site,
    'console.example.org {',
    `https://localhost:${port} {\n\tbind ${proxyAddress}\n\ttls ${certificate} ${key}`,
  );
  site = replaced(site, '127.0.0.1:8080', `127.0.0.1:${server.program.httpPort}`);
  const file = join(dir, 'Caddyfile');
  writeFileSync(file, `{\n\tadmin off\n\tauto_https disable_redirects\n\tskip_install_trust\n}\n${site}`);
  return run(program, ['run', '--config', file, '--adapter', 'caddyfile'], port);
}

interface Sent {
  token?: string;
  body?: string;
  headers?: Record<string, string>;
}

function open(port: number, path: string, { token, body, headers }: Sent = {}): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const outgoing = request(
      {
        host: proxyAddress,
        port,
        path,
        servername: 'localhost',
        localAddress: visitor,
        agent: false,
        ca: readFileSync(certificate),
        method: body === undefined ? 'GET' : 'POST',
        headers: {
          host: 'localhost',
          localization: 'en',
          ...(token ? { authorization: `Bearer ${token}` } : {}),
          ...(body === undefined ? {} : { 'content-type': 'application/json', 'content-length': body.length }),
          ...headers,
        },
      },
      resolve,
    );
    outgoing.once('error', reject);
    outgoing.end(body);
  });
}

async function ask(port: number, path: string, sent: Sent = {}) {
  const response = await open(port, path, sent);
  let text = '';
  for await (const chunk of response) text += chunk;
  return { status: response.statusCode, headers: response.headers, text };
}

const proxies = [
  { name: 'nginx', places: ['/usr/sbin/nginx', '/usr/bin/nginx'], start: startNginx },
  { name: 'caddy', places: ['/usr/bin/caddy', '/usr/local/bin/caddy'], start: startCaddy },
];

for (const { name, places, start } of proxies) {
  const program = places.find((path) => existsSync(path));
  if (!program && process.env.CI) {
    it(`behind ${name}`, () => {
      throw new Error(`${name} is not installed: in CI the examples must be run (Debian package ${name})`);
    });
  }
  describe.skipIf(!program)(`behind ${name}`, () => {
    let proxy: Proxy | undefined;
    const port = () => proxy!.port;
    beforeAll(async () => {
      proxy = await start(program!);
    });
    afterAll(() => proxy?.stop());

    it('counts and logs the address of the visitor, whatever the visitor sends', async () => {
      const { email, password } = owner;
      const forged = { 'x-forwarded-for': '203.0.113.9', forwarded: 'for=203.0.113.9', 'x-forwarded-proto': 'http' };
      const signedIn = await ask(port(), '/api/v3/login', {
        body: JSON.stringify({ email, password }),
        headers: forged,
      });
      expect(JSON.parse(signedIn.text)).toMatchObject({ code: 2000 });
      const { data } = await server.call<{ list: { ip: string }[] }>('/api/v3/log/auth/list', {}, owner);
      expect(data.list[0]!.ip).toBe(visitor);
      expect(signedIn.headers['strict-transport-security']).toBe('max-age=31536000');
    });

    it('shows strangers neither metrics nor the parts of the program', async () => {
      expect((await ask(port(), '/metrics')).status).toBe(404);
      expect(JSON.parse((await ask(port(), '/readyz')).text)).toEqual({ status: 'ready' });
    });

    it('lets a live fact through while the stream stays open', async () => {
      const stream = await open(port(), '/api/v3/live', owner);
      expect(stream.headers['content-type']).toContain('text/event-stream');
      let text = '';
      stream.on('data', (chunk: Buffer) => {
        text += chunk.toString();
      });
      await expect.poll(() => text).toContain('retry');
      server.program.bus.publish(`live.${owner.accountId}`, { type: 'job', job_id: name });
      await expect.poll(() => text).toContain(`"job_id":"${name}"`);
      stream.destroy();
    });

    it('passes the WebSocket of a terminal on', async () => {
      const page = new WebSocket(`wss://localhost:${port()}${remoteTerminalPath}?session=none`, {
        ca: readFileSync(certificate),
      });
      await once(page, 'open');
      page.send('no hello');
      const [code] = await once(page, 'close');
      expect(code).toBe(1008);
    });

    it('lets a body of a megabyte through to the console', async () => {
      const id = '019a0000-0000-7000-8000-000000000000';
      const part = { id, part: 0, data: 'A'.repeat(1_398_000) };
      const answer = await ask(port(), '/api/v3/firmware/image/part', {
        token: owner.token,
        body: JSON.stringify(part),
      });
      expect(JSON.parse(answer.text)).toMatchObject({ code: 4113 });
    });
  });
}
