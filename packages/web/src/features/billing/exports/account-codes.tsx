import { useState } from 'react';
import type { Data } from '../../../app/api.ts';
import { call } from '../../../app/client.ts';
import { t } from '../../../app/i18n.ts';
import { queryClient } from '../../../app/session.ts';
import { useRead } from '../../../app/use-call.ts';
import { Dialog, SendFoot } from '../../../ui/dialog.tsx';
import { Failed } from '../../../ui/empty.tsx';
import { SelectField, TextField } from '../../../ui/field.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { notify } from '../../../ui/toast.tsx';
import { useForm } from '../../../ui/use-form.ts';

const path = '/api/v3/billing/account_code/get';
type Codes = Data<typeof path>;

export function AccountCodes({ onClose }: { onClose: () => void }) {
  const { data, error, refetch } = useRead(path, {});
  if (data) return <CodesForm codes={data} onClose={onClose} />;
  return (
    <Dialog title={t('vouchers.codes')} onClose={onClose}>
      {error ? <Failed small error={error} retry={() => void refetch()} /> : <Skeleton />}
    </Dialog>
  );
}

function CodesForm({ codes, onClose }: { codes: Codes; onClose: () => void }) {
  const [list, setList] = useState(codes.list);
  const [per, setPer] = useState(codes.per);
  const { wrong, busy, fields, send } = useForm<string>();
  const change = (nth: number, part: Partial<Codes['list'][number]>) =>
    setList(list.map((one, at) => (at === nth ? { ...one, ...part } : one)));
  const errors = Object.fromEntries(
    list.flatMap(({ code, name }, nth) => [
      [`list.${nth}.code`, /^[0-9]{4,}([.][0-9]+)*$/.test(code) ? null : t('validation.accountCode')],
      [`list.${nth}.name`, name.trim() === '' ? t('validation.required') : null],
    ]),
  );
  const submit = () =>
    send(errors, async () => {
      await call('/api/v3/billing/account_code/save', { per, list, version: codes.version });
      await queryClient.invalidateQueries({ queryKey: [path] });
      await queryClient.invalidateQueries({ queryKey: ['/api/v3/billing/voucher/get'] });
      notify('ok', t('vouchers.codes_saved'));
      onClose();
    });
  return (
    <Dialog
      title={t('vouchers.codes')}
      onClose={onClose}
      onSubmit={() => void submit()}
      foot={
        <SendFoot onClose={onClose} busy={busy}>
          {t('action.save')}
        </SendFoot>
      }
    >
      <div className="fields" ref={fields}>
        <SelectField
          label={t('vouchers.per')}
          hint={t('vouchers.per_hint')}
          value={per}
          options={(['day', 'booking'] as const).map((value) => ({ value, label: t(`vouchers.per_${value}`) }))}
          onChange={setPer}
        />
        <p>{t('vouchers.codes_about')}</p>
        {list.map(({ ledger, code, name }, nth) => (
          <fieldset key={ledger} className="row">
            <legend>{t(`books.ledger_${ledger}`)}</legend>
            <TextField
              label={t('vouchers.code')}
              value={code}
              maxLength={20}
              onChange={(value) => change(nth, { code: value })}
              error={wrong[`list.${nth}.code`]}
            />
            <TextField
              label={t('vouchers.account')}
              value={name}
              maxLength={40}
              onChange={(value) => change(nth, { name: value })}
              error={wrong[`list.${nth}.name`]}
            />
          </fieldset>
        ))}
      </div>
    </Dialog>
  );
}
