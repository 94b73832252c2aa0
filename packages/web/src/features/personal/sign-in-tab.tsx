import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { t } from '../../app/i18n.ts';
import { useRead } from '../../app/use-call.ts';
import { Button } from '../../ui/button.tsx';
import { Failed } from '../../ui/empty.tsx';
import { Card } from '../../ui/page.tsx';
import { Setting, Settings } from '../../ui/setting.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { Tag } from '../../ui/status.tsx';
import { ShortTime } from '../../ui/time.tsx';
import { EmailDialog } from './email-dialog.tsx';
import { FactorCard, renewCodes } from './factor-card.tsx';
import { maskMobile } from './mask.ts';
import { MobileDialog } from './mobile-dialog.tsx';
import { PasskeyDialog } from './passkey-dialog.tsx';
import { PasskeysCard } from './passkeys-card.tsx';
import { PasswordDialog } from './password-dialog.tsx';
import { RecoveryCodesDialog } from './recovery-codes.tsx';
import { ScoreCard } from './score-card.tsx';
import type { Act, Safety } from './security-overview.ts';
import { TotpDialog } from './totp-dialog.tsx';
import { WithdrawalDialog } from './withdrawal-dialog.tsx';

export function SignInTab() {
  const client = useQueryClient();
  const { data, error, refetch } = useRead('/api/v3/security/overview', {});
  const [act, setAct] = useState<Act | null>(null);
  const head = useRef<HTMLHeadingElement>(null);
  const acted = useRef(false);
  const close = () => {
    setAct(null);
    acted.current = true;
    void client.invalidateQueries({ queryKey: ['/api/v3/security/overview'] });
  };
  const start = (wanted: Act | 'renew') => {
    if (wanted === 'renew') renewCodes((codes) => setAct({ codes }));
    else setAct(wanted);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was read again may have taken away the button that had the focus
  useEffect(() => {
    if (acted.current && document.activeElement === document.body) head.current?.focus();
  }, [data]);
  if (!data) {
    return <Card>{error ? <Failed error={error} retry={() => void refetch()} /> : <Skeleton height={320} />}</Card>;
  }
  return (
    <>
      <ScoreCard safety={data} act={start} head={head} />
      <Card title={t('security.logins')} flush>
        <Logins safety={data} act={start} />
      </Card>
      <div className="grid">
        <div className="span-6">
          <FactorCard safety={data} act={start} onChange={close} />
        </div>
        <div className="span-6">
          <PasskeysCard safety={data} act={start} onChange={close} />
        </div>
      </div>
      {act === 'password' && <PasswordDialog onClose={close} />}
      {act === 'mobile' && <MobileDialog bound={data.mobile} onClose={close} />}
      {act === 'email' && <EmailDialog bound={data.email} onClose={close} />}
      {act === 'withdrawal' && <WithdrawalDialog again={data.has_withdrawal_password} onClose={close} />}
      {act === 'totp' && <TotpDialog onClose={close} />}
      {act === 'passkey' && <PasskeyDialog onClose={close} />}
      {act !== null && typeof act === 'object' && <RecoveryCodesDialog codes={act.codes} onClose={close} />}
    </>
  );
}

function Logins({ safety, act }: { safety: Safety; act: (act: Act) => void }) {
  const { has_password, password_changed_at, mobile, email, has_withdrawal_password } = safety;
  return (
    <Settings>
      <Setting
        title={t('security.password')}
        hint={t('security.password_hint')}
        state={
          has_password && password_changed_at ? (
            <span>
              {t('security.password_changed')} <ShortTime at={password_changed_at} />
            </span>
          ) : (
            <NotSet />
          )
        }
      >
        <Button onClick={() => act('password')} aria-label={t('security.change_password')}>
          {t('security.change')}
        </Button>
      </Setting>
      <Setting
        title={t('profile.mobile')}
        hint={t('profile.mobile_hint')}
        state={mobile ? maskMobile(mobile) : <NotBound />}
      >
        <Button
          onClick={() => act('mobile')}
          aria-label={t(mobile ? 'profile.change_value' : 'profile.bind_value', { name: t('profile.mobile') })}
        >
          {mobile ? t('profile.change') : t('profile.bind')}
        </Button>
      </Setting>
      <Setting title={t('profile.email')} hint={t('profile.email_hint')} state={email ?? <NotBound />}>
        <Button
          onClick={() => act('email')}
          aria-label={t(email ? 'profile.change_value' : 'profile.bind_value', { name: t('profile.email') })}
        >
          {email ? t('profile.change') : t('profile.bind')}
        </Button>
      </Setting>
      <Setting
        title={t('security.withdrawal')}
        hint={t('security.withdrawal_hint')}
        state={has_withdrawal_password ? <IsSet /> : <NotSet />}
      >
        <Button
          onClick={() => act('withdrawal')}
          aria-label={has_withdrawal_password ? t('withdrawal.change_title') : t('withdrawal.set_title')}
        >
          {has_withdrawal_password ? t('profile.change') : t('security.set')}
        </Button>
      </Setting>
    </Settings>
  );
}

const IsSet = () => (
  <Tag tone="ok" shape="check">
    {t('security.is_set')}
  </Tag>
);
const NotSet = () => (
  <Tag tone="none" shape="ring">
    {t('security.not_set')}
  </Tag>
);
const NotBound = () => (
  <Tag tone="none" shape="ring">
    {t('profile.unbound')}
  </Tag>
);
