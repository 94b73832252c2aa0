import type { sms as contract, DataOf, InputOf, Locale } from '@yunxun/contract';
import { alarmNotices, limits, sms } from '@yunxun/contract';
import { sql } from 'kysely';
import { dayOf, startOfDay } from '../../platform/calendar.ts';
import type { AccountKeys } from '../../platform/crypto/account-keys.ts';
import type { Database, Tx } from '../../platform/database/index.ts';
import { reasonOf } from '../../platform/outbox/index.ts';
import { yuan } from '../billing/index.ts';
import { accounts } from '../identity/index.ts';
import { phoneHash } from './phone-hash.ts';
import { areSmsSold, smsPriceFen } from './sale.ts';
import { smsLeft } from './send.ts';
import { smsTables } from './tables.ts';

const monthMs = 30 * 86_400_000;

export async function readBalance(
  database: Database,
  tx: Tx,
  accountId: string,
  { now, provider }: { now: Date; provider: boolean },
): Promise<DataOf<typeof contract.balance>> {
  const sold = await areSmsSold(database);
  const { time_zone: zone } = await accounts.accountOf(tx, accountId);
  const dayStart = startOfDay(dayOf(now, zone), zone);
  const { rows } = await sql<{ today: number; month: number; sent: number; settled: number }>`
    select (count(*) filter (where at >= ${dayStart}))::int as today, count(*)::int as month,
      (count(*) filter (where state = 'sent'))::int as sent, (count(*) filter (where state <> 'queued'))::int as settled
    from sms_message where account_id = ${accountId} and state <> 'outbox' and at > ${new Date(now.getTime() - monthMs)}`.execute(
    tx,
  );
  const { today, month, sent, settled } = rows[0]!;
  const account = await smsTables(tx)
    .selectFrom('sms_account')
    .select('low_balance')
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  return {
    sold,
    provider,
    left: sold ? await smsLeft(tx, accountId) : null,
    price_fen: smsPriceFen,
    sent_today: today,
    sent_30d: month,
    success: settled === 0 ? null : Math.round((100 * sent) / settled),
    low_balance: account?.low_balance ?? null,
    packs: sold ? sms.smsPacks.map((count) => ({ count, amount: yuan(count * smsPriceFen) })) : [],
    limits: {
      phone_day: limits.smsCodesPerDay,
      phone_seconds: limits.codeIntervalSeconds,
      network_hour: limits.guestCodesPerHour.network,
      address_hour: limits.guestCodesPerHour.address,
      alarm_day: alarmNotices.noticeLimits.smsPerDay,
    },
  };
}

export async function listSms(
  tx: Tx,
  keys: AccountKeys,
  accountId: string,
  locale: Locale,
  input: InputOf<typeof contract.list>,
): Promise<DataOf<typeof contract.list>> {
  const { page = 1, limit = 10, sort = 'at', order = 'desc', keyword, gwid, result, purpose, from, to } = input;
  let found = smsTables(tx).selectFrom('sms_message').where('account_id', '=', accountId);
  if (gwid) found = found.where((is) => is.or([is('gwid', '=', gwid), is('gwid', 'is', null)]));
  if (result) found = found.where('state', '=', result);
  if (purpose) found = found.where('purpose', '=', purpose);
  if (from) found = found.where('at', '>=', new Date(from));
  if (to) found = found.where('at', '<', new Date(to));
  const hash = keyword ? await phoneHash(tx, keys, accountId, keyword) : null;
  if (hash) found = found.where('phone_hash', '=', hash);
  else if (keyword) found = found.where(sql<boolean>`position(${keyword} in phone_masked) > 0`);
  const { total } = await found.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  const rows = await found
    .selectAll()
    .orderBy(sort, order)
    .orderBy('id', order)
    .limit(limit)
    .offset((page - 1) * limit)
    .execute();
  return {
    list: rows.map(({ id, at, reason, state, ...row }) => ({
      id,
      time: at.toISOString(),
      gwid: row.gwid,
      phone_masked: row.phone_masked,
      purpose: row.purpose,
      template: row.template,
      result: state,
      fee_fen: row.fee_fen,
      reason: state === 'failed' && reason ? reasonOf(locale, reason) : null,
    })),
    total: Number(total),
  };
}
