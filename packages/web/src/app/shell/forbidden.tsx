import { Empty, permissionName } from '../../ui/empty.tsx';
import { Link } from '../../ui/link.tsx';
import { t } from '../i18n.ts';
import { useSearch } from '../search.ts';

/** Which permission is missing, and who can give it. */
export function ForbiddenScreen() {
  const [search] = useSearch();
  return (
    <div className="hero">
      <Empty
        page
        icon="lock"
        title={t('forbidden.title')}
        acts={
          <Link to="/" className="btn">
            {t('not_found.home')}
          </Link>
        }
      >
        {search.permission
          ? t('forbidden.body', { permission: permissionName(search.permission) })
          : t('forbidden.plain')}
      </Empty>
    </div>
  );
}
