import type { Seed } from '@yunxun/contract';
import { newId } from '../src/platform/database/index.ts';
import type { Registered, TestServer } from './server.ts';

/** Created last of a world. */
export async function makeInbox(
  server: TestServer,
  owner: Registered,
  gwid: string,
): Promise<Pick<Seed, 'message' | 'undoable'>> {
  const id = newId();
  await server.db.database.systemPool.query(
    `insert into message (account_id, id, type, template, params) values ($1, $2, 'security', 'deviceReenrolled', $3)`,
    [owner.accountId, id, JSON.stringify({ serial: '9c0000000001', address: '192.0.2.1' })],
  );
  const renamed = await server.call('/api/v3/network/update', { gwid, remark: 'Lobby-1' }, owner);
  if (renamed.code !== 2000) throw new Error(`network/update: ${renamed.code} ${renamed.message}`);
  const { data } = await server.call<{ list: { seq: number }[] }>('/api/v3/log/action/list', {}, owner);
  return { message: { id }, undoable: { seq: data.list[0]!.seq } };
}
