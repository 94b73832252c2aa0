import { useState } from 'react';
import { call } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { Dialog, SendFoot } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { notify } from '../../ui/toast.tsx';
import { useForm } from '../../ui/use-form.ts';

interface Props {
  gwid: string;
  id: string;
  onClose: () => void;
  onDone: () => void;
}

export function VoucherVoid({ gwid, id, onClose, onDone }: Props) {
  const [code, setCode] = useState('');
  const form = useForm<'code'>();
  const submit = () =>
    form.send({ code: code.trim() === '' ? t('validation.required') : null }, async () => {
      const { voided } = await call('/api/v3/portal/voucher/void', { gwid, id, code });
      notify('ok', t('site_portal.batch_voided_n', { n: voided }));
      onDone();
    });
  return (
    <Dialog
      title={t('site_portal.voucher_void')}
      onClose={onClose}
      onSubmit={submit}
      foot={
        <SendFoot onClose={onClose} busy={form.busy}>
          {t('site_portal.voucher_void')}
        </SendFoot>
      }
    >
      <div className="fields" ref={form.fields}>
        <p className="small dim">{t('site_portal.voucher_void_body')}</p>
        <TextField
          label={t('site_portal.voucher_code')}
          value={code}
          onChange={setCode}
          error={form.wrong.code}
          maxLength={64}
          autoFocus
        />
      </div>
    </Dialog>
  );
}
