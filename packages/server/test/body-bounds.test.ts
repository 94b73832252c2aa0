import { Agent } from 'node:http';
import { type AnyEndpoint, usualBodyBytes } from '@yunxun/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { jsonLimits } from '../src/platform/http/json-body.ts';
import { administer } from './endpoints.ts';
import { largestInput } from './largest-input.ts';
import { posted as endpoints, limitOf, postParts } from './post-parts.ts';
import { type Registered, startTestServer, type TestServer } from './server.ts';

let server: TestServer;
let owner: Registered;
const agent = new Agent({ keepAlive: true });

beforeAll(async () => {
  server = await startTestServer();
  owner = await server.register();
  await administer(server, owner.userId);
});
afterAll(async () => {
  agent.destroy();
  await server.stop();
});

describe('a body', () => {
  it('is refused for a field that the endpoint does not know, by its name', async () => {
    const others: string[] = [];
    for (const { path } of endpoints) {
      const { code, errors } = await server.call(path, { no_such_field: 1 }, owner);
      if (errors?.no_such_field === undefined) others.push(`${path} ${code}`);
    }
    expect(others).toEqual([]);
  });

  it('is refused for a prototype, by its name, beside other errors', async () => {
    const { status, errors } = await server.call(
      '/api/v3/network/create',
      `{"__proto__":{"a":${'['.repeat(25)}${']'.repeat(25)}},"remark":7}`,
      owner,
    );
    expect(status).toBe(422);
    expect(Object.keys(errors!).sort()).toEqual(['__proto__', 'remark']);
  });

  it('is not read from a stranger where it may be large', async () => {
    const large = endpoints.filter((endpoint) => endpoint.access === 'user' && limitOf(endpoint) > usualBodyBytes);
    expect(large.length).toBeGreaterThan(10);
    for (const endpoint of large) {
      const body = '{'.repeat(limitOf(endpoint) - 10);
      expect(await postParts(agent, server.url + endpoint.path, [body], null), endpoint.path).toMatchObject({
        status: 401,
      });
    }
  });
});

/** Long texts that their handlers accept in ASCII only: PEM, base64, domains. */
const asciiOnly = ['/api/v3/device/enroll', '/api/v3/cloud_security/own/save'];

/** Less than the schema admits: every list of every part at its maximum, at once, is beyond any site. */
const beyondAnySite: Record<string, string> = {
  '/api/v3/network/gateway/preview': '24 networks with 1,024 leases each',
  '/api/v3/network/gateway/save': '24 networks with 1,024 leases each',
  '/api/v3/sdwan/check': '1,000 gateways with 32 mapped LANs each',
  '/api/v3/sdwan/member/add': '1,000 gateways with 32 mapped LANs each',
  '/api/v3/sdwan/network/create': '1,000 gateways with 32 mapped LANs each',
  '/api/v3/sdwan/network/update': '1,000 gateways with 32 mapped LANs each',
};

interface FileShape {
  contentEncoding?: string;
  maxLength?: number;
}

describe('a file that is too large', () => {
  const files = endpoints.flatMap(({ path, body }) =>
    Object.entries((body as { properties?: Record<string, FileShape> }).properties ?? {}).flatMap(
      ([field, { contentEncoding, maxLength = 0 }]) => (contentEncoding ? [{ path, field, maxLength }] : []),
    ),
  );

  it('has a field that declares it', () => {
    expect(files.map(({ path }) => path.replace('/api/v3/', '')).toSorted()).toEqual([
      'auth_template/picture/upload',
      'cloud_backup/upload',
      'device/import/read',
      'firmware/image/part',
      'install/clearing/statement/import',
      'install/clearing/statement/preview',
      'install/plugin/import',
      'peripheral/import/read',
      'portal/member/import/read',
    ]);
  });

  it.each(files)('is refused for its size at $path', async ({ path, field, maxLength }) => {
    const sixMegabytes = (6_000_000 / 3) * 4;
    for (const characters of [maxLength + 1, maxLength + 4, sixMegabytes]) {
      const parts = [`{"${field}":"`, 'A'.repeat(characters), '"}'];
      const { status, code } = await postParts(agent, server.url + path, parts, owner.token);
      expect({ characters, status, code }).toEqual({ characters, status: 200, code: 4111 });
    }
  });
});

describe('the declared size of a body', () => {
  const needOf = ({ path, body }: AnyEndpoint) => largestInput(body, asciiOnly.includes(path) ? 1 : 3);

  it('has room for the largest valid input of each endpoint', () => {
    const tight = endpoints.filter((one) => !(one.path in beyondAnySite) && needOf(one).bytes > limitOf(one));
    expect(tight.map((one) => `${one.path} needs ${needOf(one).bytes}`)).toEqual([]);
    const many = endpoints.filter((one) => !(one.path in beyondAnySite) && needOf(one).values > jsonLimits.values);
    expect(many.map(({ path }) => path)).toEqual([]);
  });

  it('is declared only where an endpoint needs more than the usual one, and little more than it needs', () => {
    const declared = endpoints.filter(({ bodyBytes }) => bodyBytes !== undefined);
    const loose = declared.filter(
      (one) => needOf(one).bytes <= usualBodyBytes || limitOf(one) > 1.5 * needOf(one).bytes,
    );
    expect(loose.map((one) => `${one.path} needs ${needOf(one).bytes}`)).toEqual([]);
  });

  it('exceeds a megabyte only for files', () => {
    const isFile = ({ contentEncoding, hint }: { contentEncoding?: string; hint?: string }) =>
      contentEncoding === 'base64' || hint === 'base64';
    const large = endpoints.filter((one) => limitOf(one) > 1024 * 1024);
    const filesless = large.filter(
      ({ body }) => !Object.values((body as { properties?: Record<string, object> }).properties ?? {}).some(isFile),
    );
    expect(filesless.map(({ path }) => path)).toEqual(['/api/v3/device/import']);
  });
});
