import { NoPermission } from '../../ui/empty.tsx';
import { Link } from '../../ui/link.tsx';
import { t } from '../i18n.ts';
import { useSearch } from '../search.ts';

export function ForbiddenScreen() {
  const [search] = useSearch();
  return (
    <div className="hero">
      <NoPermission
        page
        permission={search.permission ?? null}
        reason={search.reason ?? 'permission'}
        actions={
          <Link to="/" className="btn">
            {t('not_found.home')}
          </Link>
        }
      />
    </div>
  );
}
