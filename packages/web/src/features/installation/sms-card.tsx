import { useQueryClient } from '@tanstack/react-query';
import { smsProvider, smsProviders } from '@yunxun/contract/sms-providers';
import { useState } from 'react';
import type { Input } from '../../app/api.ts';
import { call } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { useUser } from '../../app/shell/current.ts';
import { alike, changedFields } from '../../ui/changed-fields.ts';
import { fieldError, PasswordField, TextField } from '../../ui/field.tsx';
import { notify } from '../../ui/toast.tsx';
import { useForm } from '../../ui/use-form.ts';
import { DeliveryForm } from './delivery-form.tsx';
import type { Installation } from './install-detail.ts';
import { deliveryChanged } from './saved.ts';
import { SmsTemplates } from './sms-templates.tsx';

type Sms = Required<Omit<Input<'/api/v3/install/sms/save'>, 'secret'>>;

export function SmsCard({
  saved,
  messageTemplates,
}: {
  saved: Installation['sms'];
  messageTemplates: Installation['sms_letters'];
}) {
  const client = useQueryClient();
  const { mobile } = useUser();
  const { has_secret: hasSecret, ...before } = saved;
  const [began, setBegan] = useState(before);
  const [draft, setDraft] = useState(before);
  const [secret, setSecret] = useState('');
  const form = useForm<'key_id' | 'secret' | 'sender' | 'app_id' | 'region'>();
  const change = (part: Partial<Sms>) => setDraft((now) => ({ ...now, ...part }));
  const { provider } = draft;
  const kept = hasSecret && provider === before.provider && draft.key_id === before.key_id;
  const dirty = secret !== '' || !alike(draft, before);
  const { fields, region } = smsProvider(provider);
  const missing = (field: (typeof fields)[number]) =>
    fields.includes(field) ? fieldError('required', draft[field]) : null;
  const save = () =>
    form.send(
      provider === 'outbox'
        ? {}
        : {
            key_id: missing('key_id'),
            secret: secret === '' && !kept ? t('validation.required') : null,
            sender: missing('sender'),
            app_id: missing('app_id'),
          },
      async () => {
        const templates = changedFields(draft.templates, began.templates);
        await call('/api/v3/install/sms/save', {
          ...changedFields(draft, began),
          templates,
          ...(secret && { secret }),
        });
        setBegan(draft);
        setSecret('');
        await deliveryChanged(client);
        notify('ok', t('install.sms_saved'));
      },
    );
  return (
    <DeliveryForm
      title={t('install.sms')}
      provider={provider}
      providers={smsProviders.map((value) => ({ value, label: t(`install.sms_${value}`) }))}
      onProvider={(chosen) => change({ provider: chosen })}
      hint={provider === 'outbox' ? t('install.sms_outbox_hint') : undefined}
      fields={form.fields}
      save={save}
      busy={form.busy}
      dirty={dirty}
      test={{
        rule: 'mobile',
        label: t('install.test_sms_to'),
        initially: mobile ?? '',
        send: async (to) => (await call('/api/v3/install/sms/test', { to })).answer,
      }}
    >
      {provider !== 'outbox' && (
        <>
          <TextField
            label={t(`install.key_id_${provider}`)}
            maxLength={128}
            value={draft.key_id}
            onChange={(key_id) => change({ key_id: key_id.trim() })}
            error={form.wrong.key_id}
          />
          <PasswordField
            label={t(`install.secret_${provider}`)}
            autoComplete="new-password"
            placeholder={kept ? t('install.secret_kept') : ''}
            maxLength={256}
            value={secret}
            onChange={setSecret}
            error={form.wrong.secret}
          />
          {fields.includes('app_id') && (
            <TextField
              label={t('install.sms_app_id')}
              inputMode="numeric"
              maxLength={128}
              value={draft.app_id}
              onChange={(app_id) => change({ app_id: app_id.trim() })}
              error={form.wrong.app_id}
            />
          )}
          <TextField
            label={provider === 'twilio' ? t('install.sender_twilio') : t('install.sender')}
            hint={provider === 'twilio' ? t('install.sender_twilio_hint') : t('install.sender_hint')}
            maxLength={64}
            value={draft.sender}
            onChange={(sender) => change({ sender })}
            error={form.wrong.sender}
          />
        </>
      )}
      {region && (
        <>
          <TextField
            label={t('install.region')}
            hint={t('install.region_hint', { region })}
            placeholder={region}
            maxLength={64}
            value={draft.region}
            onChange={(chosen) => change({ region: chosen.trim().toLowerCase() })}
            error={form.wrong.region}
          />
          <SmsTemplates
            messageTemplates={messageTemplates}
            codes={draft.templates}
            onChange={(templates) => change({ templates })}
          />
        </>
      )}
    </DeliveryForm>
  );
}
