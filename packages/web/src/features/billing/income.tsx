import { useMemo, useState } from 'react';
import type { Row } from '../../app/api.ts';
import { t } from '../../app/i18n.ts';
import { oneOf, useSearch } from '../../app/search.ts';
import { useRead } from '../../app/use-call.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Empty, Failed } from '../../ui/empty.tsx';
import { money } from '../../ui/format.ts';
import { Skeleton } from '../../ui/skeleton.tsx';
import type { Column, Filter } from '../../ui/table/columns.ts';
import { DataTable } from '../../ui/table/data-table.tsx';
import { ShortTime } from '../../ui/time.tsx';
import { methodName } from './refunds/money-columns.tsx';

const path = '/api/v3/billing/income/list';
type Income = Row<typeof path>;

const groups = ['day', 'month', 'network', 'method'] as const;
type Group = (typeof groups)[number];
const spans = ['30', '1', '7', '90', '365'] as const;

const shownLines = 100;
const sumKey = 'sum';

export function IncomeTable() {
  const [search] = useSearch();
  const group = oneOf(search.group, groups) ?? 'day';
  const days = Number(oneOf(search.days, spans) ?? '30');
  const [opened, setOpened] = useState<Income | null>(null);
  const { data } = useRead(path, { group, days, limit: 1 }, { keepPrevious: true });
  const showsEarned = typeof data?.sums.earned === 'string';
  const columns = useMemo(() => columnsOf(group, showsEarned), [group, showsEarned]);
  const filters = useMemo(filtersOf, []);
  return (
    <div className="stack">
      <p className="quiet">{t('income.about')}</p>
      <DataTable
        path={path}
        name="billing-income"
        title={t('income.title')}
        columns={columns}
        filters={filters}
        fixed={{ group, days }}
        rowKey={(row) => row.key}
        onOpen={setOpened}
        sum={({ sums }) => ({ key: sumKey, name: null, ...sums })}
        never={<Empty icon="list" title={t('income.never')} />}
      />
      {opened && <Lines row={opened} group={group} days={days} onClose={() => setOpened(null)} />}
    </div>
  );
}

function Lines({ row, group, days, onClose }: { row: Income; group: Group; days: number; onClose: () => void }) {
  const { data, error, refetch } = useRead('/api/v3/billing/income/journal', {
    group,
    days,
    key: row.key,
    limit: shownLines,
  });
  return (
    <Dialog title={t('income.lines', { name: nameOf(row, group) })} drawer onClose={onClose}>
      {error && !data ? <Failed error={error} retry={() => void refetch()} /> : null}
      {!error && !data ? <Skeleton /> : null}
      {data && (
        <>
          <p className="dim">{t('income.shown', { shown: data.list.length, total: data.total })}</p>
          <table className="plain-table">
            <tbody>
              {data.list.map(({ transaction_id: id, at, title, order_no, what, amount }) => (
                <tr key={`${id} ${what}`}>
                  <td className="nowrap">
                    <ShortTime at={at} />
                  </td>
                  <td>{t(`income.what_${what}`)}</td>
                  <td className="wraps">{title}</td>
                  <td className="mono wraps">{order_no}</td>
                  <td className="nowrap">{money(Number(amount))}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </>
      )}
    </Dialog>
  );
}

function nameOf({ key, name }: Income, group: Group): string {
  if (key === sumKey) return t('books.sum');
  if (group === 'day' || group === 'month') return key;
  if (group === 'network') return name ?? (key || t('income.no_network'));
  return methodName(key);
}

function filtersOf(): Filter[] {
  return [
    {
      name: 'group',
      label: t('income.group'),
      unset: t('income.group_day'),
      options: groups.slice(1).map((value) => ({ value, label: t(`income.group_${value}`) })),
    },
    {
      name: 'days',
      label: t('income.days'),
      unset: t('income.days_n', { n: 30 }),
      options: spans
        .slice(1)
        .map((value) => ({ value, label: value === '1' ? t('income.today') : t('income.days_n', { n: value }) })),
      input: (value) => ({ days: Number(value) }),
    },
  ];
}

function columnsOf(group: Group, showsEarned: boolean): Column<Income>[] {
  const amount = (key: 'income' | 'refunds' | 'fees' | 'net' | 'earned'): Column<Income> => ({
    key,
    title: t(`income.${key}`),
    sort: key,
    right: true,
    cell: (row) => money(Number(row[key])),
    text: (row) => Number(row[key]),
  });
  return [
    {
      key: 'key',
      title: t(`income.group_${group}`),
      sort: 'key',
      cell: (row) => nameOf(row, group),
      text: (row) => nameOf(row, group),
    },
    amount('income'),
    amount('refunds'),
    amount('fees'),
    amount('net'),
    ...(showsEarned ? [amount('earned')] : []),
  ];
}
