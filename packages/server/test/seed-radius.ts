import type { Seed } from '@yunxun/contract';
import type { Registered, TestServer } from './server.ts';

export async function makeRadius(
  server: TestServer,
  owner: Registered,
  gwid: string,
): Promise<Pick<Seed, 'radiusNas'>> {
  const given = { name: 'Gate', gwid, source: '192.0.2.9', identifier: 'gate', require_ma: true, coa_port: 3799 };
  const { data } = await server.call<{ id: string }>('/api/v3/radius/nas/create', given, owner);
  return { radiusNas: { id: data.id } };
}
