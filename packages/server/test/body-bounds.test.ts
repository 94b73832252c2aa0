import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bodyBytes, bodyLimitOf } from '../src/platform/http/bounds.ts';
import { endpoints as all } from './endpoints.ts';
import { type Registered, startTestServer, type TestServer } from './server.ts';

let server: TestServer;
let owner: Registered;

beforeAll(async () => {
  server = await startTestServer();
  owner = await server.register();
});
afterAll(() => server.stop());

const answerBytes = 64 * 1024;

async function post(path: string, body: string, token: string | null) {
  const response = await fetch(server.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) },
    body,
  });
  const text = await response.text();
  return { status: response.status, bytes: text.length, code: (JSON.parse(text) as { code: number }).code };
}

/** Bodies of about this size that are most expensive to check. */
function worst(field: string, bytes: number): Record<string, string> {
  const filled = (part: string) => Array.from({ length: Math.floor(bytes / (part.length + 1)) }, () => part).join();
  const names = Array.from({ length: Math.floor(bytes / 14) }, (_none, index) => `"k${index}":0`);
  const depth = Math.floor(bytes / 2 - 20);
  return {
    text: `{"${field}":"${'x'.repeat(bytes - 20)}"}`,
    numbers: `{"${field}":[${filled('0')}]}`,
    texts: `{"${field}":[${filled('"00000000-0000-4000-8000-000000000000"')}]}`,
    objects: `{"${field}":[${filled('{}')}]}`,
    nested: `{"${field}":${'['.repeat(depth)}${']'.repeat(depth)}}`,
    unknown: `{"nothing":[${filled('{"a":1}')}]}`,
    names: `{${names.join()}}`,
  };
}

const endpoints = all.filter(({ method }) => method === 'POST');
const fieldOf = (body: object) => Object.keys((body as { properties?: object }).properties ?? {})[0] ?? 'none';

describe('a body of the worst shape', () => {
  it.each(endpoints)('$path answers shortly, whatever fits', async ({ path, body }) => {
    for (const [shape, text] of Object.entries(worst(fieldOf(body), bodyLimitOf(body) - 64))) {
      const { status, bytes, code } = await post(path, text, owner.token);
      expect([200, 401, 422, 429], `${shape} answers ${status}`).toContain(status);
      expect(bytes, shape).toBeLessThan(answerBytes);
      expect(code, shape).not.toBe(500);
    }
  });

  it.each(endpoints.filter(({ body }) => bodyLimitOf(body) < bodyBytes.most))(
    '$path refuses one that is larger than its input can be',
    async ({ path, body }) => {
      const text = worst(fieldOf(body), bodyLimitOf(body) + 1024).text!;
      expect(await post(path, text, owner.token)).toMatchObject({ status: 200, code: 4111 });
    },
  );

  it('is refused for a field that the endpoint does not know, by its name', async () => {
    const others: string[] = [];
    for (const { path } of endpoints) {
      const { code, errors } = await server.call(path, { no_such_field: 1 }, owner);
      if (errors?.no_such_field === undefined && code !== 4101) others.push(`${path} ${code}`);
    }
    expect(others).toEqual([]);
  });

  it('is not read from a stranger where it may be large', async () => {
    const large = endpoints.filter(({ access, body }) => access === 'user' && bodyLimitOf(body) > bodyBytes.usual);
    expect(large.length).toBeGreaterThan(10);
    for (const { path, body } of large) {
      expect(await post(path, '{'.repeat(bodyLimitOf(body) - 10), null), path).toMatchObject({ status: 401 });
    }
  });
});
