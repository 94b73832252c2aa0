import { type billingClearing as contract, type DataOf, payments } from '@yunxun/contract';
import { sql } from 'kysely';
import type { Tx } from '../../../platform/database/index.ts';
import { yuan } from '../service.ts';
import type { Provider } from './tables.ts';

interface ProviderSums {
  provider: Provider;
  receivable: number;
  movements: number;
  oldest_at: Date | null;
  gross: number;
  matched: number;
  fee: number;
  month_fee: number;
  arrived: number;
}

/** Of China, where the installation's books are kept. */
const monthOf = (now: Date) => new Date(now.getTime() + 8 * 3_600_000).toISOString().slice(0, 7);

async function sumsOf(tx: Tx, now: Date): Promise<ProviderSums[]> {
  const { rows } = await sql<ProviderSums>`
    with open as (
      select provider, sum(fen) as receivable, count(*) as movements from clearing_movement
      where payout_id is null and provider <> 'bank' group by provider),
    -- a refund that failed before any batch leaves nothing to wait for
    oldest as (
      select provider, min(at) as at from (
        select provider, min(at) as at from clearing_movement
        where payout_id is null and provider <> 'bank'
        group by provider, account_id, order_no having sum(fen) <> 0) orders
      group by provider),
    settled as (
      select provider, sum(gross_fen) as gross, sum(matched_fen) as matched, sum(fee_fen) as fee,
        coalesce(sum(fee_fen) filter (where left(day, 7) = ${monthOf(now)}), 0) as month_fee
      from clearing_payout where reversed_at is null group by provider),
    banked as (
      select provider, sum(fen) as arrived from clearing_arrival
      where reversed_at is null and provider is not null group by provider)
    select p.provider, coalesce(receivable, 0)::bigint as receivable, coalesce(movements, 0)::int as movements,
      oldest.at as oldest_at, coalesce(gross, 0)::bigint as gross, coalesce(matched, 0)::bigint as matched,
      coalesce(fee, 0)::bigint as fee, coalesce(month_fee, 0)::bigint as month_fee,
      coalesce(arrived, 0)::bigint as arrived
    from unnest(${[...payments.paymentProviders]}::text[]) as p (provider)
    left join open on open.provider = p.provider left join oldest on oldest.provider = p.provider
    left join settled on settled.provider = p.provider left join banked on banked.provider = p.provider`.execute(tx);
  return rows;
}

async function ownOf(tx: Tx): Promise<{ own: number; moved: number }> {
  const { rows } = await sql<{ own: number; moved: number }>`
    select
      (select coalesce(sum(fen), 0)::bigint from clearing_arrival
        where reversed_at is null and provider is null) as own,
      (select coalesce(sum(fen), 0)::bigint from clearing_movement where provider = 'bank') as moved`.execute(tx);
  return rows[0]!;
}

/** An account in the red lowers nothing that is owed to others. */
async function owedOf(tx: Tx): Promise<{ earned: number; recharged: number; frozen: number; owed: number }> {
  const { rows } = await sql<{ earned: number; recharged: number; frozen: number; owed: number }>`
    select coalesce(sum(earned), 0)::bigint as earned, coalesce(sum(recharged), 0)::bigint as recharged,
      coalesce(sum(frozen), 0)::bigint as frozen, coalesce(sum(greatest(0, earned + recharged + frozen)), 0)::bigint as owed
    from (
      select coalesce(sum(fen) filter (where ledger = 'balance'), 0) as earned,
        coalesce(sum(fen) filter (where ledger = 'recharged'), 0) as recharged,
        coalesce(sum(fen) filter (where ledger = 'frozen'), 0) as frozen
      from ledger_total where currency = 'CNY' and ledger in ('balance', 'recharged', 'frozen')
      group by account_id) accounts`.execute(tx);
  return rows[0]!;
}

const total = (rows: readonly ProviderSums[], of: (row: ProviderSums) => number) =>
  rows.reduce((sum, row) => sum + of(row), 0);

const transitOf = ({ gross, fee, arrived }: ProviderSums) => gross - fee - arrived;

/** System role. */
export async function readOverview(tx: Tx, now: Date): Promise<DataOf<typeof contract.overview>> {
  const rows = await sumsOf(tx, now);
  const { own, moved } = await ownOf(tx);
  const { earned, recharged, frozen, owed } = await owedOf(tx);
  const receivable = total(rows, (row) => row.receivable);
  const transit = total(rows, transitOf);
  const unassigned = total(rows, ({ gross, matched }) => gross - matched);
  const bank = total(rows, ({ arrived }) => arrived) + own + moved;
  const held = receivable + transit + bank - unassigned;
  const ofProvider = (kind: contract.BookKind, of: (row: ProviderSums) => number) =>
    rows.map((row) => ({ kind, provider: row.provider, fen: of(row) }));
  const books = [
    ...ofProvider('receivable', (row) => row.receivable),
    ...ofProvider('transit', transitOf),
    ...ofProvider('fee', ({ fee }) => fee),
    { kind: 'bank' as const, provider: null, fen: bank },
    { kind: 'unassigned' as const, provider: null, fen: -unassigned },
    { kind: 'own' as const, provider: null, fen: -own },
    { kind: 'owed' as const, provider: null, fen: -(receivable + total(rows, ({ matched }) => matched) + moved) },
  ];
  return {
    providers: rows.map((row) => ({
      provider: row.provider,
      receivable: yuan(row.receivable),
      movements: row.movements,
      oldest_at: row.oldest_at?.toISOString() ?? null,
      transit: yuan(transitOf(row)),
      month_fee: yuan(row.month_fee),
    })),
    receivable: yuan(receivable),
    transit: yuan(transit),
    bank: yuan(bank),
    unassigned: yuan(unassigned),
    held: yuan(held),
    earned: yuan(earned),
    recharged: yuan(recharged),
    frozen: yuan(frozen),
    owed: yuan(owed),
    surplus: yuan(held - owed),
    covered: held >= owed,
    books: books.filter(({ fen }) => fen !== 0).map(({ fen, ...book }) => ({ ...book, amount: yuan(fen) })),
  };
}
