import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createHttps } from 'node:https';
import { createServer as createTcp, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { WebSocketServer } from 'ws';
import { endDevices } from '../../../../test/conformance/device-client.ts';
import { startTestServer, type TestServer } from '../../../../test/server.ts';
import { makeAuthority } from '../../../uplink/certificates.ts';
import { EdgeSite } from '../testing/edge-site.ts';
import { WebBrowser } from '../testing/web-browser.ts';

let server: TestServer;
let site: EdgeSite;
let browser: WebBrowser;
const listeners: Server[] = [];
const camera = '192.168.1.64';

beforeAll(async () => {
  server = await startTestServer({ config: { remoteHost: 'remote.test' } });
  site = await EdgeSite.open(server);
  browser = new WebBrowser(server.program.httpPort);
});
afterEach(async () => {
  const { data } = await site.call<{ list: { id: string }[] }>('remote/list', { open: true, limit: 50 });
  for (const { id } of data.list) await site.call('remote/end', { id });
});
afterAll(async () => {
  for (const listener of listeners) listener.close();
  await endDevices();
  await server.stop();
});

async function device(port: number, listener: Server): Promise<{ peripheral_id: string }> {
  listeners.push(listener);
  await site.reach(`${camera}:${port}`, listener);
  const { data } = await site.call<{ list: { id: string }[] }>('peripheral/list', { page: 1, limit: 50 });
  if (data.list.length > 0) await site.call('peripheral/delete', { ids: data.list.map(({ id }) => id) });
  return site.peripheral(camera, { web_port: port });
}

async function open(port: number, listener: Server) {
  const target = await device(port, listener);
  const { id, agent } = await site.open(target, 'web');
  const address = await entry(id);
  return { id, agent, address, ...(await browser.enter(address)) };
}

async function entry(id: string): Promise<string> {
  const { data } = await site.call<{ address: string | null }>('remote/web/enter', { id });
  return data.address!;
}

const http = (answer: RequestListener) => createServer(answer);
const rowOf = async (id: string) => {
  const { data } = await site.call<{ list: { id: string }[] }>('remote/list', { limit: 50 });
  return data.list.find((row) => row.id === id);
};

describe('the page of a device', () => {
  it('is shown below a name of its own, asked as if by its own address, and without what is ours', async () => {
    const asked: { url?: string | undefined; headers: Record<string, unknown>; body: string }[] = [];
    const { page } = await open(
      80,
      http((request, response) => {
        let body = '';
        request.on('data', (chunk: Buffer) => {
          body += chunk.toString();
        });
        request.on('end', () => {
          asked.push({ url: request.url, headers: request.headers, body });
          response.writeHead(200, {
            'content-type': 'text/html',
            'set-cookie': ['sid=1; Domain=192.168.1.64; Path=/', 'yunxun-remote=taken; Path=/'],
            'strict-transport-security': 'max-age=9999',
            'x-frame-options': 'DENY',
            'content-security-policy': "default-src 'self'; frame-ancestors 'none'",
            'clear-site-data': '"cookies"',
          });
          response.end('<title>Door</title>');
        });
      }),
    );
    const shown = await browser.get(
      `${page}/login?next=%2F`,
      {
        cookie: 'lang=en',
        origin: page,
        referer: `${page}/start`,
        'x-forwarded-for': '198.51.100.9',
        authorization: 'Basic YWRtaW46YWRtaW4=',
      },
      'POST',
      'user=admin',
    );
    expect(shown).toMatchObject({ status: 200, text: '<title>Door</title>' });
    expect(shown.headers['set-cookie']).toEqual(['sid=1; Path=/']);
    for (const name of ['strict-transport-security', 'x-frame-options', 'clear-site-data'])
      expect(shown.headers[name]).toBeUndefined();
    const policy = shown.headers['content-security-policy'];
    expect(policy).toContain("default-src 'self'");
    expect(policy).not.toContain("frame-ancestors 'none'");
    const { headers, ...last } = asked.at(-1)!;
    expect(last).toEqual({ url: '/login?next=%2F', body: 'user=admin' });
    expect(headers).toMatchObject({
      host: camera,
      origin: `http://${camera}`,
      referer: `http://${camera}/start`,
      cookie: 'lang=en',
      authorization: 'Basic YWRtaW46YWRtaW4=',
    });
    expect(Object.keys(headers)).not.toContain('x-forwarded-for');
  });

  it('finds its own addresses replaced, also in compressed and chunked texts, and others left alone', async () => {
    const own = `http://${camera}:8080`;
    const { page } = await open(
      8080,
      http((request, response) => {
        const text = `<a href="${own}/a">a</a><script>x="ws:\\/\\/${camera}:8080\\/live";y="http://${camera}/b";z="${own}80/"</script>`;
        if (request.url === '/packed') {
          response.writeHead(200, { 'content-type': 'text/html', 'content-encoding': 'gzip' });
          return void response.end(gzipSync(text));
        }
        if (request.url === '/picture') {
          response.writeHead(200, { 'content-type': 'image/jpeg' });
          return void response.end(text);
        }
        response.writeHead(200, { 'content-type': 'application/javascript' });
        for (const part of text.match(/.{1,7}/gs) ?? []) response.write(part);
        response.end();
      }),
    );
    const { host } = new URL(page);
    const wanted = `<a href="${page}/a">a</a><script>x="ws:\\/\\/${host}\\/live";y="http://${camera}/b";z="${own}80/"</script>`;
    const packed = await browser.get(`${page}/packed`, { 'accept-encoding': 'gzip' });
    expect(packed.text).toBe(wanted);
    expect(packed.headers['content-encoding']).toBeUndefined();
    expect((await browser.get(`${page}/parts`)).text).toBe(wanted);
    expect((await browser.get(`${page}/picture`)).text).toContain(own);
  });

  it('follows redirects within the device, and says where others lead', async () => {
    const { page } = await open(
      80,
      http((request, response) => {
        const to: Record<string, string> = {
          '/own': `http://${camera}/home`,
          '/path': 'home',
          '/secure': `https://${camera}/`,
          '/away': 'http://example.com/x',
        };
        response.writeHead(302, { location: to[request.url ?? ''] ?? '/' }).end();
      }),
    );
    expect((await browser.get(`${page}/own`)).headers.location).toBe(`${page}/home`);
    expect((await browser.get(`${page}/path`)).headers.location).toBe('home');
    const secure = await browser.get(`${page}/secure`, { 'accept-language': 'en' });
    expect(secure).toMatchObject({ status: 502, text: expect.stringContaining('enter 443 as the web port') });
    const away = await browser.get(`${page}/away`, { 'accept-language': 'en' });
    expect(away).toMatchObject({ status: 502, text: expect.stringContaining('http://example.com is not this device') });
    expect(away.headers.location).toBeUndefined();
  });

  it('may be behind a self-signed certificate, on any port', async () => {
    const { key, certificate: cert } = await makeAuthority(new Date());
    const listener = createHttps({ key, cert }, (request, response) => {
      response.writeHead(200, { 'content-type': 'text/plain' }).end(`${request.headers.host} over TLS`);
    });
    const { page } = await open(9000, listener as unknown as Server);
    expect((await browser.get(`${page}/`)).text).toBe(`${camera}:9000 over TLS`);
  });

  it('has WebSockets, from its own origin alone', async () => {
    const origins: (string | undefined)[] = [];
    const listener = createServer((_request, response) => response.end());
    const sockets = new WebSocketServer({ server: listener });
    sockets.on('connection', (socket, request) => {
      origins.push(request.headers.origin);
      socket.on('message', (data, isBinary) => socket.send(data, { binary: isBinary }));
    });
    const { page, id } = await open(80, listener);
    const socket = browser.socket(`${page}/live`, { origin: page });
    const echo = new Promise((resolve) => socket.once('message', (data) => resolve(data.toString())));
    await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
    socket.send('move left');
    expect(await echo).toBe('move left');
    expect(origins).toEqual([`http://${camera}`]);
    const foreign = browser.socket(`${page}/live`, { origin: 'https://evil.example' });
    expect(await new Promise((resolve) => foreign.once('error', (error) => resolve(error.message)))).toContain('403');
    const gone = new Promise((resolve) => socket.once('close', resolve));
    await site.call('remote/end', { id });
    await gone;
  });

  it('says so when the device does not answer, and counts bytes', async () => {
    const held: Socket[] = [];
    let isDeaf = false;
    const listener = createTcp((socket) => {
      held.push(socket);
      socket.on('error', () => undefined);
      if (isDeaf) return void socket.destroy();
      socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nhello'));
    });
    const { page, id, agent } = await open(80, listener as unknown as Server);
    expect((await browser.get(`${page}/`)).text).toBe('hello');
    isDeaf = true;
    for (const socket of held) socket.destroy();
    const failed = await browser.get(`${page}/`, { 'accept-language': 'en' });
    expect(failed).toMatchObject({ status: 502, text: expect.stringContaining('The gateway cannot reach') });
    agent.socket.destroy();
    await expect.poll(() => rowOf(id)).toMatchObject({ state: 'ended', end_reason: 'closed', bytes_down: 5 });
    const over = await browser.get(`${page}/`, { 'accept-language': 'en' });
    expect(over).toMatchObject({
      status: 403,
      text: expect.stringMatching(/The session is over.*The device ended it/),
    });
  });
});

describe('a stranger', () => {
  const listener = () => http((_request, response) => response.end('secret'));

  it('cannot see a page without its cookie, nor use an address twice, nor one name’s cookie at the other', async () => {
    const { page, frame, address } = await open(80, listener());
    const stranger = new WebBrowser(server.program.httpPort);
    expect((await browser.get(`${page}/`)).text).toBe('secret');
    expect((await stranger.get(`${page}/`)).status).toBe(403);
    expect((await stranger.get(address)).status).toBe(403);
    expect((await stranger.get(`${page}/`, { cookie: browser.cookieOf(frame) })).status).toBe(403);
    expect((await stranger.get(`${page}/`, { cookie: browser.cookieOf(page) })).status).toBe(200);
    const guessed = page.replace(/\/\/(.)/, (_, first) => `//${first === 'a' ? 'b' : 'a'}`);
    expect((await stranger.get(`${guessed}/`, { cookie: browser.cookieOf(page) })).status).toBe(403);
    expect((await stranger.get('http://remote.test/')).status).toBe(403);
    expect((await stranger.get(`${page}/api/v3/user`)).status).toBe(403);
  });

  it('cannot end a session from the page, and the page cannot be taken out of its frame', async () => {
    const { page, frame, id } = await open(80, listener());
    const ended = await browser.get(`${frame}/.yunxun/end`, { origin: page }, 'POST');
    expect(ended.status).toBe(403);
    expect(await rowOf(id)).toMatchObject({ state: 'open' });
    const top = await browser.get(`${page}/a?b=1`, { 'sec-fetch-dest': 'document' });
    expect(top).toMatchObject({ status: 303, headers: { location: `${frame}/?to=%2Fa%3Fb%3D1` } });
    const leaving = await browser.get(`${frame}/?to=${encodeURIComponent('//evil.example/')}`);
    expect(leaving.text).not.toContain('evil.example');
    expect(leaving.headers['content-security-policy']).toContain(`frame-src ${page}`);
    const over = await browser.get(`${frame}/.yunxun/end`, { origin: frame, 'accept-language': 'en' }, 'POST');
    expect(over).toMatchObject({ status: 200, text: expect.stringMatching(/ended by hand.*\/remote"/) });
    expect((await browser.get(`${frame}/.yunxun/frame.css`)).status).toBe(200);
    const stranger = new WebBrowser(server.program.httpPort);
    expect((await stranger.get(`${frame}/`, { 'accept-language': 'en' })).text).not.toContain('by hand');
    await expect.poll(() => rowOf(id)).toMatchObject({ state: 'ended', end_reason: 'by_person' });
  });

  it('of another account cannot enter, and a member who signs out loses the page', async () => {
    const target = await device(80, listener());
    const { id } = await site.open(target, 'web');
    const other = await server.register();
    expect((await server.call('/api/v3/remote/web/enter', { id }, other)).code).toBe(4113);
    const { page } = await browser.enter(await entry(id));
    expect((await browser.get(`${page}/`)).status).toBe(200);
    await server.call('/api/v3/remote/settings/save', { enabled: false, version: 2 }, site.owner);
    await expect.poll(async () => (await browser.get(`${page}/`)).status).toBe(403);
    expect(await rowOf(id)).toMatchObject({ state: 'ended', end_reason: 'switched_off' });
    await server.call('/api/v3/remote/settings/save', { enabled: true, version: 3 }, site.owner);
  });
});
