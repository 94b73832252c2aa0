import { asRecord, asText, asTexts, type EventPayloads } from '@yunxun/contract/device';
import { sql } from 'kysely';
import type { Tx } from '../../../platform/database/index.ts';

/** Failover of an SD-WAN network, as its gateway reported it. */
export interface PathEvent {
  serial: string;
  at: Date;
  from: string | null;
  to: string | null;
  prefixes: string[];
}

const maxPrefixes = 20;

const ofNetwork = (accountId: string, about: { network: string; serials: readonly string[] }) =>
  // a literal lets PostgreSQL use the partial index
  sql`from device_event where account_id = ${accountId} and type = 'sdwan.path'
    and serial = any (${about.serials}) and payload ->> 'network' = ${about.network}`;

/** Returns a page, newest first. */
export async function listPathEvents(
  tx: Tx,
  accountId: string,
  about: { network: string; serials: readonly string[] },
  page: { limit: number; offset: number },
): Promise<{ list: PathEvent[]; total: number }> {
  const { rows } = await sql<{ serial: string; at: Date; payload: unknown }>`
    select serial, at, payload ${ofNetwork(accountId, about)} order by at desc, id desc
    limit ${page.limit} offset ${page.offset}
  `.execute(tx);
  const counted = await sql<{ total: number }>`
    select count(*)::int as total ${ofNetwork(accountId, about)}
  `.execute(tx);
  const list = rows.map(({ serial, at, payload }): PathEvent => {
    const { from, to, prefixes } = asRecord<EventPayloads['sdwan.path']>(payload);
    const texts = asTexts(prefixes).slice(0, maxPrefixes);
    return { serial, at, from: asText(from, 15), to: asText(to, 15), prefixes: texts };
  });
  return { list, total: counted.rows[0]?.total ?? 0 };
}

/** Keys the newest path change by serial. */
export async function lastPathEvents(
  tx: Tx,
  accountId: string,
  about: { network: string; serials: readonly string[] },
): Promise<ReadonlyMap<string, Date>> {
  const { rows } = await sql<{ serial: string; at: Date }>`
    select serial, max(at) as at ${ofNetwork(accountId, about)} group by serial
  `.execute(tx);
  return new Map(rows.map(({ serial, at }) => [serial, at]));
}
