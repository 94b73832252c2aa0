import { useNavigate } from '@tanstack/react-router';
import { limits } from '@yunxun/contract/limits';
import { useState } from 'react';
import { call } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { oneOf, useSearch } from '../../app/search.ts';
import { Button } from '../../ui/button.tsx';
import { useCountdown } from '../../ui/countdown.ts';
import { fieldError } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { Link } from '../../ui/link.tsx';
import { EmailField, MobileField } from '../../ui/rule-fields.tsx';
import { SentCode, waitOf } from '../../ui/sent-code.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { useForm } from '../../ui/use-form.ts';
import { Frame, Notice } from './frame.tsx';

const ways = ['email', 'mobile'] as const;

/** Does not reveal whether the account exists. */
export function ForgotScreen() {
  const [search, change] = useSearch();
  const way = oneOf(search.way, ways) ?? 'email';
  return (
    <Frame title={t('title.forgot_password')} channel={way === 'email' ? 'email' : 'sms'}>
      <div>
        <Tabs
          label={t('forgot.ways')}
          value={way}
          onChange={(value) => change({ way: value === 'email' ? undefined : value })}
          tabs={[
            { value: 'email', label: t('forgot.by_email') },
            { value: 'mobile', label: t('forgot.by_mobile') },
          ]}
        >
          {way === 'email' ? <ByEmail /> : <ByMobile />}
        </Tabs>
      </div>
      <div className="gate-links">
        <Link to="/login" search={{ next: search.next }}>
          {t('login.back')}
        </Link>
      </div>
    </Frame>
  );
}

function ByEmail() {
  const [email, setEmail] = useState('');
  const [sentTo, setSentTo] = useState<string | null>(null);
  const [left, start] = useCountdown('email', email);
  const form = useForm<'email', HTMLFormElement>({}, 'email');
  const submit = async () => {
    if (left > 0) return;
    await form.send(
      { email: fieldError('email', email.trim()) },
      async () => {
        const { retry_after: seconds } = await call('/api/v3/password/forgot', { email: email.trim() });
        setSentTo(email.trim());
        start(seconds);
      },
      (error) => {
        const wait = waitOf(error);
        if (wait !== null) start(wait);
        return false;
      },
    );
  };
  return (
    <Form fields={form.fields} send={submit}>
      <EmailField label={t('login.email')} value={email} onChange={setEmail} error={form.wrong.email} autoFocus />
      <Button kind="primary" type="submit" large busy={form.busy} disabled={left > 0}>
        {left > 0 ? t('code.again_in', { n: left }) : t('forgot.send_link')}
      </Button>
      {sentTo && <Notice tone="ok">{t('forgot.sent_email', { email: sentTo, n: limits.resetMinutes })}</Notice>}
    </Form>
  );
}

function ByMobile() {
  const [mobile, setMobile] = useState('');
  const [code, setCode] = useState('');
  const form = useForm<'mobile' | 'sms_code', HTMLFormElement>({}, 'sms_code');
  const navigate = useNavigate();
  const submit = () =>
    form.send(
      { mobile: fieldError('mobile', mobile), sms_code: code.length < 6 ? t('code.required') : null },
      async () => {
        const { reset_token: token } = await call('/api/v3/password/forgot_code', { mobile, sms_code: code });
        await navigate({ to: '/password_reset/$token', params: { token } } as never);
      },
    );
  return (
    <Form fields={form.fields} send={submit}>
      <MobileField label={t('login.mobile')} value={mobile} onChange={setMobile} error={form.wrong.mobile} autoFocus />
      <SentCode
        way="mobile"
        to={mobile}
        onRefused={(why) => form.setWrong({ mobile: why })}
        neutral
        ask={() => call('/api/v3/password/forgot', { mobile })}
        value={code}
        onChange={setCode}
        error={form.wrong.sms_code}
      />
      <Button kind="primary" type="submit" large busy={form.busy}>
        {t('forgot.next')}
      </Button>
    </Form>
  );
}
