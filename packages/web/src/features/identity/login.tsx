import { useRouterState } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { t } from '../../app/i18n.ts';
import { oneOf, useSearch } from '../../app/search.ts';
import { useRead } from '../../app/use-call.ts';
import { Link } from '../../ui/link.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { AccountForm } from './account-form.tsx';
import { isInvited } from './after-sign-in.ts';
import { Frame, Notice } from './frame.tsx';
import { InvitedNotice, useInvited } from './invited.tsx';
import { MobileForm } from './mobile-form.tsx';
import { canUsePasskeys, PasskeyButton } from './passkey-button.tsx';
import { SecondFactor } from './second-factor.tsx';
import type { SecondStep } from './second-step.ts';

const ways = ['account', 'mobile', 'qr'] as const;

/** loaded on demand: contains the QR encoder */
const QrForm = lazy(async () => ({ default: (await import('./qr-form.tsx')).QrForm }));

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** Prefilled after a reset; personal, so not in the address. */
    login?: string;
    ended?: boolean;
  }
}

export function LoginScreen() {
  const [search, change] = useSearch();
  const { login: reset = '', ended } = useRouterState({ select: (state) => state.location.state });
  const { data: invited } = useInvited(search.next);
  const login = reset || (invited?.login ?? '');
  const usual = invited && !invited.login.includes('@') ? 'mobile' : 'account';
  const way = oneOf(search.way, ways) ?? usual;
  const { data } = useRead('/api/v3/open/installation', {});
  const [remember, setRemember] = useState(false);
  const [second, setSecond] = useState<SecondStep | null>(null);
  const [why, setWhy] = useState<string | undefined>();
  if (second) {
    const back = (reason?: string) => {
      setSecond(null);
      setWhy(reason);
    };
    return (
      <Frame title={t('second.title')}>
        <SecondFactor step={second} onBack={back} />
      </Frame>
    );
  }
  const shared = { remember, setRemember, onSecond: setSecond };
  const [email, mobile] = login.includes('@') ? [login, ''] : ['', login];
  return (
    <Frame title={t('login.title')} {...(way === 'qr' ? {} : { channel: way === 'mobile' ? 'sms' : 'any' })}>
      {why && (
        <div role="alert">
          <Notice tone="warn">{why}</Notice>
        </div>
      )}
      {ended && !why && <Notice tone="warn">{t('error.signed_out')}</Notice>}
      {reset && !why && <Notice tone="ok">{t('login.reset_done')}</Notice>}
      <InvitedNotice next={search.next} />
      <div>
        <Tabs
          label={t('login.ways')}
          value={way}
          onChange={(value) => change({ way: value === usual ? undefined : value })}
          tabs={[
            { value: 'account', label: t('login.by_account') },
            { value: 'mobile', label: t('login.by_mobile') },
            { value: 'qr', label: t('login.by_qr') },
          ]}
        >
          {way === 'account' && <AccountForm key={email} login={email} {...shared} />}
          {way === 'mobile' && <MobileForm key={mobile} login={mobile} {...shared} />}
          {way === 'qr' && (
            <Suspense fallback={<div className="qr qr-waiting" data-loading />}>
              <QrForm remember={remember} setRemember={setRemember} />
            </Suspense>
          )}
        </Tabs>
        {canUsePasskeys() && <PasskeyButton remember={remember} />}
      </div>
      <div className="gate-links">
        {data?.registration_open === false && !isInvited(search.next) ? (
          <span className="dim">{t('login.registration_closed')}</span>
        ) : (
          <Link to="/register" search={{ next: search.next }}>
            {t('login.register')}
          </Link>
        )}
        <Link to="/forgot_password" search={{ next: search.next, way: way === 'mobile' ? way : undefined }}>
          {t('login.forgot')}
        </Link>
      </div>
    </Frame>
  );
}
