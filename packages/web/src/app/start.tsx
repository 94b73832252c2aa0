import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { createRoot } from 'react-dom/client';
import { DialogHost } from '../ui/dialog-host.tsx';
import { HintLayer } from '../ui/hint.tsx';
import { Toasts } from '../ui/toast.tsx';
import { takeUpActing } from './acting.ts';
import { whenSignedOut } from './client.ts';
import { closeLive, onFact, whenRefused } from './live.ts';
import { makeRouter } from './router.tsx';
import { queryClient, refreshUser, userKey } from './session.ts';
import { announceArrivals } from './shell/arrival.ts';
import { ConfirmFirstHost } from './shell/confirm-first.tsx';
import { Starting } from './starting.tsx';
import { followSystemTheme } from './theme.ts';

export function start(): void {
  followSystemTheme();
  takeUpActing();
  // the server may have been out of reach when the browser renewed its push subscription
  if ('serviceWorker' in navigator) navigator.serviceWorker.controller?.postMessage('renew');
  const router = makeRouter();
  announceArrivals(router);
  // Preload layout and screen in parallel with the person.
  for (const { staticData } of router.matchRoutes(router.latestLocation)) {
    for (const load of [staticData.shell, staticData.row?.screen]) {
      if (typeof load === 'function') void load().catch(() => undefined);
    }
  }
  whenSignedOut(() => {
    closeLive();
    const wanted = router.state.location.href;
    if (wanted.startsWith('/login')) return;
    const search = { next: wanted === '/' ? undefined : wanted } as never;
    // Clear last: the old screen still renders cached data.
    void router
      .navigate({ to: '/login', search, state: { ended: true }, ignoreBlocker: true })
      .then(() => queryClient.clear());
  });
  // refetch permissions: menus, buttons and the screen adapt
  const askAgain = () =>
    refreshUser()
      .then(() => queryClient.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== userKey[0] }))
      .then(() => router.invalidate())
      .catch(() => undefined);
  whenRefused(askAgain);
  onFact((fact) => {
    if (fact.type === 'rights') void askAgain();
    if (fact.type === 'storage') void refreshUser().catch(() => undefined);
  });
  const root = document.getElementById('root');
  if (!root) throw new Error('index.html has no #root');
  createRoot(root).render(
    <QueryClientProvider client={queryClient}>
      <Starting router={router} />
      <RouterProvider router={router} />
      <DialogHost />
      <ConfirmFirstHost />
      <Toasts />
      <HintLayer />
    </QueryClientProvider>,
  );
}
