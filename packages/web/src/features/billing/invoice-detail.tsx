import { t } from '../../app/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { money } from '../../ui/format.ts';
import type { Invoice } from './invoice-columns.tsx';

const details = ['tax_no', 'address', 'phone', 'bank', 'bank_account', 'email'] as const;

export function InvoiceDetail({ row, onClose }: { row: Invoice; onClose: () => void }) {
  const facts: (readonly [string, string | null | undefined])[] = [
    [t('invoice.name'), row.title.name],
    [t('invoice.kind'), t(`invoice.kind_${row.title.kind}`)],
    ...details.map((name) => [t(`invoice.${name}`), row.title[name]] as const),
    [t('invoice.amount'), money(Number(row.amount))],
    [t('invoice.state'), t(`invoice.state_${row.state}`)],
    [t('invoice.number'), row.number],
    [t('invoice.issued_on'), row.issued_on],
    [t('invoice.original'), row.original],
    [t('invoice.reason'), row.reason],
    [t('invoice.remark'), row.remark],
  ];
  return (
    <Dialog
      title={t('invoice.detail')}
      onClose={onClose}
      foot={
        <Button icon="printer" onClick={() => window.print()}>
          {t('invoice.print')}
        </Button>
      }
    >
      <div className="stack">
        <dl className="facts">
          {facts
            .filter(([, value]) => value)
            .map(([name, value]) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{value}</dd>
              </div>
            ))}
        </dl>
        <table className="plain-table">
          <caption className="sr">{t('invoice.orders')}</caption>
          <thead>
            <tr>
              <th scope="col">{t('invoice.order_no')}</th>
              <th scope="col">{t('invoice.amount')}</th>
            </tr>
          </thead>
          <tbody>
            {row.orders.map(({ order_no: no, amount }) => (
              <tr key={no}>
                <td className="mono">{no}</td>
                <td>{money(Number(amount))}</td>
              </tr>
            ))}
          </tbody>
        </table>
        <p className="small dim">{t('invoice.slip')}</p>
      </div>
    </Dialog>
  );
}
