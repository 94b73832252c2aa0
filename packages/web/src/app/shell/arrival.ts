import { t, textOf } from '../i18n.ts';
import type { makeRouter } from '../router.tsx';

/**
 * Announces navigation to screen readers: after a path change it focuses the heading, else `main`, unless the page has
 * moved the focus.
 */
export function announceArrivals(router: ReturnType<typeof makeRouter>): () => void {
  return router.subscribe('onRendered', ({ fromLocation, pathChanged }) => {
    const row = router.state.matches.findLast((match) => match.staticData.row)?.staticData.row;
    // a page whose texts failed to load has no title
    const title = row && textOf(row.title);
    if (row) document.title = title ? `${title} · ${t('product.name')}` : t('product.name');
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
