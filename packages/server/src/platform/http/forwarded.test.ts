import { Writable } from 'node:stream';
import { pino } from 'pino';
import { afterEach, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../../../test/server.ts';

let server: TestServer;
afterEach(() => server.stop());

const token = 'a token of the monitoring';
const forwardedFor = { 'x-forwarded-for': '203.0.113.9', 'x-forwarded-proto': 'https' };

function keptLog() {
  const lines: { msg: string; address?: string }[] = [];
  const sink = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(JSON.parse(chunk.toString()));
      done();
    },
  });
  return { lines, log: pino({ level: 'warn', base: undefined }, sink) };
}

describe('a forwarded address', () => {
  it('from an address that is no trusted proxy is ignored, and the log says so once', async () => {
    const { lines, log } = keptLog();
    server = await startTestServer({ limitFactor: 1, log, config: { trustedProxies: ['192.0.2.7'] } });
    const claim = (ip: string) =>
      fetch(`${server.url}/api/v3/install/claim`, { method: 'POST', headers: { 'x-forwarded-for': ip } });
    const statuses: number[] = [];
    for (let at = 1; at <= 11; at += 1) statuses.push((await claim(`203.0.113.${at}`)).status);
    expect(statuses).toEqual([...Array<number>(10).fill(401), 429]);
    const warnings = lines.filter(({ msg }) => msg.includes('YUNXUN_TRUSTED_PROXIES'));
    expect(warnings).toMatchObject([{ address: '127.0.0.1' }]);
  });

  it('from a trusted proxy is taken without a word', async () => {
    const { lines, log } = keptLog();
    server = await startTestServer({ log, config: { trustedProxies: ['127.0.0.0/8'] } });
    await fetch(`${server.url}/healthz`, { headers: forwardedFor });
    expect(lines.filter(({ address }) => address)).toEqual([]);
  });
});

describe('HTTPS', () => {
  it('is kept to once a browser came over it, and not asked of one that did not', async () => {
    server = await startTestServer();
    const strict = async (headers: Record<string, string>) =>
      (await fetch(`${server.url}/healthz`, { headers })).headers.get('strict-transport-security');
    expect(await strict(forwardedFor)).toBe('max-age=31536000');
    expect(await strict({})).toBeNull();
  });
});

describe('the parts of the program', () => {
  it('are served over loopback or with the token only', async () => {
    server = await startTestServer({ config: { metricsToken: token } });
    const ask = (path: string, headers: Record<string, string> = {}) => fetch(server.url + path, { headers });
    const bearer = (text: string) => ({ authorization: `Bearer ${text}` });
    expect((await ask('/metrics')).status).toBe(200);
    expect((await ask('/metrics', { ...forwardedFor, ...bearer(token) })).status).toBe(200);
    for (const stranger of [forwardedFor, { via: '1.1 proxy' }, { ...forwardedFor, ...bearer('x'.repeat(24)) }]) {
      expect((await ask('/metrics', stranger)).status).toBe(404);
      const ready = await ask('/readyz', stranger);
      expect([ready.status, await ready.json()]).toEqual([200, { status: 'ready' }]);
    }
    const reported = await (await ask('/readyz', { ...forwardedFor, ...bearer(token) })).json();
    expect(reported).toMatchObject({ parts: { database: 'ready' } });
  });
});
