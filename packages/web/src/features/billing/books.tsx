import { useMemo } from 'react';
import type { Data, Row } from '../../app/api.ts';
import { call } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { useSearch } from '../../app/search.ts';
import { queryClient } from '../../app/session.ts';
import { useMay } from '../../app/shell/current.ts';
import { useRead } from '../../app/use-call.ts';
import { Button } from '../../ui/button.tsx';
import { ask } from '../../ui/dialog-host.tsx';
import { Empty, Failed } from '../../ui/empty.tsx';
import { SelectField } from '../../ui/field.tsx';
import { exactTime } from '../../ui/format.ts';
import { Card } from '../../ui/page.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { Tag } from '../../ui/status.tsx';
import type { Column, Filter } from '../../ui/table/columns.ts';
import { DataTable } from '../../ui/table/data-table.tsx';
import { ShortTime } from '../../ui/time.tsx';
import { booksTimeColumn } from './books-time.ts';
import { Vouchers } from './exports/vouchers.tsx';
import { monthsBetween } from './months.ts';
import { amountText } from './refunds/money-columns.tsx';

const balancePath = '/api/v3/billing/books/trial_balance';
const journalPath = '/api/v3/billing/books/journal';
type Line = Row<typeof journalPath>;
type Balance = Data<typeof balancePath>;
type Sums = Balance['sums'][number];

const ledgers = [
  'balance',
  'recharged',
  'frozen',
  'income',
  'cash',
  'sms',
  'expense',
  'external',
  'deferred',
  'earned',
] as const;
const figures = ['opening', 'debit', 'credit', 'closing'] as const;

export function Books() {
  const [search, change] = useSearch();
  const chosen = /^20\d\d-(0[1-9]|1[0-2])$/.test(search.month ?? '') ? search.month : undefined;
  const { data, error, refetch } = useRead(balancePath, { ...(chosen && { month: chosen }) }, { keepPrevious: true });
  const month = chosen ?? data?.month ?? '';
  const columns = useMemo(columnsOf, []);
  const filters = useMemo(filtersOf, []);
  const months = data ? monthsBetween(data.first_month ?? month, data.current_month) : [];
  const known = months.includes(month) ? months : [...months, month].toSorted().toReversed();
  return (
    <div className="stack">
      <p className="quiet">{t('books.about')}</p>
      <Card
        title={t('books.trial_balance')}
        actions={
          <SelectField
            label={t('books.month')}
            hideLabel
            small
            value={month}
            options={known.map((value) => ({ value, label: value }))}
            onChange={(value) => change({ month: value, page: undefined })}
          />
        }
      >
        {error && !data ? <Failed error={error} retry={() => void refetch()} /> : null}
        {!error && !data ? <Skeleton /> : null}
        {data && <TrialBalance data={data} month={month} />}
      </Card>
      {month && <Vouchers month={month} />}
      {month && (
        <DataTable
          path={journalPath}
          name="billing-journal"
          title={t('books.journal')}
          columns={columns}
          filters={filters}
          fixed={{ month }}
          rowKey={(row) => row.id}
          never={<Empty icon="list" title={t('books.none')} />}
        />
      )}
    </div>
  );
}

function TrialBalance({ data, month }: { data: Balance; month: string }) {
  const may = useMay('billing.write');
  const shown = data.sums.map(({ currency }) => currency);
  return (
    <div className="stack">
      {shown.length === 0 && <p className="dim">{t('books.none')}</p>}
      {shown.map((currency) => (
        <table key={currency} className="plain-table">
          <thead>
            <tr>
              <th>{currency === 'XTS' ? t('billing.play_money') : t('books.ledger')}</th>
              {figures.map((figure) => (
                <th key={figure} className="right">
                  {t(`books.${figure}`)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {data.list
              .filter((row) => row.currency === currency)
              .map((row) => (
                <tr key={row.ledger}>
                  <td>{t(`books.ledger_${row.ledger}`)}</td>
                  <Amounts row={row} />
                </tr>
              ))}
            {data.sums
              .filter((row) => row.currency === currency)
              .map((row) => (
                <tr key="sum">
                  <td>
                    <strong>{t('books.sum')}</strong>
                  </td>
                  <Amounts row={row} />
                </tr>
              ))}
          </tbody>
        </table>
      ))}
      {data.closed && (
        <p className="row">
          <Tag tone="ok">{t('books.closed')}</Tag>
          {t('books.closed_by', { at: exactTime(new Date(data.closed.at)), by: data.closed.by })}
        </p>
      )}
      {may && data.closable && (
        <div>
          <Button icon="lock" onClick={() => askToClose(month)}>
            {t('books.close')}
          </Button>
        </div>
      )}
    </div>
  );
}

function Amounts({ row }: { row: Sums }) {
  return figures.map((figure) => (
    <td key={figure} className="right nowrap">
      {amountText(row[figure], row.currency)}
    </td>
  ));
}

function askToClose(month: string): void {
  ask({
    title: t('books.close_title', { month }),
    body: <p>{t('books.close_body')}</p>,
    confirm: t('books.close'),
    async act() {
      await call('/api/v3/billing/books/close', { month });
      await queryClient.invalidateQueries({ queryKey: [balancePath] });
    },
  });
}

function filtersOf(): Filter[] {
  const options = ledgers.map((value) => ({ value, label: t(`books.ledger_${value}`) }));
  return [{ name: 'ledger', label: t('books.ledger'), options }];
}

function columnsOf(): Column<Line>[] {
  const side = (key: 'debit' | 'credit'): Column<Line> => ({
    key,
    title: t(`books.${key}`),
    sort: key,
    right: true,
    cell: (row) => (row[key] === null ? '—' : amountText(row[key], row.currency)),
    text: (row) => (row[key] === null ? null : Number(row[key])),
  });
  return [
    {
      key: 'at',
      title: t('billing.time'),
      sort: 'at',
      cell: (row) => <ShortTime at={row.at} />,
      files: [booksTimeColumn(t('billing.time'), (row) => row.at)],
    },
    {
      key: 'title',
      title: t('books.booking'),
      cell: (row) => row.title,
      files: [
        { title: t('books.line_id'), text: (row) => row.id },
        { title: t('books.transaction_id'), text: (row) => row.transaction_id },
        { title: t('books.kind'), text: (row) => row.kind },
        { title: t('books.booking'), text: (row) => row.title },
      ],
    },
    {
      key: 'order_no',
      title: t('billing.order_no'),
      cell: (row) => <span className="mono">{row.order_no ?? '—'}</span>,
      text: (row) => row.order_no,
    },
    { key: 'network', title: t('books.network'), cell: (row) => row.network ?? '—', text: (row) => row.network },
    {
      key: 'ledger',
      title: t('books.ledger'),
      cell: (row) => (
        <>
          {t(`books.ledger_${row.ledger}`)} {row.currency === 'XTS' && <Tag tone="info">{t('billing.play_money')}</Tag>}
        </>
      ),
      files: [
        { title: t('books.ledger'), text: (row) => t(`books.ledger_${row.ledger}`) },
        { title: t('billing.currency'), text: (row) => row.currency },
      ],
    },
    side('debit'),
    side('credit'),
  ];
}
