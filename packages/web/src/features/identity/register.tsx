import { t } from '../../app/i18n.ts';
import { oneOf, useSearch } from '../../app/search.ts';
import { useRead } from '../../app/use-call.ts';
import { Link } from '../../ui/link.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { isInvited } from './after-sign-in.ts';
import { Frame, Notice } from './frame.tsx';
import { RegisterForm } from './register-form.tsx';

const ways = ['mobile', 'email'] as const;

/** A new account, by mobile or by e-mail. */
export function RegisterScreen() {
  const [search, change] = useSearch();
  const way = oneOf(search.way, ways) ?? 'mobile';
  const { data } = useRead('/api/v3/open/installation', {});
  return (
    <Frame title={t('register.title')} channel={way === 'mobile' ? 'sms' : 'email'}>
      {data?.registration_open === false && !isInvited(search.next) ? (
        <Notice tone="warn">{t('register.closed')}</Notice>
      ) : (
        <div>
          <Tabs
            label={t('register.ways')}
            value={way}
            onChange={(value) => change({ way: value === 'mobile' ? undefined : value })}
            tabs={[
              { value: 'mobile', label: t('register.by_mobile') },
              { value: 'email', label: t('register.by_email') },
            ]}
          >
            <RegisterForm key={way} way={way} />
          </Tabs>
        </div>
      )}
      <div className="gate-links">
        <span className="in-text">
          {t('register.have_account')}{' '}
          <Link to="/login" search={{ next: search.next }}>
            {t('register.sign_in')}
          </Link>
        </span>
      </div>
    </Frame>
  );
}
