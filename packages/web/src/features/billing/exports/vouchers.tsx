import type { billingExports } from '@yunxun/contract';
import { useState } from 'react';
import { call } from '../../../app/client.ts';
import { t } from '../../../app/i18n.ts';
import { useMay } from '../../../app/shell/current.ts';
import { useRead } from '../../../app/use-call.ts';
import { Button } from '../../../ui/button.tsx';
import { Failed } from '../../../ui/empty.tsx';
import { SelectField } from '../../../ui/field.tsx';
import { money } from '../../../ui/format.ts';
import { Card } from '../../../ui/page.tsx';
import { fetchFile } from '../../../ui/table/csv.ts';
import { notifyError } from '../../../ui/toast.tsx';
import { AccountCodes } from './account-codes.tsx';

const layouts = ['plain', 'kis', 't3'] as const satisfies readonly billingExports.VoucherLayout[];

/** Exports a month's vouchers for accounting programs. */
export function Vouchers({ month }: { month: string }) {
  const may = useMay('billing.write');
  const [layout, setLayout] = useState<billingExports.VoucherLayout>('plain');
  const [isEditing, setEditing] = useState(false);
  const { data, error, refetch } = useRead('/api/v3/billing/voucher/get', { month }, { keepPrevious: true });
  const save = async (format: 'csv' | 'xlsx') => {
    try {
      fetchFile((await call('/api/v3/billing/voucher/export', { month, layout, format })).url);
    } catch (failure) {
      notifyError(failure);
    }
  };
  return (
    <Card
      title={t('vouchers.title')}
      actions={may && <Button onClick={() => setEditing(true)}>{t('vouchers.codes')}</Button>}
    >
      {error && !data ? <Failed small error={error} retry={() => void refetch()} /> : null}
      {data && (
        <div className="stack">
          <p>
            {t(data.final ? 'vouchers.final' : 'vouchers.provisional', {
              n: data.vouchers,
              debit: money(Number(data.debit)),
            })}
          </p>
          <div className="row">
            <SelectField
              label={t('vouchers.layout')}
              hideLabel
              small
              value={layout}
              options={layouts.map((value) => ({ value, label: t(`vouchers.layout_${value}`) }))}
              onChange={setLayout}
            />
            <Button icon="download" onClick={() => void save('xlsx')}>
              xlsx
            </Button>
            <Button icon="download" onClick={() => void save('csv')}>
              {layout === 't3' ? 'txt' : 'CSV'}
            </Button>
          </div>
        </div>
      )}
      {isEditing && <AccountCodes onClose={() => setEditing(false)} />}
    </Card>
  );
}
