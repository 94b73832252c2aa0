import { t } from '../../app/i18n.ts';
import { oneOf, useSearch } from '../../app/search.ts';
import { isSetUp } from '../../app/set-up-link.ts';
import { useRead } from '../../app/use-call.ts';
import { Link } from '../../ui/link.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { isInvited } from './after-sign-in.ts';
import { Frame, Notice } from './frame.tsx';
import { InvitedNotice, useInvited } from './invited.tsx';
import { RegisterForm } from './register-form.tsx';

const ways = ['mobile', 'email'] as const;

export function RegisterScreen() {
  const [search, change] = useSearch();
  const { data: invited } = useInvited(search.next);
  const usual = invited?.login.includes('@') || isSetUp(search.next) ? 'email' : 'mobile';
  const way = oneOf(search.way, ways) ?? usual;
  // the invitation binds this login
  const login = invited && way === usual ? invited.login : '';
  const { data } = useRead('/api/v3/open/installation', {});
  return (
    <Frame title={t('register.title')} channel={way === 'mobile' ? 'sms' : 'email'}>
      <InvitedNotice next={search.next} />
      {data?.registration_open === false && !isInvited(search.next) ? (
        <Notice tone="warn">{t('register.closed')}</Notice>
      ) : (
        <div>
          <Tabs
            label={t('register.ways')}
            value={way}
            onChange={(value) => change({ way: value === usual ? undefined : value })}
            tabs={[
              { value: 'mobile', label: t('register.by_mobile') },
              { value: 'email', label: t('register.by_email') },
            ]}
          >
            <RegisterForm key={way + login} way={way} login={login} />
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
