import type { Seed } from '@yunxun/contract';
import { newId } from '../src/platform/database/index.ts';
import type { TestServer } from './server.ts';

export async function makeClearing(server: TestServer): Promise<Pick<Seed, 'clearing'>> {
  const [payoutId, arrivalId] = [newId(), newId()];
  const { systemPool } = server.db.database;
  await systemPool.query(
    `insert into clearing_payout (id, provider, number, day, gross_fen, fee_fen, matched_fen, movements, at, by)
     values ($1::uuid, 'stripe', $1::text, '2026-11-20', 1000, 6, 0, 0, now(), 'another')`,
    [payoutId],
  );
  await systemPool.query(
    `insert into clearing_arrival (id, day, reference, fen, at, by)
     values ($1::uuid, '2026-11-20', $1::text, 1000, now(), 'another')`,
    [arrivalId],
  );
  return { clearing: { payoutId, arrivalId } };
}
