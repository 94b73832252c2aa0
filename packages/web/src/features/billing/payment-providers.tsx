import { fieldsOf, needsField, type PaymentField, paymentSecrets, switchesOf } from '@yunxun/contract/payment-fields';
import { useState } from 'react';
import type { Data, Input } from '../../app/api.ts';
import { call } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { paymentName } from '../../app/payment-name.ts';
import { queryClient } from '../../app/session.ts';
import { useRead } from '../../app/use-call.ts';
import { Button } from '../../ui/button.tsx';
import { CopyText } from '../../ui/copy.tsx';
import { Failed } from '../../ui/empty.tsx';
import { PasswordField, SwitchField, TextField } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { Card } from '../../ui/page.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { TextAreaField } from '../../ui/text-area-field.tsx';
import { notify } from '../../ui/toast.tsx';
import { useForm } from '../../ui/use-form.ts';
import { BankAccount } from './account/bank-account.tsx';
import { PhoneSwitches } from './phones/phone-switches.tsx';
import './payment-providers.css';

const path = '/api/v3/install/payment/list';
type Saved = Data<typeof path>['list'][number];
type FieldName = PaymentField;
type Values = Pick<Input<'/api/v3/install/payment/save'>, FieldName>;

export function PaymentProviders() {
  const { data, error, refetch } = useRead(path, {});
  if (!data)
    return <Card>{error ? <Failed error={error} retry={() => void refetch()} /> : <Skeleton height={320} />}</Card>;
  return (
    <>
      <p className="quiet">{t('pay_setup.about')}</p>
      <div className="grid">
        <div className="span-6">
          <BankAccount />
        </div>
        {data.list.map((saved) => (
          <div key={saved.provider} className="span-6">
            <ProviderCard saved={saved} />
          </div>
        ))}
      </div>
    </>
  );
}

function ProviderCard({ saved }: { saved: Saved }) {
  const { provider } = saved;
  const names: readonly FieldName[] = fieldsOf(provider);
  const shown = Object.fromEntries(
    names.map((name) => [name, name in saved ? saved[name as keyof Saved] : '']),
  ) as Values;
  const ways = switchesOf(provider);
  const savedOn = ways.filter((way) => saved[way]);
  const [began, setBegan] = useState({ enabled: saved.enabled, values: shown, on: savedOn });
  const [on, setOn] = useState(savedOn);
  const [enabled, setEnabled] = useState(saved.enabled);
  const [draft, setDraft] = useState(shown);
  const { wrong, busy, fields, send } = useForm<FieldName>();
  const shownNames = names.filter((name) => needsField(provider, name, on));
  const isKept = (name: FieldName) => saved.kept.includes(name);
  const changed = names.filter((name) => (draft[name] ?? '') !== (began.values[name] ?? ''));
  const switched = ways.filter((way) => on.includes(way) !== began.on.includes(way));
  const isDirty = enabled !== began.enabled || changed.length > 0 || switched.length > 0;
  const missing = (name: FieldName) =>
    enabled && needsField(provider, name, on) && !draft[name] && !isKept(name) ? t('validation.required') : null;
  const save = () =>
    send(Object.fromEntries(names.map((name) => [name, missing(name)])), async () => {
      const given = Object.fromEntries(changed.map((name) => [name, draft[name]]));
      await call('/api/v3/install/payment/save', {
        provider,
        ...(enabled !== began.enabled && { enabled }),
        ...given,
        ...Object.fromEntries(switched.map((way) => [way, on.includes(way)])),
      });
      const values: Values = Object.fromEntries(names.map((name) => [name, isSecret(name) ? '' : draft[name]]));
      setDraft(values);
      setBegan({ enabled, values, on });
      await queryClient.invalidateQueries({ queryKey: [path] });
      notify('ok', t('pay_setup.saved'));
    });
  return (
    <Card title={paymentName(provider)}>
      <Form className="pay-setup" send={save}>
        <div className="pay-setup" ref={fields}>
          <SwitchField checked={enabled} onChange={setEnabled}>
            {t('pay_setup.offer')}
          </SwitchField>
          {provider === 'sandbox' ? (
            <p className="quiet">{t('pay_setup.sandbox_hint')}</p>
          ) : (
            <div>
              <p className="quiet">{t('pay_setup.webhook')}</p>
              <CopyText text={saved.webhook} label={t('pay_setup.copy_webhook')} />
            </div>
          )}
          <PhoneSwitches names={ways} on={on} onChange={setOn} webhook={saved.webhook} />
          {shownNames.map((name) => (
            <Value
              key={name}
              name={name}
              label={labelOf(provider, name)}
              value={draft[name] ?? ''}
              error={wrong[name]}
              placeholder={isKept(name) ? t('pay_setup.kept') : ''}
              onChange={(value) => setDraft((now) => ({ ...now, [name]: value }))}
            />
          ))}
        </div>
        <div className="row">
          <Button kind="primary" type="submit" busy={busy} why={isDirty ? undefined : t('pay_setup.unchanged')}>
            {t('action.save')}
          </Button>
        </div>
      </Form>
    </Card>
  );
}

const labelOf = (provider: Saved['provider'], name: FieldName) =>
  t(`pay_setup.field_${provider === 'wechat' && name === 'public_key' ? 'platform_keys' : name}`);
const isSecret = (name: FieldName) => paymentSecrets.includes(name);
const isPem = (name: FieldName) => name === 'private_key' || name === 'public_key';

function Value(props: {
  name: FieldName;
  label: string;
  value: string;
  error: string | null | undefined;
  placeholder: string;
  onChange: (value: string) => void;
}) {
  const { name, label, value, error, placeholder, onChange } = props;
  if (isPem(name))
    return (
      <TextAreaField
        label={label}
        error={error}
        className="pay-setup-pem"
        rows={4}
        mono
        value={value}
        placeholder={placeholder}
        onChange={onChange}
      />
    );
  const set = (typed: string) => onChange(typed.trim());
  const common = { label, value, error, placeholder, onChange: set };
  return isSecret(name) ? <PasswordField {...common} autoComplete="new-password" /> : <TextField {...common} />;
}
