import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runs } from '../../../../../tools/property-runs.ts';
import { byPath, endpoints } from '../../../test/endpoints.ts';
import { startTestServer, type TestServer } from '../../../test/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

const open = endpoints.filter((endpoint) => endpoint.access === 'public');

const value = fc.oneof(
  fc.constantFrom(
    '13900000000',
    'a@example.com',
    '000000',
    'abcd1234',
    '',
    ' ',
    '\u0000',
    "' or 1=1 --",
    '😀',
    '../..',
  ),
  fc.string({ maxLength: 300 }),
  fc.uuid(),
  fc.base64String({ minLength: 40, maxLength: 44 }),
  fc.boolean(),
  fc.double(),
  fc.constant(null),
  fc.array(fc.string(), { maxLength: 3 }),
  fc.dictionary(fc.string(), fc.string(), { maxKeys: 3 }),
);

it('finds the calls, each with a limit of its own', () => {
  expect(open.length).toBeGreaterThan(12);
  expect(open.filter(({ limit }) => !limit).map(({ path }) => path)).toEqual([]);
});

describe.each(byPath(open))('%s', (path, endpoint) => {
  const fields = Object.keys((endpoint.body as { properties?: object }).properties ?? {});
  const body = fc.oneof(
    fc.record(Object.fromEntries(fields.map((name) => [name, value])), { requiredKeys: [] }),
    fc.dictionary(fc.constantFrom('__proto__', 'constructor', ...fields, 'x'), value),
    value,
  );

  it('answers about itself only, and accepts no sign-in', async () => {
    await fc.assert(
      fc.asyncProperty(body, async (input) => {
        const answer = await server.call(path, JSON.stringify(input) ?? '');
        expect([200, 422, 429], `${JSON.stringify(input)}: ${answer.message}`).toContain(answer.status);
        expect(answer.token).toBeUndefined();
        expect(answer.message).not.toMatch(/select |stack|error:/i);
      }),
      runs(15, 60),
    );
  });
});
