import { once } from 'node:events';
import { createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { asOwner } from '../../../test/database.ts';
import { type Registered, startTestServer, type TestServer } from '../../../test/server.ts';

let server: TestServer;
let owner: Registered;

beforeAll(async () => {
  server = await startTestServer({ limitFactor: 1 });
  owner = await server.register();
});
afterAll(() => server.stop());

describe('the envelope', () => {
  it('speaks the language of the header, else of the browser, else Chinese', async () => {
    const ask = async (headers: Record<string, string>) =>
      (
        (await (await fetch(`${server.url}/api/v3/job/list`, { method: 'POST', headers })).json()) as {
          message: string;
        }
      ).message;
    const [english, chinese] = [await ask({ localization: 'en' }), await ask({ localization: 'zh-CN' })];
    expect(english).not.toBe(chinese);
    expect(await ask({ 'accept-language': 'en-GB,zh;q=0.5' })).toBe(english);
    expect(await ask({ localization: 'xx', 'accept-language': 'fr, zh-TW' })).toBe(chinese);
    expect(await ask({ 'accept-language': 'fr' })).toBe(chinese);
  });

  it('refuses times that PostgreSQL refuses, beside their field', async () => {
    const times = ['2026-02-30T00:00:00Z', '0000-01-01T00:00:00Z', '2026-01-01T00:00:00+16:00'];
    for (const from of [...times, `2026-01-01T00:00:00.${'0'.repeat(200)}Z`]) {
      const answer = await server.call('/api/v3/alarm/list', { from }, owner);
      expect([answer.status, Object.keys(answer.errors ?? {})], from).toEqual([422, ['from']]);
    }
    const valid = { from: '2024-02-29T23:59:59.123456789+15:59' };
    expect(await server.call('/api/v3/alarm/list', valid, owner)).toMatchObject({ status: 200, code: 2000 });
  });

  it('answers malformed input with 422 and never with a half-done change', async () => {
    for (const body of ['{', '[]', '"text"', 'null', '{"remark": 7}', '{"remark": null}', '{}']) {
      const answer = await server.call('/api/v3/network/create', body, owner);
      expect(answer, body).toMatchObject({ status: 422, code: 422 });
      expect(Object.keys(answer.errors!).length).toBeGreaterThan(0);
    }
    const list = await server.call<{ total: number }>('/api/v3/network/list', {}, owner);
    expect(list.data.total).toBe(0);
  });

  it('says what a field wants that only has a pattern', async () => {
    const wrong = await server.call('/api/v3/profile/qq', { qq: 'abc' }, owner);
    expect(wrong).toMatchObject({ status: 422, errors: { qq: ['A QQ number has 5 to 12 digits'] } });
    const codes = ['12345', 'abcdef', '１２３４５６'];
    for (const code of codes) {
      const answer = await server.call('/api/v3/security/totp/enable', { code }, owner);
      expect(answer.errors).toEqual({ code: ['Enter the 6 digits'] });
    }
  });

  it('answers text that is none to a database beside its field', async () => {
    const bad = ['a\\u0000b', '\\ud800', 'x\\udc00'];
    for (const text of bad) {
      const list = await server.call('/api/v3/log/action/list', `{"keyword": "${text}"}`, owner);
      expect(list).toMatchObject({ status: 422, code: 422 });
      expect(Object.keys(list.errors!)).toEqual(['keyword']);
      const login = await server.call('/api/v3/login', `{"email": "${text}", "password": "x"}`);
      expect(Object.keys(login.errors!)).toEqual(['email']);
      expect((await server.call('/api/v3/network/create', `{"remark": "x", "${text}": [1]}`, owner)).status).toBe(422);
    }
    const deep = await server.call('/api/v3/network/create', `{"remark": ${'['.repeat(8000)}${']'.repeat(8000)}}`);
    // while it is read, before authentication
    expect(deep.status).toBe(422);
  });

  it('does nothing for the head of a call, and keeps answers out of caches', async () => {
    const someone = await server.register();
    const headers = { authorization: `Bearer ${someone.token}` };
    expect((await fetch(`${server.url}/api/v3/logout`, { method: 'HEAD', headers })).status).toBe(404);
    const user = await fetch(`${server.url}/api/v3/user`, { headers });
    expect(await user.json()).toMatchObject({ code: 2000 });
    expect(user.headers.get('cache-control')).toBe('no-store');
  });

  it('answers an address that cannot be read in the envelope', async () => {
    const answer = await fetch(`${server.url}/api/%`);
    expect([answer.status, await answer.json()]).toMatchObject([422, { code: 422, errors: {} }]);
  });

  it('refuses a body of another type, and one that is too large', async () => {
    const send = (headers: Record<string, string>, body: string) =>
      fetch(`${server.url}/api/v3/network/create`, {
        method: 'POST',
        headers: { authorization: `Bearer ${owner.token}`, ...headers },
        body,
      });
    expect((await send({ 'content-type': 'text/plain' }, 'x')).status).toBe(422);
    const large = await send({ 'content-type': 'application/json' }, JSON.stringify({ remark: 'x'.repeat(3_000_000) }));
    expect(await large.json()).toMatchObject({ code: 4111 });
  });

  it('says 404 for a call that does not exist', async () => {
    expect(await server.call('/api/v3/nothing/here', {}, owner)).toMatchObject({ status: 404, code: 4113 });
  });

  it('says 404 for an address that does not exist, whatever its body is', async () => {
    for (const path of ['/x', '//pay/webhook/none/x', '/api/v3/nothing']) {
      const headers = { 'accept-language': 'en', 'content-type': 'text/plain' };
      const answer = await fetch(server.url + path, { method: 'POST', headers, body: 'x' });
      expect([answer.status, await answer.json()]).toMatchObject([
        404,
        { code: 4113, message: 'It does not exist or has been deleted' },
      ]);
    }
  });

  it('sends the security headers with everything', async () => {
    const { headers } = await fetch(`${server.url}/healthz`);
    expect(headers.get('content-security-policy')).toContain("script-src 'self'");
    expect(headers.get('content-security-policy')).not.toContain('unsafe-eval');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  });
});

describe('too many calls', () => {
  it('are counted for all addresses of an IPv6 subscriber together', async () => {
    const claim = (ip: string) =>
      fetch(`${server.url}/api/v3/install/claim`, { method: 'POST', headers: { 'x-forwarded-for': ip } });
    const from = async (network: string) => {
      const answered: number[] = [];
      for (let at = 1; at <= 11; at += 1) answered.push((await claim(`${network}::${at}`)).status);
      return answered;
    };
    expect(await from('2001:db8:7:7')).toEqual([...Array<number>(10).fill(401), 429]);
    expect((await claim('2001:db8:7:8::1')).status).toBe(401);
  });

  it.each(['/api/v3/live', '/api/v3/download/unknown', '/readyz'])(
    'are counted without a sign-in: GET %s',
    async (path) => {
      const strict = await startTestServer({ limitFactor: 0.01 });
      try {
        const answered: number[] = [];
        for (let calls = 0; calls < 13; calls += 1) answered.push((await fetch(strict.url + path)).status);
        expect(answered[0]).not.toBe(429);
        expect(answered[12]).toBe(429);
      } finally {
        await strict.stop();
      }
    },
  );

  it('are answered with 429 and the seconds to wait', async () => {
    let answer = await server.call('/api/v3/install/claim', { token: 'x'.repeat(30) }, owner);
    for (let calls = 0; calls < 20 && answer.status !== 429; calls += 1) {
      answer = await server.call('/api/v3/install/claim', { token: 'x'.repeat(30) }, owner);
    }
    expect(answer).toMatchObject({ status: 429, code: 429 });
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(answer.message).toMatch(/\d+ second/);
  });
});

describe('health', () => {
  it('is alive, ready, and counted', async () => {
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
    expect(await (await fetch(`${server.url}/readyz`)).json()).toEqual({
      status: 'ready',
      parts: {
        database: 'ready',
        migrations: 'ready',
        bus: 'ready',
        disk: 'ready',
        console: 'ready',
        gateway: 'ready',
        portal: 'ready',
        radius: 'ready',
        worker: 'ready',
      },
    });
    expect(await (await fetch(`${server.url}/metrics`)).text()).toContain('nodejs_eventloop_lag');
    const seenFromAfar = await fetch(`${server.url}/metrics`, { headers: { 'x-forwarded-for': '203.0.113.9' } });
    expect(seenFromAfar.status).toBe(404);
  });
});

describe('readiness', () => {
  it('is lost when the database lacks a migration of ours', async () => {
    const mine = await startTestServer();
    await asOwner(mine.db.owner, (client) =>
      client.query("delete from platform.migration where name = '0007-configuration-reach'"),
    );
    const answer = await fetch(`${mine.url}/readyz`);
    expect(answer.status).toBe(503);
    expect(await answer.json()).toMatchObject({
      parts: { database: 'ready', migrations: expect.stringContaining('0007-configuration-reach') },
    });
    await mine.stop();
  });
});

describe('a database that is stuck', () => {
  it('is waited for half a minute, then answered with 503', async () => {
    const { rows } = await server.db.database.appPool.query('show statement_timeout');
    expect(rows).toEqual([{ statement_timeout: '30s' }]);
    await asOwner(server.db.owner, async (client) => {
      await client.query('begin');
      await client.query('lock table network in access exclusive mode');
      const answer = server.call('/api/v3/network/list', {}, owner);
      // stands in for the 30 s statement time-out
      const cancel = `select pg_cancel_backend(pid) as done from pg_locks where relation = 'network'::regclass and not granted`;
      await expect.poll(async () => (await client.query<{ done: boolean }>(cancel)).rows[0]?.done).toBe(true);
      expect(await answer).toMatchObject({ status: 503, code: 503 });
      expect((await answer).headers.get('retry-after')).toBe('5');
      await client.query('rollback');
    });
  });
});

describe('the document of the calls', () => {
  it('lists every endpoint with its input and data', async () => {
    const document = (await (await fetch(`${server.url}/api/openapi.json`)).json()) as {
      openapi: string;
      paths: Record<string, Record<string, object>>;
    };
    expect(document.openapi).toBe('3.1.0');
    const textOf = (path: string, method = 'post') => document.paths[path]![method]!;
    expect(textOf('/api/v3/network/update')).toMatchObject({
      'x-permission': 'network.write',
      'x-effect': 'write',
      'x-personal': false,
      'x-confirm': false,
      'x-api-token': { area: 'network', scope: 'write' },
    });
    expect(textOf('/api/v3/network/list')).toMatchObject({ 'x-api-token': { area: 'network', scope: 'read' } });
    expect(textOf('/api/v3/security/overview')).toMatchObject({
      'x-personal': true,
      'x-api-token': { area: 'personal' },
    });
    expect(textOf('/api/v3/security/token/create')).toMatchObject({ 'x-confirm': true, 'x-api-token': null });
    expect(textOf('/api/v3/qrcode/answer')).toMatchObject({ 'x-confirm': false, 'x-api-token': null });
    expect(textOf('/api/v3/login')).not.toHaveProperty('x-api-token');
    const page = await (await fetch(`${server.url}/docs/api`)).text();
    expect(page).toContain('/api/v3/network/list');
    expect(page).not.toContain('<script');
  });
});

describe('live facts', () => {
  it('reach an open page, and end with the session', async () => {
    const guest = await server.register();
    const response = await fetch(`${server.url}/api/v3/live`, { headers: { authorization: `Bearer ${guest.token}` } });
    expect(response.headers.get('content-type')).toContain('text/event-stream');
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
    await server.call('/api/v3/network/create', { remark: 'Lobby' }, guest);
    server.program.bus.publish(`live.${guest.accountId}`, { type: 'job', job_id: 'x' });
    let text = '';
    while (!text.includes('"type":"job"')) text += (await reader.read()).value ?? '';
    await server.get('/api/v3/logout', guest);
    for (;;) {
      const { done } = await reader.read();
      if (done) break;
    }
    expect(
      (await fetch(`${server.url}/api/v3/live`, { headers: { authorization: `Bearer ${guest.token}` } })).status,
    ).toBe(401);
  });
});

describe('live facts of a page that does not read', () => {
  it('pile up to a limit, then the page is cut off', async () => {
    const guest = await server.register();
    const response = await fetch(`${server.url}/api/v3/live`, { headers: { authorization: `Bearer ${guest.token}` } });
    const filler = 'x'.repeat(60_000);
    const reader = response.body!.getReader();
    await reader.read();
    for (let at = 0; at < 400; at += 1) server.program.bus.publish(`live.${guest.accountId}`, { type: 'job', filler });
    await expect(
      (async () => {
        while (!(await reader.read()).done);
      })(),
    ).rejects.toThrow();
  });
});

describe('a port that is taken', () => {
  it.each(['httpPort', 'devicePort'] as const)('stops the start with the name of its setting: %s', async (which) => {
    const blocker = createServer().listen(0, '127.0.0.1');
    await once(blocker, 'listening');
    onTestFinished(() => void blocker.close());
    const { port } = blocker.address() as { port: number };
    const setting = { httpPort: 'YUNXUN_HTTP_PORT', devicePort: 'YUNXUN_DEVICE_PORT' }[which];
    await expect(startTestServer({ config: { [which]: port } })).rejects.toThrow(
      `Port ${port} is taken by another program. Stop that program, or choose another port with ${setting}.`,
    );
  });
});

describe('connections to the database that are lost', () => {
  it('are answered with 503, whatever the call was doing', async () => {
    const statuses = new Map<number, number>();
    const answered = Promise.all(
      Array.from({ length: 20 }, async () => {
        for (let calls = 0; calls < 10; calls += 1) {
          const path = calls % 2 ? '/api/v3/network/list' : '/api/v3/personalization/save';
          const { status } = await server.call(path, calls % 2 ? {} : { time_zone: 'UTC' }, owner);
          statuses.set(status, (statuses.get(status) ?? 0) + 1);
        }
      }),
    );
    let over = false;
    void answered.finally(() => {
      over = true;
    });
    await asOwner(server.db.owner, async (client) => {
      while (!over) {
        await client.query(`select pg_terminate_backend(pid), pg_sleep(0.05) from pg_stat_activity
          where datname = current_database() and usename in ('yunxun_app', 'yunxun_system')`);
      }
    });
    await answered;
    expect([...statuses.keys()].toSorted()).toEqual([200, 503]);
  });
});
