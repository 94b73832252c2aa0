import { Agent, request } from 'node:http';
import { type AnyEndpoint, usualBodyBytes } from '@yunxun/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { jsonLimits } from '../src/platform/http/json-body.ts';
import { administer, endpoints as all } from './endpoints.ts';
import { largestInput } from './largest-input.ts';
import { type Registered, startTestServer, type TestServer } from './server.ts';
import { worstValues } from './worst-bodies.ts';

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

const answerBytes = 64 * 1024;
const worstBytes = 2 * 1024 * 1024;
const megabytes = worstValues(worstBytes);

const endpoints = all.filter(({ method }) => method === 'POST');
const limitOf = ({ bodyBytes = usualBodyBytes }: Pick<AnyEndpoint, 'bodyBytes'>) => bodyBytes;
const fieldsOf = ({ body }: Pick<AnyEndpoint, 'body'>) =>
  Object.keys((body as { properties?: object }).properties ?? {}).map((name) => JSON.stringify(name));

type Parts = readonly string[];

/** One of each kind: the others differ in what a parser makes of them. */
const telling = ['text', 'objects', 'nested', 'names'] as const;
const valuesBySize = new Map<number, Record<string, string>>();

function valuesOf(bytes: number): Record<string, string> {
  const values = valuesBySize.get(bytes) ?? worstValues(bytes);
  valuesBySize.set(bytes, values);
  return values;
}

/** Bodies of at most `bytes`, in parts, so that large values are not copied. */
function worstBodies(endpoint: AnyEndpoint, bytes: number, values: Record<string, string>): Record<string, Parts> {
  const fields = fieldsOf(endpoint);
  const [field = '"none"'] = fields;
  const shape = (name: string) => values[name]!;
  const share = Math.floor(bytes / Math.max(1, fields.length)) - 64;
  const bodies: Record<string, Parts> = {
    unknown: ['{"nothing":', shape('rows'), '}'],
    prototype: ['{"__proto__":', shape('nested'), `,${field}:[]}`],
    names: [shape('names')],
    list: [shape('rows')],
  };
  for (const name of telling) bodies[`first field: ${name}`] = [`{${field}:`, shape(name), '}'];
  for (const [name, value] of fields.length > 0 && share > 64 ? Object.entries(worstValues(share)) : []) {
    bodies[`every field: ${name}`] = [`{${fields.map((one) => `${one}:${value}`).join()}}`];
  }
  return bodies;
}

interface Reported {
  status: number;
  bytes: number;
  code: number;
  errors: Record<string, string[]>;
}

function post(path: string, parts: Parts, token: string | null): Promise<Reported> {
  return new Promise((resolve, reject) => {
    const length = parts.reduce((sum, part) => sum + Buffer.byteLength(part), 0);
    const headers = { 'content-type': 'application/json', 'content-length': length, localization: 'en' };
    const sent = request(server.url + path, {
      ...{ method: 'POST', agent },
      headers: { ...headers, ...(token ? { authorization: `Bearer ${token}` } : {}) },
    });
    sent.on('error', reject);
    sent.on('response', (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (part: string) => {
        text += part;
      });
      response.on('end', () => {
        const { code, errors = {} } = JSON.parse(text) as { code: number; errors?: Reported['errors'] };
        resolve({ status: response.statusCode!, bytes: Buffer.byteLength(text), code, errors });
      });
    });
    for (const part of parts) sent.write(part);
    sent.end();
  });
}

const margin = 128;

describe('a body of the worst shape', () => {
  it.each(endpoints)('$path answers shortly, whatever fits', async (endpoint) => {
    const bytes = limitOf(endpoint) - margin;
    const bodies = Object.entries(worstBodies(endpoint, bytes, valuesOf(bytes)));
    await Promise.all(
      bodies.map(async ([shape, parts]) => {
        const answer = await post(endpoint.path, parts, owner.token);
        expect(answer.bytes, shape).toBeLessThan(answerBytes);
        expect(Object.values(answer.errors).flat().length, shape).toBeLessThanOrEqual(20);
        expect([422, 4111], `${shape} answers ${answer.status}`).toContain(answer.code);
        if (answer.code === 422) expect(Object.keys(answer.errors), shape).not.toEqual([]);
      }),
    );
  });

  it.each(endpoints)('$path answers 2 MB shortly', async (endpoint) => {
    const isRead = limitOf(endpoint) >= worstBytes;
    for (const shape of isRead ? Object.keys(megabytes) : telling) {
      const [field = '"none"'] = fieldsOf(endpoint);
      const answer = await post(endpoint.path, [`{${field}:`, megabytes[shape]!, '}'], owner.token);
      expect(answer.bytes, shape).toBeLessThan(answerBytes);
      if (isRead) expect([422, 4111], `${shape} answers ${answer.status}`).toContain(answer.code);
      else expect(answer, shape).toMatchObject({ status: 200, code: 4111 });
    }
  });

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
      expect(await post(endpoint.path, [body], null), endpoint.path).toMatchObject({ status: 401 });
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
