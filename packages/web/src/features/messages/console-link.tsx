import { t } from '../../app/i18n.ts';
import { parseSearch } from '../../app/search.ts';
import { Link } from '../../ui/link.tsx';

export function ConsoleLink({ to, className }: { to: string; className?: string }) {
  const [path = '/', query = ''] = to.split('?', 2);
  return (
    <Link to={path} search={parseSearch(query)} className={className ?? 'nowrap'}>
      {t('inbox.open')}
    </Link>
  );
}
