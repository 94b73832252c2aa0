import { useQueryClient } from '@tanstack/react-query';
import { Outlet, useRouterState } from '@tanstack/react-router';
import { useEffect } from 'react';
import { applyFacts } from '../facts.ts';
import { t } from '../i18n.ts';
import { onFact, openLive } from '../live.ts';
import { Banners } from './banners.tsx';
import { useCurrentRow } from './current.ts';
import { Header } from './header.tsx';
import { Side } from './side.tsx';

/** The layout of every screen behind sign-in: header, left menu of the section, and the screen. */
export function Shell() {
  const row = useCurrentRow();
  const client = useQueryClient();
  const path = useRouterState({ select: (state) => state.location.pathname });
  useEffect(() => {
    openLive();
    return onFact(applyFacts(client));
  }, [client]);
  return (
    <div className="shell">
      <a className="btn skip" href="#main">
        {t('menu.skip')}
      </a>
      <Header section={row?.section} />
      <Side section={row?.section ?? 'home'} />
      <main id="main" className="main" tabIndex={-1} key={path}>
        <Banners />
        <Outlet />
      </main>
    </div>
  );
}
