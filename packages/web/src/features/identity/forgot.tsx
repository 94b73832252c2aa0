import { useNavigate } from '@tanstack/react-router';
import { limits } from '@yunxun/contract/limits';
import { useState } from 'react';
import { call } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { oneOf, useSearch } from '../../app/search.ts';
import { Button } from '../../ui/button.tsx';
import { complaint } from '../../ui/field.tsx';
import { useFocusWrong } from '../../ui/focus-wrong.ts';
import { Link } from '../../ui/link.tsx';
import { CodeField, EmailField, MobileField } from '../../ui/rule-fields.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { notifyError } from '../../ui/toast.tsx';
import { CodeButton, useCountdown } from './code-button.tsx';
import { Frame, Notice } from './frame.tsx';
import { complaintsOf, isAnswer, type Said } from './said.ts';
import { useCode, waitOf } from './use-code.ts';

const ways = ['email', 'mobile'] as const;

/** Asks for a new password: by a link in a letter, or by a code on the mobile. Neither says whether the account exists. */
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
  const [wrong, setWrong] = useState<Said<'email'>>({});
  const [sentTo, setSentTo] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const [left, start] = useCountdown('forgot_email');
  const form = useFocusWrong(wrong);
  const submit = async () => {
    const said = { email: complaint('email', email.trim()) };
    setWrong(said);
    if (said.email || busy || left > 0) return;
    setBusy(true);
    try {
      const { retry_after: seconds } = await call('/api/v3/password/forgot', { email: email.trim() });
      setSentTo(email.trim());
      start(seconds);
    } catch (error) {
      const complaints = complaintsOf(error, { email: 'email' });
      if (complaints) setWrong(complaints);
      else if (isAnswer(error)) setWrong({ email: error.message });
      else notifyError(error);
      const wait = waitOf(error);
      if (wait !== null) start(wait);
    }
    setBusy(false);
  };
  return (
    <form
      ref={form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <EmailField label={t('login.email')} value={email} onChange={setEmail} error={wrong.email} autoFocus />
      <Button kind="primary" type="submit" large busy={busy} disabled={left > 0}>
        {left > 0 ? t('code.again_in', { n: left }) : t('forgot.send_link')}
      </Button>
      {sentTo && <Notice tone="ok">{t('forgot.sent_email', { email: sentTo, n: limits.resetMinutes })}</Notice>}
    </form>
  );
}

function ByMobile() {
  const [mobile, setMobile] = useState('');
  const [code, setCode] = useState('');
  const [wrong, setWrong] = useState<Said<'mobile' | 'code'>>({});
  const [busy, setBusy] = useState(false);
  const form = useFocusWrong(wrong);
  const sms = useCode();
  const navigate = useNavigate();
  const submit = async () => {
    const said = { mobile: complaint('mobile', mobile), code: code.length < 6 ? t('code.required') : null };
    setWrong(said);
    if (said.mobile || said.code || busy) return;
    setBusy(true);
    try {
      const { reset_token: token } = await call('/api/v3/password/forgot_code', { mobile, sms_code: code });
      await navigate({ to: '/password_reset/$token', params: { token } } as never);
    } catch (error) {
      const complaints = complaintsOf(error, { mobile: 'mobile', code: 'sms_code' });
      if (complaints) setWrong(complaints);
      else if (isAnswer(error)) setWrong({ code: error.message });
      else notifyError(error);
    }
    setBusy(false);
  };
  return (
    <form
      ref={form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <MobileField label={t('login.mobile')} value={mobile} onChange={setMobile} error={wrong.mobile} autoFocus />
      <CodeField
        label={t('login.sms_code')}
        value={code}
        onChange={setCode}
        error={wrong.code}
        hint={sms.note}
        after={
          <CodeButton
            purpose="forgot_mobile"
            disabled={complaint('mobile', mobile) !== null}
            send={() => sms.forMobile(mobile)}
          />
        }
      />
      <Button kind="primary" type="submit" large busy={busy}>
        {t('forgot.next')}
      </Button>
    </form>
  );
}
