import type { AnyEndpoint } from '@yunxun/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { administer, guarded } from './endpoints.ts';
import { makeSeed, type OwnedSeed } from './seed.ts';
import { startTestServer, type TestServer } from './server.ts';

type Row = Readonly<Record<string, unknown>>;

let server: TestServer;
let mine: OwnedSeed;

beforeAll(async () => {
  server = await startTestServer();
  mine = await makeSeed(server);
  await administer(server, mine.owner.userId);
});
afterAll(() => server.stop());

const sortsOf = ({ body }: AnyEndpoint): string[] => {
  const { properties } = (body ?? {}) as { properties?: { sort?: { enum?: string[] } } };
  return properties?.sort?.enum ?? [];
};
const lists = guarded.filter((endpoint) => /list|history|received/.test(endpoint.path) && sortsOf(endpoint).length > 0);

/** Nulls are last in both directions. */
function isSorted(rows: readonly Row[], key: string, order: 'asc' | 'desc'): boolean {
  const known = rows.map((row) => row[key]).filter((value) => typeof value === 'number');
  return known.every((value, at) => at === 0 || (order === 'asc' ? value >= known[at - 1]! : value <= known[at - 1]!));
}

it('finds the lists at all', () => {
  expect(lists.length).toBeGreaterThan(25);
});

describe.each(lists.map((endpoint) => [endpoint.path, endpoint] as const))('%s', (path, endpoint) => {
  it.each(sortsOf(endpoint).flatMap((sort) => (['asc', 'desc'] as const).map((order) => [sort, order] as const)))(
    'sorts by %s, %s',
    async (sort, order) => {
      const input = { ...(endpoint.example(mine.seed) as object), sort, order, page: 1, limit: 50 };
      const answer = await server.call<{ list: Row[] }>(path, input, mine.owner);
      expect(answer.code, `${answer.message} ${JSON.stringify(answer.errors)}`).toBe(2000);
      expect(isSorted(answer.data.list, sort, order)).toBe(true);
    },
  );
});
