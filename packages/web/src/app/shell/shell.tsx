import { useQueryClient } from '@tanstack/react-query';
import { Outlet, useRouterState } from '@tanstack/react-router';
import { useEffect } from 'react';
import { applyFacts } from '../facts.ts';
import { t } from '../i18n.ts';
import { onFact, openLive } from '../live.ts';
import { Banners } from './banners.tsx';
import { useCurrentRow } from './current.ts';
import { Header } from './header.tsx';
import { PhoneBar } from './phone-bar.tsx';
import { Side } from './side.tsx';

export function Shell() {
  const row = useCurrentRow();
  const client = useQueryClient();
  const path = useRouterState({ select: (state) => state.location.pathname });
  useEffect(() => {
    openLive();
    return onFact(applyFacts(client));
  }, [client]);
  return (
    <div className="shell" data-phone={row?.phone}>
      <a className="btn skip" href="#main">
        {t('menu.skip')}
      </a>
      <Header section={row?.section} />
      <Side section={row?.section ?? 'home'} />
      <main id="main" className="main" tabIndex={-1} key={path}>
        <Banners />
        <Outlet />
      </main>
      <PhoneBar />
    </div>
  );
}
