import { expect } from 'vitest';
import type { Registered, TestServer } from '../../../../test/server.ts';
import { alipayLine, alipayZip, wechatBill, wechatLine } from './bills.ts';
import type { createProviderWorld, ProviderName } from './provider-world.ts';

type World = Pick<ReturnType<typeof createProviderWorld>, 'payments' | 'refunds'>;

const dayMs = 86_400_000;
const chinaMs = 8 * 3_600_000;
const billedDay = '2026-11-27';

/** What a provider settles for one of its days, in fen: a payment less its fee, or a refund (negative). */
interface Settled {
  no: string;
  fen: number;
  feeFen: number;
}

interface Settlement {
  provider: ProviderName;
  day: string;
  lines: readonly Settled[];
  file: Buffer;
}

const yuanOf = (fen: number) => (fen / 100).toFixed(2);
const fenOf = (yuan: string) => Math.round(Number(yuan) * 100);
const feeOf = (fen: number) => Math.round(fen * 0.006);

/** Settlements of all days with movements, by each provider's rules: Stripe pays a failed refund back, on its own day. */
function settlementsOf({ payments, refunds }: World): Settlement[] {
  const days = new Map<string, { provider: ProviderName; day: string; lines: Settled[] }>();
  const add = (provider: ProviderName, at: Date, line: Settled) => {
    const east = provider === 'stripe' ? 0 : chinaMs;
    const day = new Date(Math.floor((at.getTime() + east) / dayMs) * dayMs).toISOString().slice(0, 10);
    const key = `${provider} ${day}`;
    const settled = days.get(key) ?? { provider, day, lines: [] };
    days.set(key, settled);
    settled.lines.push(line);
  };
  for (const { provider, no, fen, at } of payments.values()) add(provider, at, { no, fen, feeFen: feeOf(fen) });
  for (const { provider, no, fen, at, failedAt } of refunds.values()) {
    // the money never left the others
    if (failedAt && provider !== 'stripe') continue;
    add(provider, at, { no, fen: -fen, feeFen: 0 });
    if (failedAt) add(provider, failedAt, { no, fen, feeFen: 0 });
  }
  return [...days.values()]
    .toSorted((a, b) => a.day.localeCompare(b.day))
    .map((settled) => ({ ...settled, file: files[settled.provider](settled.day, settled.lines) }));
}

const files: Record<ProviderName, (day: string, lines: readonly Settled[]) => Buffer> = {
  wechat: (day, lines) =>
    Buffer.from(
      wechatBill(
        ...lines.map(({ no, fen, feeFen }) =>
          (fen > 0 ? wechatLine(no, 'SUCCESS', yuanOf(fen)) : wechatLine(no, 'REFUND', '0.00', yuanOf(-fen), 'SUCCESS'))
            .replace(billedDay, day)
            .replace('`0.00000', `\`${yuanOf(feeFen)}`),
        ),
      ),
    ),
  alipay: (day, lines) =>
    alipayZip(
      ...lines.map(({ no, fen, feeFen }) =>
        alipayLine(no, fen > 0 ? '交易' : '退款', yuanOf(fen))
          .replaceAll(billedDay, day)
          .replace(/0\.00,$/, `${yuanOf(feeFen)},`),
      ),
    ),
  stripe: (day, lines) =>
    Buffer.from(
      [
        'automatic_payout_id,automatic_payout_effective_at,balance_transaction_id,reporting_category,currency,gross,fee,payment_metadata[order_no]',
        ...lines.map(({ no, fen, feeFen }, nth) => {
          const isCharge = feeFen > 0;
          const category = isCharge ? 'charge' : fen < 0 ? 'refund' : 'refund_failure';
          return [
            `po_${day}`,
            `${day} 00:00:00`,
            `txn_${day}_${nth}`,
            category,
            'cny',
            yuanOf(fen),
            yuanOf(feeFen),
            no,
          ];
        }),
      ].join('\n'),
    ),
};

interface Clearing {
  providers: { provider: string; receivable: string; transit: string }[];
  bank: string;
  owed: string;
  books: { kind: string; provider: string | null; amount: string }[];
}

/** Imports each day's settlement, whose money arrives, and compares the clearing books with a recount. `owedFen`: of all accounts. */
export async function settleAll(server: TestServer, admin: Registered, world: World, owedFen: number): Promise<void> {
  const install = async <T>(path: string, input: object): Promise<T> => {
    const answer = await server.call<T>(`/api/v3/install/clearing/${path}`, input, admin);
    expect(answer, path).toMatchObject({ code: 2000 });
    return answer.data;
  };
  const sums = new Map((['alipay', 'wechat', 'stripe'] as const).map((provider) => [provider, { gross: 0, fee: 0 }]));
  for (const { provider, day, lines, file } of settlementsOf(world)) {
    const statement = { provider, file: file.toString('base64') };
    const { batches } = await install<{
      batches: { number: string; net: string; unmatched: number; differs: number }[];
    }>('statement/import', statement);
    const gross = lines.reduce((sum, { fen }) => sum + fen, 0);
    const fee = lines.reduce((sum, { feeFen }) => sum + feeFen, 0);
    expect(batches, `${provider} ${day}`).toMatchObject([{ net: yuanOf(gross - fee), unmatched: 0, differs: 0 }]);
    const { number } = batches[0]!;
    await install('arrival/create', {
      provider,
      payout: number,
      day,
      reference: `${provider}-${number}`,
      amount: yuanOf(gross - fee),
    });
    sums.get(provider)!.gross += gross;
    sums.get(provider)!.fee += fee;
  }
  const { providers, bank, owed, books } = await install<Clearing>('overview', {});
  const bookOf = (kind: string, provider: string) =>
    fenOf(books.find((book) => book.kind === kind && book.provider === provider)?.amount ?? '0');
  for (const [provider, { gross, fee }] of sums) {
    const paid = [...world.payments.values()].filter((payment) => payment.provider === provider);
    const back = [...world.refunds.values()].filter((one) => one.provider === provider && one.state !== 'failed');
    const moved = paid.reduce((sum, { fen }) => sum + fen, 0) - back.reduce((sum, { fen }) => sum + fen, 0);
    expect(moved, provider).toBe(gross);
    expect(providers.find((one) => one.provider === provider)).toMatchObject({ receivable: '0.00', transit: '0.00' });
    expect(bookOf('fee', provider), provider).toBe(fee);
  }
  const all = [...sums.values()];
  expect(fenOf(bank)).toBe(all.reduce((sum, { gross, fee }) => sum + gross - fee, 0));
  expect(fenOf(owed)).toBe(owedFen);
  expect(books.reduce((sum, { amount }) => sum + fenOf(amount), 0)).toBe(0);
}
