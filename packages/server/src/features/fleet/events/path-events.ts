import { asRecord, asText, asTexts, type EventPayloads } from '@yunxun/contract/device';
import { sql } from 'kysely';
import type { Tx } from '../../../platform/database/index.ts';
import type { DeviceRef } from '../../../uplink/index.ts';

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
  const list = rows.map(({ serial, at, payload }) => ({ serial, at, ...changeOf(payload) }));
  return { list, total: counted.rows[0]?.total ?? 0 };
}

function changeOf(payload: unknown): Pick<PathEvent, 'from' | 'to' | 'prefixes'> {
  const { from, to, prefixes } = asRecord<EventPayloads['sdwan.path']>(payload);
  return { from: asText(from, 15), to: asText(to, 15), prefixes: asTexts(prefixes).slice(0, maxPrefixes) };
}

/** Returns the path changes of devices; of any account with the system role. */
export async function pathEventsOf(
  tx: Tx,
  refs: readonly DeviceRef[],
  { since, now }: { since: Date; now: Date },
): Promise<(PathEvent & DeviceRef & { id: string; network: string })[]> {
  const { rows } = await sql<DeviceRef & { id: string; at: Date; payload: unknown; network: string }>`
    select account_id as "accountId", serial, id, at, payload, payload ->> 'network' as network
    from (select distinct * from unnest(${refs.map(({ accountId }) => accountId)}::uuid[],
      ${refs.map(({ serial }) => serial)}::text[]) as w (account_id, serial)) wanted
    join device_event using (account_id, serial)
    where type = 'sdwan.path' and at >= ${since} and at <= ${now}
  `.execute(tx);
  return rows.map(({ payload, ...row }) => ({ ...row, ...changeOf(payload) }));
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
