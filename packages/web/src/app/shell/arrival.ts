import { t, textOf } from '../i18n.ts';
import type { makeRouter } from '../router.tsx';

/**
 * Says where a person has arrived, to screen readers and in the window's title: after a change of the path the focus goes
 * to the page's heading, else to its main part, unless the page has put it into itself.
 */
export function announceArrivals(router: ReturnType<typeof makeRouter>): () => void {
  return router.subscribe('onRendered', ({ fromLocation, pathChanged }) => {
    const row = router.state.matches.findLast((match) => match.staticData.row)?.staticData.row;
    // a page whose texts did not come has no title of its own
    const title = row && textOf(row.title);
    if (row) document.title = title ? `${title} · ${t('product.name')}` : t('product.name');
    // the first page of a visit is announced by the browser itself
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
