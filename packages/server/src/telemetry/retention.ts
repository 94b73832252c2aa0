import { installation } from '@yunxun/contract';
import { sql } from 'kysely';
import type { Tx } from '../platform/database/index.ts';

type RetentionKind = (typeof installation.retentionKinds)[number];

/** Account rows are few and serve 30-day charts. */
const fewestAccountDays = 35;

const tablesOf: Readonly<Record<RetentionKind, readonly string[]>> = {
  reports: ['device_sample'],
  fine: ['rollup_device_5m', 'rollup_network_5m'],
  hours: ['rollup_device_1h', 'rollup_network_1h', 'rollup_account_1h', 'app_flow_1h'],
  days: ['rollup_device_1d', 'rollup_network_1d', 'rollup_account_1d'],
  terminals: ['station_quarter', 'app_flow'],
  sessions: ['station_session'],
  visits: ['station_day'],
  stations: ['station'],
};

/** Returns days per kind. System role. */
export async function readRetention(tx: Tx): Promise<Record<RetentionKind, number>> {
  const { rows } = await sql<{ name: string; days: number }>`
    select name, days from platform.partitioned union all select name, days from platform.kept
  `.execute(tx);
  const days = new Map(rows.map((row) => [row.name, row.days]));
  const each = installation.retentionKinds.map((kind) => [kind, days.get(tablesOf[kind][0]!)!] as const);
  return Object.fromEntries(each) as Record<RetentionKind, number>;
}

/** Takes effect with the next job run. System role. */
export async function setRetention(tx: Tx, kind: RetentionKind, days: number): Promise<void> {
  for (const registry of ['platform.partitioned', 'platform.kept'])
    await sql`update ${sql.table(registry)} set days = ${days} where name = any(${tablesOf[kind]}::text[])`.execute(tx);
  if (kind !== 'fine') return;
  await sql`
    update platform.partitioned set days = ${Math.max(days, fewestAccountDays)} where name = 'rollup_account_5m'
  `.execute(tx);
}
