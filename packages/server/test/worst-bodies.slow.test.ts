import { Agent } from 'node:http';
import type { AnyEndpoint } from '@yunxun/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { administer } from './endpoints.ts';
import { posted as endpoints, limitOf, type Parts, postParts } from './post-parts.ts';
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

const fieldsOf = ({ body }: Pick<AnyEndpoint, 'body'>) =>
  Object.keys((body as { properties?: object }).properties ?? {}).map((name) => JSON.stringify(name));

/** One of each kind: the others differ in what a parser makes of them. */
const telling = ['text', 'objects', 'nested', 'names'] as const;
const valuesBySize = new Map<number, Record<string, string>>();

function valuesOf(bytes: number): Record<string, string> {
  const values = valuesBySize.get(bytes) ?? worstValues(bytes);
  valuesBySize.set(bytes, values);
  return values;
}

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

const margin = 128;
const send = ({ path }: AnyEndpoint, parts: Parts) => postParts(agent, server.url + path, parts, owner.token);

describe('a body of the worst shape', () => {
  it.each(endpoints)('$path answers shortly, whatever fits', async (endpoint) => {
    const bytes = limitOf(endpoint) - margin;
    const bodies = Object.entries(worstBodies(endpoint, bytes, valuesOf(bytes)));
    await Promise.all(
      bodies.map(async ([shape, parts]) => {
        const answer = await send(endpoint, parts);
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
      const answer = await send(endpoint, [`{${field}:`, megabytes[shape]!, '}']);
      expect(answer.bytes, shape).toBeLessThan(answerBytes);
      if (isRead) expect([422, 4111], `${shape} answers ${answer.status}`).toContain(answer.code);
      else expect(answer, shape).toMatchObject({ status: 200, code: 4111 });
    }
  });
});
