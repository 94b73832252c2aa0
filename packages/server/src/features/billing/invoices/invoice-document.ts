import type { Locale } from '@yunxun/contract';
import { message, messageByKey } from '@yunxun/contract/messages';
import { sql } from 'kysely';
import type { Tx } from '../../../platform/database/index.ts';
import { Failure } from '../../../platform/failure.ts';
import { renderPdf } from '../../../platform/pdf/index.ts';
import { yuan } from '../service.ts';
import { invoiceTables } from './store.ts';

const titleFacts = ['tax_no', 'address', 'phone', 'bank', 'bank_account', 'email'] as const;

export type Slip = Awaited<ReturnType<typeof readSlip>>;

/** @throws Failure notFound; changedMeanwhile unless issued */
export async function readSlip(tx: Tx, id: string) {
  const row = await invoiceTables(tx)
    .selectFrom('invoice as i')
    .leftJoin('invoice as o', (join) =>
      join.onRef('o.account_id', '=', 'i.account_id').onRef('o.id', '=', 'i.original'),
    )
    .select(['i.account_id', 'i.state', 'i.fen', 'i.title', 'i.remark', 'i.number', 'i.settled_at'])
    .select(['o.number as original', sql<string>`to_char(i.issued_on, 'YYYY-MM-DD')`.as('issued_on')])
    .where('i.id', '=', id)
    .executeTakeFirst();
  if (!row) throw new Failure('notFound');
  const { state, number, settled_at } = row;
  if (state !== 'issued' || number === null || settled_at === null) throw new Failure('changedMeanwhile');
  const orders = await invoiceTables(tx)
    .selectFrom('invoice_order')
    .select(['order_no', 'fen'])
    .where('account_id', '=', row.account_id)
    .where('invoice_id', '=', id)
    .orderBy('order_no')
    .execute();
  return { ...row, number, settled_at, orders };
}

export async function renderSlip(slip: Slip, locale: Locale): Promise<{ name: string; file: string }> {
  const { fen, title, number, issued_on, original, remark, orders, settled_at } = slip;
  const facts: [string, string | null | undefined][] = [
    [message(locale, 'invoice.number'), number],
    [message(locale, 'invoice.issued_on'), issued_on],
    [message(locale, 'invoice.original'), original],
    [message(locale, 'invoice.name'), title.name],
    ...titleFacts.map((key): [string, string | undefined] => [messageByKey(locale, `invoice.${key}`), title[key]]),
    [message(locale, 'invoice.amount'), yuan(fen)],
    [message(locale, 'invoice.remark'), remark],
  ];
  const pdf = await renderPdf({
    locale,
    at: settled_at,
    title: message(locale, fen < 0 ? 'invoice.slip_red' : 'invoice.slip'),
    subtitle: message(locale, 'invoice.slip_about'),
    blocks: [
      { kind: 'facts', facts: facts.flatMap(([label, value]) => (value ? [[label, value] as const] : [])) },
      { kind: 'heading', text: message(locale, 'invoice.orders') },
      {
        kind: 'table',
        columns: [
          { title: message(locale, 'invoice.order_no'), share: 2 },
          { title: message(locale, 'invoice.amount'), share: 1, align: 'right' },
        ],
        rows: orders.map((order) => [order.order_no, yuan(order.fen)]),
      },
    ],
    footer: (n, total) => message(locale, 'report.page', { n, total }),
  });
  return { name: `yunxun-invoice-${number}.pdf`, file: pdf.toString('base64') };
}
