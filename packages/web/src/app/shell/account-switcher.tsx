import { Icon } from '../../ui/icon.tsx';
import { Menu } from '../../ui/menu.tsx';
import { roleName } from '../../ui/refusal.ts';
import { workIn } from '../acting.ts';
import type { Row } from '../api.ts';
import { t } from '../i18n.ts';
import { mayLeavePage } from '../leaving.ts';
import { useRead } from '../use-call.ts';
import { useUser } from './current.ts';

type Membership = Row<'/api/v3/account/list'>;

export function AccountSwitcher() {
  const user = useUser();
  const { data } = useRead('/api/v3/account/list', {});
  const away = user.account_id !== user.home_account_id;
  if (!away && (data?.total ?? 0) < 2) return null;
  const label = away
    ? t('switcher.away', { name: user.account_name })
    : t('switcher.home', { name: user.account_name });
  return (
    <Menu
      label={t('switcher.title')}
      width={300}
      target={(trigger) => (
        <button
          type="button"
          className={away ? 'btn btn-quiet switcher switcher-away' : 'btn btn-quiet switcher'}
          aria-label={label}
          data-hint={label}
          {...trigger}
        >
          <Icon name="users" size={16} />
          <span className="ellipsis">{user.account_name}</span>
          <Icon name="chevron_down" size={14} />
        </button>
      )}
      head={<div className="menu-note">{t('switcher.title')}</div>}
      items={(data?.list ?? []).map((place) => ({
        label: wording(place),
        checked: place.account_id === user.account_id,
        act: async () => {
          if (place.account_id === user.account_id || !(await mayLeavePage())) return;
          void workIn(place.own ? null : { account: place.account_id, name: place.name, person: user.id });
        },
      }))}
    />
  );
}

function wording({ name, own, role, role_name }: Membership): string {
  if (own) return t('switcher.own', { name });
  return role ? t('switcher.member', { name, role: roleName({ role, role_name }) }) : t('switcher.hosted', { name });
}
