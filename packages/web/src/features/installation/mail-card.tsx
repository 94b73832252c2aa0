import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Input } from '../../app/api.ts';
import { call } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { useUser } from '../../app/shell/current.ts';
import { alike, changedFields } from '../../ui/changed-fields.ts';
import { fieldError, PasswordField, SelectField, TextField } from '../../ui/field.tsx';
import { EmailField, NumberField } from '../../ui/rule-fields.tsx';
import { notify } from '../../ui/toast.tsx';
import { useForm } from '../../ui/use-form.ts';
import { DeliveryForm } from './delivery-form.tsx';
import type { Installation } from './install-detail.ts';
import { deliveryChanged } from './saved.ts';
import { Warning } from './setup-warning.tsx';

type Mail = Required<Omit<Input<'/api/v3/install/mail/save'>, 'password'>>;

const providers = ['outbox', 'smtp'] as const;
const securities = ['tls', 'starttls', 'none'] as const;
/** Default port per connection security (RFC 8314, RFC 5321). */
const ports: Readonly<Record<Mail['security'], number>> = { tls: 465, starttls: 587, none: 25 };

export function MailCard({ saved }: { saved: Installation['mail'] }) {
  const client = useQueryClient();
  const { email } = useUser();
  const { has_password: hasPassword, ...before } = saved;
  const [began, setBegan] = useState(before);
  const [draft, setDraft] = useState(before);
  const [port, setPort] = useState(String(before.port));
  const [password, setPassword] = useState('');
  const form = useForm<'host' | 'port' | 'user' | 'password' | 'from'>();
  const change = (part: Partial<Mail>) => setDraft((now) => ({ ...now, ...part }));
  const smtp = draft.provider === 'smtp';
  const kept = hasPassword && draft.host === before.host && draft.user === before.user;
  const dirty = password !== '' || !alike({ ...draft, port: Number(port) }, before);
  const secure = (security: Mail['security']) => {
    // keep a custom port
    if (Object.values(ports).includes(Number(port))) setPort(String(ports[security]));
    change({ security });
  };
  const save = () =>
    form.send(
      smtp
        ? {
            host: fieldError('required', draft.host),
            port:
              Number.isInteger(Number(port)) && Number(port) >= 1 && Number(port) <= 65_535
                ? null
                : t('install.port_wrong'),
            password: draft.user !== '' && password === '' && !kept ? t('validation.required') : null,
            from: fieldError('required', draft.from) ?? fieldError('email', draft.from),
          }
        : {},
      async () => {
        const now = { ...draft, port: Number(port) || before.port };
        await call('/api/v3/install/mail/save', { ...changedFields(now, began), ...(password && { password }) });
        setBegan(now);
        setPassword('');
        await deliveryChanged(client);
        notify('ok', t('install.mail_saved'));
      },
    );
  return (
    <DeliveryForm
      title={t('install.mail')}
      provider={draft.provider}
      providers={providers.map((value) => ({ value, label: t(`install.mail_${value}`) }))}
      onProvider={(chosen) => change({ provider: chosen })}
      hint={smtp ? undefined : t('install.mail_outbox_hint')}
      fields={form.fields}
      save={save}
      busy={form.busy}
      dirty={dirty}
      test={{
        rule: 'email',
        label: t('install.test_mail_to'),
        initially: email ?? '',
        send: async (to) => (await call('/api/v3/install/mail/test', { to })).answer,
      }}
    >
      {smtp && (
        <>
          <div className="install-host">
            <TextField
              label={t('install.smtp_host')}
              placeholder="smtp.example.com"
              maxLength={253}
              value={draft.host}
              onChange={(host) => change({ host: host.trim() })}
              error={form.wrong.host}
            />
            <NumberField
              label={t('install.smtp_port')}
              min={1}
              max={65_535}
              value={port}
              onChange={setPort}
              error={form.wrong.port}
            />
          </div>
          <SelectField
            label={t('install.smtp_security')}
            value={draft.security}
            options={securities.map((value) => ({ value, label: t(`install.security_${value}`) }))}
            onChange={secure}
          />
          {draft.security === 'none' && <Warning>{t('install.security_none_hint')}</Warning>}
          <TextField
            label={t('install.smtp_user')}
            hint={t('install.smtp_user_hint')}
            maxLength={254}
            value={draft.user}
            onChange={(user) => change({ user })}
            error={form.wrong.user}
          />
          {draft.user !== '' && (
            <PasswordField
              label={t('install.smtp_password')}
              autoComplete="new-password"
              placeholder={kept ? t('install.secret_kept') : ''}
              maxLength={256}
              value={password}
              onChange={setPassword}
              error={form.wrong.password}
            />
          )}
          <EmailField
            label={t('install.mail_from')}
            hint={t('install.mail_from_hint')}
            autoComplete="off"
            value={draft.from}
            onChange={(from) => change({ from })}
            error={form.wrong.from}
          />
        </>
      )}
    </DeliveryForm>
  );
}
