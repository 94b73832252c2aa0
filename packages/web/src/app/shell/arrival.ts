import { textOf } from '../i18n.ts';
import type { makeRouter } from '../router.tsx';
import { titleScreen } from './page-title.ts';

/**
 * Announces navigation to screen readers: after a path change it focuses the heading, else `main`, unless the page has
 * moved the focus.
 */
export function announceArrivals(router: ReturnType<typeof makeRouter>): () => void {
  return router.subscribe('onRendered', ({ fromLocation, pathChanged }) => {
    const row = router.state.matches.findLast((match) => match.staticData.row)?.staticData.row;
    if (row) titleScreen(textOf(row.title) ?? undefined);
    // the browser announces the first page itself
    if (fromLocation && pathChanged) focusPage();
  });
}

function focusPage(): void {
  const main = document.querySelector('main');
  const active = document.activeElement;
  const inside = active !== document.body && (main?.contains(active) || active?.closest('dialog'));
  if (!main || inside) return;
  const target = main.querySelector('h1') ?? main;
  target.tabIndex = -1;
  target.focus({ preventScroll: true });
}
