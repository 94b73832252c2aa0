import type { Seed } from '@yunxun/contract';
import { newId } from '../src/platform/database/index.ts';
import type { Registered, TestServer } from './server.ts';

export async function makeBinding(
  server: TestServer,
  owner: Registered,
  { serial }: Seed['device'],
): Promise<Pick<Seed, 'bindingCode' | 'enrolmentRequest' | 'serialTransfer'>> {
  const { data } = await server.call<{ id: string }>('/api/v3/binding/code/create', { name: 'Installer' }, owner);
  const ip = '192.0.2.44';
  await server.db.database.systemPool.query(
    `insert into enrolment_request (account_id, serial, source, address, asked_at, last_at, tries)
     values ($1, $2, $3, $3, now(), now(), 1)`,
    [owner.accountId, serial, ip],
  );
  const transfer = newId();
  await server.db.database.systemPool.query(
    `insert into serial_transfer (account_id, id, serial, reason, asked_at, asked_by, asker_account_id, asker_id, due_at,
       state) values ($1, $2, $3, 'sold', now(), 'admin', $1, $4, now() + interval '72 hours', 'waiting')`,
    [owner.accountId, transfer, serial, owner.userId],
  );
  return { serialTransfer: { id: transfer }, bindingCode: { id: data.id }, enrolmentRequest: { serial, ip } };
}
