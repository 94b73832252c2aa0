import type { Seed } from '@yunxun/contract';
import type { Registered, TestServer } from './server.ts';

export async function makePlaced(server: TestServer, owner: Registered): Promise<Seed['placedNetwork']> {
  const { data } = await server.call<{ gwid: string }>('/api/v3/network/create', { remark: 'Placed' }, owner);
  await server.db.database.systemPool.query(
    'insert into network_place (account_id, gwid, lat, lng) values ($1, $2, 30.25, 120.15)',
    [owner.accountId, data.gwid],
  );
  return data;
}
