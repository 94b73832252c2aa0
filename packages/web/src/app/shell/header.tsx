import { useNavigate } from '@tanstack/react-router';
import { limits } from '@yunxun/contract/limits';
import { useRef, useState } from 'react';
import { IconButton } from '../../ui/button.tsx';
import { copyText } from '../../ui/copy.tsx';
import { Link } from '../../ui/link.tsx';
import { Menu } from '../../ui/menu.tsx';
import { t } from '../i18n.ts';
import { useLiveState } from '../live.ts';
import { maySee } from '../may-open.ts';
import { isPlanned, layoutRoutes, type Section, sections } from '../routes.ts';
import { AccountSwitcher } from './account-switcher.tsx';
import { AlarmBell } from './alarm-bell.tsx';
import { useUser } from './current.ts';
import { JobsButton } from './jobs-button.tsx';
import { Mark } from './mark.tsx';
import { MessageBell } from './message-bell.tsx';
import { besideBar, useOnPhone } from './phone-entries.ts';
import { LanguageMenu, ThemeButton, usePreferenceItems } from './preferences.tsx';
import { SearchButton } from './search-button.tsx';
import { useSignOut } from './use-sign-out.ts';

export function Header({ section }: { section: Section | undefined }) {
  const user = useUser();
  const onPhone = useOnPhone();
  return (
    <header className="header">
      <Link to="/" className="brand">
        <Mark />
        <span className="wide-only">{t('product.name')}</span>
      </Link>
      <nav className="sections" aria-label={t('menu.main')}>
        {sections.map((each) => {
          const rows = layoutRoutes.filter((row) => row.section === each && row.menu && maySee(row, user));
          const first = rows.find((row) => !isPlanned(row)) ?? rows[0];
          return (
            first?.menu && (
              <Link key={each} menu to={first.menu.to} className="section-link" current={each === section}>
                {t(`section.${each}`)}
              </Link>
            )
          );
        })}
      </nav>
      <LiveMark />
      <SearchButton />
      <AccountSwitcher />
      {user.account_code && <BindingCode code={user.account_code} />}
      {user.permissions.includes('job.read') && <JobsButton />}
      {user.permissions.includes('message.read') && <AlarmBell />}
      {user.permissions.includes('message.read') && <MessageBell />}
      {!onPhone && <LanguageMenu />}
      {!onPhone && <ThemeButton />}
      <UserMenu />
    </header>
  );
}

/** Shows that the page has no live stream and data may be outdated. */
function LiveMark() {
  const state = useLiveState();
  if (state !== 'lost' && state !== 'full') return null;
  return (
    <span
      className="tag tag-warn"
      role="status"
      title={state === 'full' ? t('live.full_hint', { limit: limits.streamsPerSession }) : t('live.lost_hint')}
    >
      <span className="live-dot" data-state="lost" />
      <span className="wide-only">{state === 'full' ? t('live.full') : t('live.lost')}</span>
    </span>
  );
}

function BindingCode({ code }: { code: string }) {
  const shown = useRef<HTMLElement>(null);
  const [done, setDone] = useState(false);
  return (
    <span className="header-code" title={t('header.binding_hint')}>
      <Link to="/waiting_devices" className="dim" title={t('header.binding_how')}>
        {t('header.binding_code')}
      </Link>
      <code ref={shown} className="mono">
        {code}
      </code>
      <IconButton
        icon={done ? 'check' : 'copy'}
        label={t('action.copy')}
        onClick={async () => {
          if (!(await copyText(code, shown.current))) return;
          setDone(true);
          setTimeout(() => setDone(false), 2000);
        }}
      />
    </span>
  );
}

function UserMenu() {
  const user = useUser();
  const navigate = useNavigate();
  const signOut = useSignOut();
  const onPhone = useOnPhone();
  const preferences = usePreferenceItems();
  const go = (to: string) => () => void navigate({ to });
  const name = user.email ?? user.mobile ?? '';
  return (
    <Menu
      head={
        <div className="menu-note ellipsis" title={name}>
          {name}
        </div>
      }
      label={t('header.user_menu')}
      target={(trigger) => <IconButton icon="user" label={t('header.user_menu')} {...trigger} />}
      items={[
        ...[
          ...(onPhone ? besideBar(user) : []),
          ...layoutRoutes.filter((row) => row.needs === 'oneself' && maySee(row, user)),
        ].flatMap(({ title, menu }) => (menu ? [{ label: t(title), icon: menu.icon, act: go(menu.to) }] : [])),
        ...(onPhone ? preferences : []),
        {
          label: t('header.logout'),
          icon: 'logout',
          act: () => signOut(),
        },
      ]}
    />
  );
}
