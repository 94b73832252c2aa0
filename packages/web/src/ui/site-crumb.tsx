import type { ReactNode } from 'react';
import { t } from '../app/i18n.ts';
import { useMay } from '../app/shell/current.ts';
import { useSiteTitle } from '../app/shell/page-title.ts';
import { useRead } from '../app/use-call.ts';
import { Icon } from './icon.tsx';
import { Link } from './link.tsx';

/** Leads from a page of a network to it, and names it in the window's title. */
export function SiteCrumb({ gwid, children }: { gwid: string; children?: ReactNode }) {
  const mayRead = useMay('network.read');
  const { data } = useRead('/api/v3/network/detail', { gwid }, { enabled: mayRead });
  useSiteTitle(data?.remark);
  return (
    <nav className="crumbs" aria-label={t('nav.place')}>
      <Link to="/networks" className="crumb">
        {t('home.networks')}
      </Link>
      <Icon name="chevron_right" size={13} />
      <Link to={`/network/${gwid}`} className="crumb ellipsis" title={data?.remark ?? ''}>
        {data?.remark ?? t('home.network')}
      </Link>
      {children && <Icon name="chevron_right" size={13} />}
      {children}
    </nav>
  );
}
