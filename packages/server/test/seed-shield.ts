import { randomUUID } from 'node:crypto';
import type { Seed } from '@yunxun/contract';
import type { Registered, TestServer } from './server.ts';

export async function makeShield(server: TestServer, owner: Registered): Promise<Pick<Seed, 'shield'>> {
  const row = { name: 'Bank-Page', link: 'https://pay.example/' };
  const { data } = await server.call<{ id: string }>('/api/v3/cloud_security/allowlist/create', row, owner);
  const listId = randomUUID();
  await server.db.database.systemPool.query(
    `insert into shield_list (id, name, category, url, token, created_at)
     values ($1, $2, 'malware', 'https://lists.example/malware.txt', 'token', now())`,
    [listId, `List-${listId}`],
  );
  return { shield: { allowId: data.id, listId } };
}
