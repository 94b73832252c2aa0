import { useState } from 'react';
import { call } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { money } from '../../ui/format.ts';
import { download } from '../../ui/table/csv.ts';
import { notifyError } from '../../ui/toast.tsx';
import type { Invoice } from './invoice-columns.tsx';

const details = ['tax_no', 'address', 'phone', 'bank', 'bank_account', 'email'] as const;

type PdfPath = '/api/v3/billing/invoice/pdf' | '/api/v3/install/invoice/pdf';

interface Props {
  row: Invoice;
  /** Of the requester or of the installation. */
  pdf: PdfPath;
  onClose: () => void;
}

export function InvoiceDetail({ row, pdf, onClose }: Props) {
  const [busy, setBusy] = useState<'zh-CN' | 'en' | null>(null);
  const save = async (language: 'zh-CN' | 'en') => {
    setBusy(language);
    try {
      const { name, file } = await call(pdf, { id: row.id, language });
      const bytes = Uint8Array.from(atob(file), (byte) => byte.charCodeAt(0));
      download(name, new Blob([bytes]), 'application/pdf');
    } catch (error) {
      notifyError(error);
    } finally {
      setBusy(null);
    }
  };
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
        <>
          {row.state === 'issued' &&
            (['zh-CN', 'en'] as const).map((language) => (
              <Button
                key={language}
                icon="download"
                busy={busy === language}
                disabled={busy !== null}
                onClick={() => void save(language)}
              >
                {t(language === 'en' ? 'invoice.pdf_en' : 'invoice.pdf_zh')}
              </Button>
            ))}
          <Button icon="printer" onClick={() => window.print()}>
            {t('invoice.print')}
          </Button>
        </>
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
