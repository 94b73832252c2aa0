import type { Seed } from '@yunxun/contract';
import type { Registered, TestServer } from './server.ts';

export async function makeBinding(
  server: TestServer,
  owner: Registered,
  { serial }: Seed['device'],
): Promise<Pick<Seed, 'bindingCode' | 'enrolmentRequest'>> {
  const { data } = await server.call<{ id: string }>('/api/v3/binding/code/create', { name: 'Installer' }, owner);
  const ip = '192.0.2.44';
  await server.db.database.systemPool.query(
    `insert into enrolment_request (account_id, serial, source, address, asked_at, last_at, tries)
     values ($1, $2, $3, $3, now(), now(), 1)`,
    [owner.accountId, serial, ip],
  );
  return { bindingCode: { id: data.id }, enrolmentRequest: { serial, ip } };
}
