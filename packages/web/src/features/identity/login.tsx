import { t } from '../../app/i18n.ts';
import { oneOf, useSearch } from '../../app/search.ts';
import { useRead } from '../../app/use-call.ts';
import { Link } from '../../ui/link.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { AccountForm } from './account-form.tsx';
import { Frame } from './frame.tsx';
import { MobileForm } from './mobile-form.tsx';

const ways = ['account', 'mobile'] as const;

/** Sign-in by e-mail and password, or by mobile and SMS code. */
export function LoginScreen() {
  const [search, change] = useSearch();
  const way = oneOf(search.way, ways) ?? 'account';
  const { data } = useRead('/api/v3/open/installation', {});
  return (
    <Frame title={t('login.title')}>
      <div>
        <Tabs
          label={t('login.ways')}
          value={way}
          onChange={(value) => change({ way: value === 'account' ? undefined : value })}
          tabs={[
            { value: 'account', label: t('login.by_account') },
            { value: 'mobile', label: t('login.by_mobile') },
          ]}
        >
          {way === 'account' ? <AccountForm /> : <MobileForm />}
        </Tabs>
      </div>
      <div className="gate-links">
        {data?.registration_open === false ? (
          <span className="dim">{t('login.registration_closed')}</span>
        ) : (
          <Link to="/register" search={{ next: search.next }}>
            {t('login.register')}
          </Link>
        )}
        <Link to="/forgot_password">{t('login.forgot')}</Link>
      </div>
    </Frame>
  );
}
