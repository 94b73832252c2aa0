import { useState } from 'react';
import type { Data } from '../../../app/api.ts';
import { call } from '../../../app/client.ts';
import { t } from '../../../app/i18n.ts';
import { paymentName } from '../../../app/payment-name.ts';
import { base64Of } from '../../../ui/base64-of.ts';
import { Dialog, SendFoot } from '../../../ui/dialog.tsx';
import { SelectField } from '../../../ui/field.tsx';
import { FileField } from '../../../ui/fields/file-field.tsx';
import { count, money } from '../../../ui/format.ts';
import { Tag } from '../../../ui/status.tsx';
import { notify } from '../../../ui/toast.tsx';
import { useForm } from '../../../ui/use-form.ts';
import { refreshClearing, statementProviders } from './clearing-data.ts';

type Preview = Data<'/api/v3/install/clearing/statement/preview'>;
type StatementProvider = (typeof statementProviders)[number];

/** Bytes; the server's limit. */
const maxBytes = 4 * 1024 * 1024;

export function StatementDialog({ onClose }: { onClose: () => void }) {
  const [provider, setProvider] = useState<StatementProvider>('wechat');
  const [chosen, setChosen] = useState<File | null>(null);
  const [preview, setPreview] = useState<Preview | null>(null);
  const { wrong, busy, fields, send } = useForm<'file'>();
  const fresh = preview?.batches.filter(({ booked }) => !booked).length ?? 0;
  const read = (file: File | null, of: StatementProvider) => {
    setChosen(file);
    setPreview(null);
    if (!file) return;
    void send({ file: file.size > maxBytes ? t('clearing.too_large') : null }, async () =>
      setPreview(
        await call('/api/v3/install/clearing/statement/preview', { provider: of, file: await base64Of(file) }),
      ),
    );
  };
  const submit = () =>
    send({ file: chosen ? null : t('clearing.choose_file') }, async () => {
      if (!chosen || !preview) return;
      const file = await base64Of(chosen);
      const { booked } = await call('/api/v3/install/clearing/statement/import', { provider, file });
      await refreshClearing();
      notify('ok', t('clearing.imported', { n: booked }));
      onClose();
    });
  return (
    <Dialog
      wide
      title={t('clearing.import')}
      onClose={onClose}
      onSubmit={() => void submit()}
      foot={
        <SendFoot onClose={onClose} busy={busy} disabled={fresh === 0}>
          {t('clearing.import_n', { n: fresh })}
        </SendFoot>
      }
    >
      <div ref={fields} className="stack">
        <SelectField
          label={t('clearing.provider')}
          value={provider}
          options={statementProviders.map((value) => ({ value, label: paymentName(value) }))}
          onChange={(value) => {
            setProvider(value);
            read(chosen, value);
          }}
        />
        <FileField
          label={t('clearing.file')}
          hint={t(`clearing.file_${provider}`)}
          accept=".csv,.zip,.gz,text/csv"
          error={wrong.file}
          onChoose={(file) => read(file ?? null, provider)}
        />
        {preview && <Found preview={preview} />}
      </div>
    </Dialog>
  );
}

function Found({ preview: { batches, lines, more, pending } }: { preview: Preview }) {
  return (
    <>
      <table className="plain-table">
        <thead>
          <tr>
            <th>{t('clearing.number')}</th>
            <th>{t('clearing.day')}</th>
            <th className="right">{t('clearing.gross')}</th>
            <th className="right">{t('clearing.fee')}</th>
            <th className="right">{t('clearing.net')}</th>
            <th>{t('clearing.content')}</th>
          </tr>
        </thead>
        <tbody>
          {batches.map((batch) => (
            <tr key={batch.number}>
              <td className="mono nowrap">{batch.number}</td>
              <td className="nowrap">{batch.day}</td>
              <td className="right">{money(Number(batch.gross))}</td>
              <td className="right">{money(Number(batch.fee))}</td>
              <td className="right">{money(Number(batch.net))}</td>
              <td>
                {batch.booked ? (
                  <Tag tone="none">{t('clearing.booked')}</Tag>
                ) : (
                  t('clearing.counts', {
                    matched: count(batch.matched),
                    unmatched: count(batch.unmatched),
                    differs: count(batch.differs),
                    repeated: count(batch.repeated),
                  })
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {pending > 0 && <p className="small dim">{t('clearing.pending', { n: count(pending) })}</p>}
      {lines.length > 0 && (
        <>
          <p>{t('clearing.lines_about')}</p>
          <ul>
            {lines.map(({ number, reference, order_no: no, result, amount, ours }, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a statement may repeat a line
              <li key={`${number} ${reference} ${at}`}>
                {ours === null
                  ? t('clearing.line_unmatched', { no: no || reference, amount: money(Number(amount)) })
                  : t('clearing.line_differs', { no, amount: money(Number(amount)), ours: money(Number(ours)) })}{' '}
                <Tag tone="warn">{t(`clearing.result_${result}`)}</Tag>
              </li>
            ))}
          </ul>
          {more > 0 && <p className="small dim">{t('clearing.more', { n: count(more) })}</p>}
        </>
      )}
    </>
  );
}
