import { useState } from 'react';
import type { Data } from '../../../app/api.ts';
import { call } from '../../../app/client.ts';
import { t } from '../../../app/i18n.ts';
import { queryClient } from '../../../app/session.ts';
import { useRead } from '../../../app/use-call.ts';
import { Button } from '../../../ui/button.tsx';
import { Failed } from '../../../ui/empty.tsx';
import { SwitchField, TextField } from '../../../ui/field.tsx';
import { Form } from '../../../ui/form.tsx';
import { Card } from '../../../ui/page.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { notify } from '../../../ui/toast.tsx';
import { useForm } from '../../../ui/use-form.ts';

const path = '/api/v3/install/transfer/bank/get';
const names = ['payee', 'account_no', 'bank'] as const;
const lengths = { payee: 60, account_no: 34, bank: 60 } as const;

export function BankAccount() {
  const { data, error, refetch } = useRead(path, {});
  return (
    <Card title={t('payment.transfer')}>
      {data ? (
        <BankForm key={data.version} saved={data} />
      ) : error ? (
        <Failed small error={error} retry={() => void refetch()} />
      ) : (
        <Skeleton height={200} />
      )}
    </Card>
  );
}

function BankForm({ saved }: { saved: Data<typeof path> }) {
  const [draft, setDraft] = useState(saved);
  const { wrong, busy, fields, send } = useForm<(typeof names)[number]>();
  const isDirty = draft.enabled !== saved.enabled || names.some((name) => draft[name] !== saved[name]);
  const missing = (name: (typeof names)[number]) =>
    draft.enabled && draft[name].trim() === '' ? t('validation.required') : null;
  const save = () =>
    send(Object.fromEntries(names.map((name) => [name, missing(name)])), async () => {
      await call('/api/v3/install/transfer/bank/save', { ...draft, account_no: draft.account_no.trim() });
      await queryClient.invalidateQueries({ queryKey: [path] });
      notify('ok', t('payment.bank_saved'));
    });
  return (
    <Form className="pay-setup" send={save}>
      <div className="pay-setup" ref={fields}>
        <SwitchField checked={draft.enabled} onChange={(enabled) => setDraft((now) => ({ ...now, enabled }))}>
          {t('payment.bank_offer')}
        </SwitchField>
        <p className="quiet">{t('payment.bank_about')}</p>
        {names.map((name) => (
          <TextField
            key={name}
            label={t(`payment.${name}`)}
            value={draft[name]}
            maxLength={lengths[name]}
            onChange={(value) => setDraft((now) => ({ ...now, [name]: value }))}
            error={wrong[name]}
          />
        ))}
      </div>
      <div className="row">
        <Button kind="primary" type="submit" busy={busy} why={isDirty ? undefined : t('pay_setup.unchanged')}>
          {t('action.save')}
        </Button>
      </div>
    </Form>
  );
}
