import { useMemo, useState } from 'react';
import type { Data, Row } from '../../../app/api.ts';
import { call } from '../../../app/client.ts';
import { t } from '../../../app/i18n.ts';
import { queryClient } from '../../../app/session.ts';
import { useMay } from '../../../app/shell/current.ts';
import { useRead } from '../../../app/use-call.ts';
import { Button } from '../../../ui/button.tsx';
import { ask } from '../../../ui/dialog-host.tsx';
import { Empty, Failed } from '../../../ui/empty.tsx';
import { exactTime, money } from '../../../ui/format.ts';
import { Card } from '../../../ui/page.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import type { Column } from '../../../ui/table/columns.ts';
import { DataTable } from '../../../ui/table/data-table.tsx';
import { ShortTime } from '../../../ui/time.tsx';
import { booksTimeColumn } from '../books-time.ts';
import { DeferredLines } from './deferred-lines.tsx';

const path = '/api/v3/billing/deferred/get';
const listPath = '/api/v3/billing/deferred/list';
type State = Data<typeof path>;
type Item = Row<typeof listPath>;

export function DeferredIncome() {
  const { data, error, refetch } = useRead(path, {});
  const columns = useMemo(columnsOf, []);
  const [opened, setOpened] = useState<Item | null>(null);
  return (
    <div className="stack">
      <p className="quiet">{t('deferred.about')}</p>
      <Card title={t('deferred.title')} actions={data && <Switch state={data} />}>
        {error && !data ? <Failed small error={error} retry={() => void refetch()} /> : null}
        {!error && !data ? <Skeleton /> : null}
        {data && <Figures state={data} />}
      </Card>
      {data?.since && (
        <DataTable
          path={listPath}
          name="billing-deferred"
          title={t('deferred.items')}
          columns={columns}
          rowKey={(row) => `${row.source} ${row.id}`}
          searchHint={t('deferred.search')}
          onOpen={setOpened}
          never={
            <Empty icon="check" title={t('deferred.never')}>
              {t('deferred.never_body')}
            </Empty>
          }
        />
      )}
      {opened && <DeferredLines item={opened} onClose={() => setOpened(null)} />}
    </div>
  );
}

function Switch({ state: { enabled, version } }: { state: State }) {
  const may = useMay('billing.write');
  if (!may) return null;
  const change = () =>
    ask({
      title: t(enabled ? 'deferred.off_title' : 'deferred.on_title'),
      body: <p>{t(enabled ? 'deferred.off_body' : 'deferred.on_body')}</p>,
      confirm: t(enabled ? 'deferred.off' : 'deferred.on'),
      async act() {
        await call('/api/v3/billing/deferred/save', { enabled: !enabled, version });
        await queryClient.invalidateQueries({ queryKey: [path] });
      },
    });
  return <Button onClick={change}>{t(enabled ? 'deferred.off' : 'deferred.on')}</Button>;
}

function Figures({ state: { enabled, since, liability, months, schedule } }: { state: State }) {
  const planned = new Map(schedule.map(({ month, amount }) => [month, amount]));
  const past = new Map(months.map((one) => [one.month, one]));
  const names = [...new Set([...planned.keys(), ...past.keys()])].toSorted().toReversed();
  return (
    <div className="stack">
      <p>
        {enabled && since
          ? t('deferred.since', { at: exactTime(new Date(since)) })
          : t(since ? 'deferred.stopped' : 'deferred.is_off')}
      </p>
      {since && (
        <p>
          {t('deferred.liability')} <strong>{money(Number(liability))}</strong>
        </p>
      )}
      {names.length > 0 && (
        <table className="plain-table">
          <thead>
            <tr>
              <th>{t('deferred.month')}</th>
              {(['sold', 'earned', 'planned'] as const).map((column) => (
                <th key={column} className="right">
                  {t(`deferred.${column}`)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {names.map((month) => (
              <tr key={month}>
                <td>{month}</td>
                {[past.get(month)?.sold, past.get(month)?.earned, planned.get(month)].map((amount, nth) => (
                  <td key={['sold', 'earned', 'planned'][nth]} className="right nowrap">
                    {amount === undefined ? '—' : money(Number(amount))}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </div>
  );
}

function columnsOf(): Column<Item>[] {
  const amount = (key: 'amount' | 'remaining'): Column<Item> => ({
    key,
    title: t(`deferred.${key}`),
    sort: key,
    right: true,
    cell: (row) => money(Number(row[key])),
    text: (row) => Number(row[key]),
  });
  return [
    {
      key: 'sold_at',
      title: t('deferred.sold_at'),
      sort: 'sold_at',
      cell: (row) => <ShortTime at={row.sold_at} />,
      files: [booksTimeColumn(t('deferred.sold_at'), (row) => row.sold_at)],
    },
    { key: 'name', title: t('deferred.package'), cell: (row) => row.name, text: (row) => row.name },
    {
      key: 'number',
      title: t('deferred.number'),
      cell: (row) => <span className="mono">{row.order_no ?? `…${row.code}`}</span>,
      text: (row) => row.order_no ?? row.code,
    },
    { key: 'network', title: t('deferred.network'), cell: (row) => row.network ?? '—', text: (row) => row.network },
    amount('amount'),
    amount('remaining'),
    {
      key: 'started_at',
      title: t('deferred.started_at'),
      cell: (row) => (row.started_at ? <ShortTime at={row.started_at} /> : t('deferred.unused')),
      files: [booksTimeColumn(t('deferred.started_at'), (row) => row.started_at)],
    },
    {
      key: 'ends_at',
      title: t('deferred.ends_at'),
      cell: (row) => <ShortTime at={row.ends_at} />,
      files: [booksTimeColumn(t('deferred.ends_at'), (row) => row.ends_at)],
    },
  ];
}
