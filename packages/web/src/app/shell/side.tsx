import { Icon } from '../../ui/icon.tsx';
import { Link } from '../../ui/link.tsx';
import { t } from '../i18n.ts';
import { maySee } from '../may-open.ts';
import { isPlanned, layoutRoutes, type RouteRow, type Section } from '../routes.ts';
import { useCurrentRow, useUser } from './current.ts';

export function Side({ section }: { section: Section }) {
  const user = useUser();
  const rows = layoutRoutes.filter((row) => row.section === section && row.menu && maySee(row, user));
  const built = rows.filter((row) => !isPlanned(row));
  const planned = rows.filter(isPlanned);
  return (
    <nav className="side" aria-label={t('menu.section')}>
      {built.map((row) => (
        <Entry key={row.path} row={row} />
      ))}
      {planned.length > 0 && (
        <div className="side-planned">
          <div className="side-group">{t('menu.planned')}</div>
          {planned.map((row) => (
            <Entry key={row.path} row={row} />
          ))}
        </div>
      )}
    </nav>
  );
}

function Entry({ row }: { row: RouteRow }) {
  const now = useCurrentRow();
  if (!row.menu) return null;
  const here = now === row;
  const inside = now?.parent === row.path;
  return (
    <Link menu to={row.menu.to} className={inside ? 'side-link side-inside' : 'side-link'} current={here || inside}>
      <Icon name={row.menu.icon} />
      {t(row.title)}
    </Link>
  );
}
