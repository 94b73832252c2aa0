import { afterAll, beforeAll, expect, it } from 'vitest';
import { administer, byPath, guarded } from './endpoints.ts';
import { makeSeed, type OwnedSeed } from './seed.ts';
import { startTestServer, type TestServer } from './server.ts';

let server: TestServer;
let mine: OwnedSeed;
beforeAll(async () => {
  server = await startTestServer();
  mine = await makeSeed(server);
  await administer(server, mine.owner.userId);
});
afterAll(() => server.stop());

const lists = guarded.filter(({ body, effect }) => {
  const { properties = {} } = body as { properties?: object };
  return effect === 'read' && 'page' in properties && 'limit' in properties;
});

it.each(byPath(lists))('%s keeps its total on a page beyond the end', async (path, endpoint) => {
  const input = endpoint.example(mine.seed) as object;
  const totalOf = async (page: number) => {
    const { code, data } = await server.call<{ list?: object[]; total?: number }>(path, { ...input, page }, mine.owner);
    expect(code).toBe(2000);
    return data;
  };
  const [first, beyond] = [await totalOf(1), await totalOf(1_000)];
  expect(beyond.total).toBe(first.total);
  expect(beyond.list ?? []).toEqual([]);
});
