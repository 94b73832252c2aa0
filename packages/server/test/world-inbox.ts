import type { World } from '@yunxun/contract';
import { newId } from '../src/platform/database/index.ts';
import type { Registered, TestServer } from './server.ts';

let worlds = 0;

/** An unread message for everybody in the account, and an operation that can be undone. Made last of a world. */
export async function makeInbox(
  server: TestServer,
  owner: Registered,
  gwid: string,
): Promise<Pick<World, 'message' | 'undoable'>> {
  const id = newId();
  await server.db.database.systemPool.query(
    `insert into message (account_id, id, type, template, params) values ($1, $2, 'security', 'deviceReenrolled', $3)`,
    [owner.accountId, id, JSON.stringify({ serial: '9c0000000001', address: '192.0.2.1' })],
  );
  // numbers of operations count within an account: those of the first world, whose owner is the stranger of the isolation
  // test, must end before the one that the others undo
  worlds += 1;
  for (let at = 0; at < (worlds === 1 ? 1 : 4); at += 1) {
    await server.call('/api/v3/network/update', { gwid, remark: `Lobby ${at}` }, owner);
  }
  const { data } = await server.call<{ list: { seq: number }[] }>('/api/v3/log/action/list', {}, owner);
  return { message: { id }, undoable: { seq: data.list[0]!.seq } };
}
