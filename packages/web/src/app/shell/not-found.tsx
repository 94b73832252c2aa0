import { useEffect } from 'react';
import { Link } from '../../ui/link.tsx';
import { t } from '../i18n.ts';
import { useSearch } from '../search.ts';
import { Mark } from './mark.tsx';

export function NotFoundScreen() {
  const [search] = useSearch();
  // Only an address of this console: prevents open redirects.
  const wanted = search.from?.startsWith('/') && !search.from.startsWith('//') ? search.from : undefined;
  const byUser = search.reason === 'user';
  useEffect(() => {
    document.title = `${t('title.not_found')} · ${t('product.name')}`;
  }, []);
  return (
    <main className="lost">
      <div className="empty">
        <Mark size={40} />
        <h1>{byUser ? t('empty.failed') : t('not_found.title')}</h1>
        <p>{byUser ? t('not_found.user') : t('not_found.body')}</p>
        {wanted && (
          <p className="small dim">
            {t('not_found.wanted')} <code className="mono">{wanted}</code>
          </p>
        )}
        <div className="empty-acts">
          {wanted && byUser && (
            <a className="btn btn-primary" href={wanted}>
              {t('not_found.again')}
            </a>
          )}
          <Link to="/" className="btn">
            {t('not_found.home')}
          </Link>
        </div>
      </div>
    </main>
  );
}
