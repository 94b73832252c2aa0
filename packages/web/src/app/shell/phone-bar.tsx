import { Icon } from '../../ui/icon.tsx';
import { Link } from '../../ui/link.tsx';
import { t } from '../i18n.ts';
import { layoutRoutes } from '../routes.ts';
import { useCurrentRow, useUser } from './current.ts';
import { barOf } from './phone-entries.ts';

/** CSS hides it on wider windows. */
export function PhoneBar() {
  const user = useUser();
  const now = useCurrentRow();
  return (
    <nav className="phone-bar" aria-label={t('menu.main')}>
      {barOf(user).map(({ path, label }) => {
        const row = layoutRoutes.find((each) => each.path === path);
        return (
          row?.menu && (
            <Link key={path} menu to={row.menu.to} className="phone-link" current={now === row || now?.parent === path}>
              <Icon name={row.menu.icon} />
              {t(label)}
            </Link>
          )
        );
      })}
    </nav>
  );
}
