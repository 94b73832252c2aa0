import { useMemo } from 'react';
import type { Row } from '../../app/api.ts';
import { t, textOf } from '../../app/i18n.ts';
import { Empty } from '../../ui/empty.tsx';
import { money } from '../../ui/format.ts';
import { Tag } from '../../ui/status.tsx';
import type { Column, Filter } from '../../ui/table/columns.ts';
import { DataTable } from '../../ui/table/data-table.tsx';
import { ShortTime } from '../../ui/time.tsx';

type SmsRow = Row<'/api/v3/sms/log/list'>;

const tones = { queued: 'warn', outbox: 'warn', sent: 'ok', failed: 'bad' } as const;
const results = ['queued', 'outbox', 'sent', 'failed'] as const;
const purposes = ['login', 'alarm'] as const;

export function SmsLog({ gwid }: { gwid: string }) {
  const columns = useMemo(columnsOf, []);
  const filters = useMemo(filtersOf, []);
  return (
    <DataTable
      path="/api/v3/sms/log/list"
      fixed={{ gwid }}
      name="sms"
      title={t('sms.tab_log')}
      columns={columns}
      filters={filters}
      rowKey={(row) => row.id}
      searchHint={t('sms.search')}
      never={
        <Empty icon="list" title={t('sms.never')}>
          {t('sms.never_body')}
        </Empty>
      }
    />
  );
}

function filtersOf(): Filter[] {
  return [
    {
      name: 'result',
      label: t('sms.result'),
      options: results.map((value) => ({ value, label: t(`sms.result_${value}`) })),
    },
    {
      name: 'purpose',
      label: t('sms.purpose'),
      options: purposes.map((value) => ({ value, label: t(`sms.purpose_${value}`) })),
    },
  ];
}

function columnsOf(): Column<SmsRow>[] {
  const template = (row: SmsRow) => textOf(`sms.template_${row.template}`) ?? row.template;
  return [
    {
      key: 'time',
      title: t('sms.time'),
      cell: (row) => <ShortTime at={row.time} />,
      text: (row) => row.time,
      sort: 'at',
    },
    {
      key: 'phone',
      title: t('sms.phone'),
      lead: true,
      cell: (row) => <span className="mono">{row.phone_masked}</span>,
      text: (row) => row.phone_masked,
    },
    {
      key: 'purpose',
      title: t('sms.purpose'),
      cell: (row) => t(`sms.purpose_${row.purpose}`),
      text: (row) => t(`sms.purpose_${row.purpose}`),
    },
    { key: 'template', title: t('sms.template'), cell: template, text: template },
    {
      key: 'result',
      title: t('sms.result'),
      cell: (row) => <Tag tone={tones[row.result]}>{t(`sms.result_${row.result}`)}</Tag>,
      text: (row) => t(`sms.result_${row.result}`),
    },
    { key: 'reason', title: t('sms.reason'), cell: (row) => row.reason ?? '—', text: (row) => row.reason },
    {
      key: 'fee',
      title: t('sms.fee'),
      sort: 'fee_fen',
      cell: (row) => money(row.fee_fen / 100),
      text: (row) => (row.fee_fen / 100).toFixed(2),
    },
  ];
}
