import type { MemberChannel } from '@yunxun/contract';
import { sql } from 'kysely';
import type { Tx } from '../../../platform/database/index.ts';
import type { DeliveryTable } from './tables.ts';

export type RecipientKey = string;

export const memberKey = (personId: string, channel: string): RecipientKey => `member ${personId} ${channel}`;
export const endpointKey = (id: string): RecipientKey => `endpoint ${id}`;

export interface InformedRecipients {
  members: { personId: string; channel: MemberChannel }[];
  keys: ReadonlySet<RecipientKey>;
  /** Of older messages, without members. */
  channels: ReadonlySet<string>;
}

/** Returns the recipients of the latest opening by alarm, without failed messages. Lacks alarms without messages. */
export async function informedRecipients(
  tx: Tx,
  accountId: string,
  subscriptionId: string,
  alarmIds: readonly string[],
): Promise<ReadonlyMap<string, InformedRecipients>> {
  if (alarmIds.length === 0) return new Map();
  type Row = Pick<DeliveryTable, 'person_id' | 'channel' | 'endpoint_id' | 'state'> & { alarm_id: string };
  const { rows } = await sql<Row>`
    select distinct n.alarm_id, d.person_id, d.channel, d.endpoint_id, d.state
    from alarm_notice n
    join alarm_delivery d
      on d.account_id = n.account_id and d.batch_id = n.batch_id and d.subscription_id = n.subscription_id
    where n.account_id = ${accountId} and n.subscription_id = ${subscriptionId} and n.alarm_id = any(${[...alarmIds]}::uuid[])
      and n.state = 'sent' and n.event <> 'recovered' and n.decided_at > coalesce((
        select max(r.decided_at) from alarm_notice r
        where r.account_id = n.account_id and r.subscription_id = n.subscription_id and r.alarm_id = n.alarm_id
          and r.state = 'sent' and r.event = 'recovered'), '-infinity')
  `.execute(tx);
  const informed = new Map<string, InformedRecipients>();
  for (const alarmId of new Set(rows.map((row) => row.alarm_id)))
    informed.set(alarmId, recipientsOf(rows.filter((row) => row.alarm_id === alarmId && row.state !== 'failed')));
  return informed;
}

function recipientsOf(
  rows: readonly Pick<DeliveryTable, 'person_id' | 'channel' | 'endpoint_id'>[],
): InformedRecipients {
  const members = rows.flatMap(({ person_id: personId, channel }) =>
    personId ? [{ personId, channel: channel as MemberChannel }] : [],
  );
  // the endpoint of a browser is the browser
  const isAddress = ({ channel, endpoint_id }: (typeof rows)[number]) => channel !== 'web_push' && endpoint_id !== null;
  const endpoints = rows.filter(isAddress).map((row) => row.endpoint_id!);
  return {
    members,
    keys: new Set([...members.map((one) => memberKey(one.personId, one.channel)), ...endpoints.map(endpointKey)]),
    channels: new Set(rows.filter((row) => row.person_id === null && !isAddress(row)).map(({ channel }) => channel)),
  };
}

/** Deletes removed ones that no lasting alarm needs. @param accountId null: all; system role */
export async function purgeEnded(tx: Tx, accountId: string | null): Promise<void> {
  const account = accountId ? sql`e.account_id = ${accountId}` : sql`true`;
  const lasts = sql`(a.state <> 'recovered' or exists (
    select from alarm_notice w
    where w.account_id = n.account_id and w.subscription_id = n.subscription_id and w.alarm_id = n.alarm_id
      and w.state = 'waiting'))`;
  const notices = sql`alarm_notice n join alarm a on a.account_id = n.account_id and a.id = n.alarm_id`;
  await sql`
    delete from alarm_endpoint e where ${account} and e.ended_at is not null and not exists (
      select from alarm_delivery d
      where d.account_id = e.account_id and d.subscription_id = e.subscription_id and d.endpoint_id = e.id
        and (d.state = 'waiting' or exists (
          select from ${notices}
          where n.account_id = d.account_id and n.batch_id = d.batch_id and n.event <> 'recovered' and ${lasts})))
  `.execute(tx);
  await sql`
    delete from alarm_subscription e where ${account} and e.ended_at is not null
      and not exists (
        select from ${notices}
        where n.account_id = e.account_id and n.subscription_id = e.id and n.state = 'sent' and ${lasts})
      and not exists (
        select from alarm_delivery d
        where d.account_id = e.account_id and d.subscription_id = e.id and d.state = 'waiting')
  `.execute(tx);
}
