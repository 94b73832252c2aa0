import { afterAll, beforeAll, expect, it } from 'vitest';
import { endpoints } from '../../../test/endpoints.ts';
import { type Registered, startTestServer, type TestServer } from '../../../test/server.ts';
import { compileSchema, type Shape } from './schema-check.ts';

let server: TestServer;
let owner: Registered;

beforeAll(async () => {
  server = await startTestServer();
  owner = await server.register();
});
afterAll(() => server.stop());

function textsOf(shape: Shape, name = ''): [name: string, text: Shape][] {
  const isText = shape.type === 'string' && !shape.enum && !shape.format && shape.const === undefined;
  return [
    ...(isText ? [[name, shape] as [string, Shape]] : []),
    ...(shape.anyOf ?? []).flatMap((inner) => textsOf(inner, name)),
    ...(shape.items ? textsOf(shape.items, name) : []),
    ...Object.entries(shape.properties ?? {}).flatMap(([key, inner]) => textsOf(inner, key)),
    ...Object.values(shape.patternProperties ?? {}).flatMap((inner) => textsOf(inner, name)),
  ];
}

const secrets = [
  'password',
  'old_password',
  'confirm_password',
  'passphrase',
  'secret',
  'secret_key',
  'webhook_secret',
];
const files = ['key', 'csr', 'certificate', 'public_key', 'private_key'];
const addresses = ['link', 'uri', 'url'];
const paragraphs = ['note', 'zh', 'en', 'settings'];

it('refuses bidirectional controls in every line of text, but not in secrets, files, links and paragraphs', () => {
  const accepting = endpoints.flatMap(({ body }) =>
    textsOf(body as Shape).flatMap(([name, text]) => {
      const check = compileSchema({ type: 'object', properties: { text } } as never, 'refused');
      const input = { text: `${'a'.repeat(text.minLength ?? 0)}\u202eb` };
      const isDropped = () => !/\p{Bidi_Control}/u.test(input.text);
      return check(input).errors || isDropped() || text.raw ? [] : [name];
    }),
  );
  expect([...new Set(accepting)].sort()).toEqual([...secrets, ...files, ...addresses, ...paragraphs].sort());
});

it.each(['\u202a', '\u2066', '\u200e', '\u200f', '\u061c'])('names %j beside the field', async (control) => {
  const role = { name: `Gue${control}sts`, permissions: ['network.read'] };
  const { status, errors } = await server.call('/api/v3/account/role/create', role, owner);
  const code = control.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0');
  expect({ status, errors }).toEqual({ status: 422, errors: { name: [expect.stringContaining(`U+${code}`)] } });
});
