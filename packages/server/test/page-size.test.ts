import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { newId } from '../src/platform/database/index.ts';
import { administer, byPath, guarded } from './endpoints.ts';
import { makeSeed, type OwnedSeed } from './seed.ts';
import { payInSandbox } from './seed-orders.ts';
import { startTestServer, type TestServer } from './server.ts';

const size = 10;
const more = 12;

let server: TestServer;
let mine: OwnedSeed;
const full = new Set<string>();

beforeAll(async () => {
  server = await startTestServer();
  mine = await makeSeed(server);
  await administer(server, mine.owner.userId);
  for (let n = 0; n < more; n += 1) {
    await server.call('/api/v3/network/create', { remark: `Shop-${n}` }, mine.owner);
    const order = { amount: '10', method: 'sandbox', key: newId() };
    const { data } = await server.call<{ pay_url: string }>('/api/v3/billing/recharge', order, mine.owner);
    await payInSandbox(server, data.pay_url);
  }
});
afterAll(() => server.stop());

const lists = guarded.filter(({ body, effect }) => {
  const { properties = {} } = body as { properties?: object };
  return effect === 'read' && 'page' in properties && 'limit' in properties;
});

it.each(byPath(lists))('%s lists ten rows when the size is left out', async (path, endpoint) => {
  const { limit: _limit, page: _page, ...input } = endpoint.example(mine.seed) as Record<string, unknown>;
  const rows = async (asked: object) => {
    const { code, data } = await server.call<{ list?: object[] }>(path, { ...input, ...asked }, mine.owner);
    expect(code).toBe(2000);
    return data.list?.length ?? 0;
  };
  const all = await rows({ limit: size + 1 });
  if (all > size) full.add(path);
  expect(await rows({})).toBe(Math.min(all, size));
});

it('tried it on lists of more rows than that', () => {
  expect([...full]).toEqual(
    expect.arrayContaining(['/api/v3/network/list', '/api/v3/log/action/list', '/api/v3/billing/transaction/list']),
  );
});

it('has no other size in the code', () => {
  const root = join(import.meta.dirname, '../src/features');
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /(?<!\.test)\.ts$/.test(file),
  );
  const sizes = files.flatMap((file) =>
    [...readFileSync(join(root, file), 'utf8').matchAll(/\blimit(?: = | \?\? )(\d+)\b/g)].map(
      ([, n]) => `${file} ${n}`,
    ),
  );
  expect(sizes.length).toBeGreaterThan(30);
  expect(sizes.filter((each) => !each.endsWith(` ${size}`))).toEqual([]);
});
