import { Icon } from '../../ui/icon.tsx';
import { Link } from '../../ui/link.tsx';
import { t } from '../i18n.ts';
import { useCurrentRow, useUser } from './current.ts';
import { barOf } from './phone-entries.ts';

/** CSS hides it on wider windows. */
export function PhoneBar() {
  const user = useUser();
  const now = useCurrentRow();
  return (
    <nav className="phone-bar" aria-label={t('menu.main')}>
      {barOf(user).map(
        ({ row, label }) =>
          row.menu && (
            <Link
              key={row.path}
              menu
              to={row.menu.to}
              className="phone-link"
              current={now === row || now?.parent === row.path}
            >
              <Icon name={row.menu.icon} />
              {t(label)}
            </Link>
          ),
      )}
    </nav>
  );
}
