import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { administer, byPath, guarded, logHead, send } from '../../../test/endpoints.ts';
import { makeSeed, type OwnedSeed } from '../../../test/seed.ts';
import { startTestServer, type TestServer } from '../../../test/server.ts';

const calls = guarded.filter(({ path }) => path.startsWith('/api/v3/sdwan/'));

let server: TestServer;
let closed: OwnedSeed;

beforeAll(async () => {
  server = await startTestServer();
  closed = await makeSeed(server);
  await administer(server, closed.owner.userId);
  await server.db.database.systemPool.query('update account set sdwan_status = false where account_id = $1', [
    closed.owner.accountId,
  ]);
});
afterAll(() => server.stop());

describe.each(byPath(calls))('%s of an account without SD-WAN', (_path, endpoint) => {
  it('answers 4101 and changes nothing', async () => {
    const { owner, seed } = closed;
    const before = await logHead(server, owner.accountId);
    const answer = await send(server, endpoint, seed, owner);
    expect(answer).toMatchObject({ code: 4101, data: { reason: 'sdwan_status' } });
    expect(await logHead(server, owner.accountId)).toBe(before);
  });
});

it('finds no SD-WAN network in the search', async () => {
  const search = async () => {
    const { data } = await server.call<{ list: object[] }>(
      '/api/v3/search/query',
      { keyword: 'branches', kinds: ['sdwan'] },
      closed.owner,
    );
    return data.list.length;
  };
  expect(await search()).toBe(0);
  await server.db.database.systemPool.query('update account set sdwan_status = true where account_id = $1', [
    closed.owner.accountId,
  ]);
  expect(await search()).toBe(1);
});
