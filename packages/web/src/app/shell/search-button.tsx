import { lazy, Suspense, useEffect } from 'react';
import { IconButton } from '../../ui/button.tsx';
import { loadTexts, t } from '../i18n.ts';
import { listenForKeys, showPalette, usePalette } from './palette-state.ts';

const Palette = lazy(async () => {
  const [module] = await Promise.all([
    import('../../features/search/palette.tsx'),
    loadTexts('search', 'inbox', 'actions'),
  ]);
  return { default: module.Palette };
});
const Shortcuts = lazy(async () => {
  const [module] = await Promise.all([import('../../features/search/shortcuts.tsx'), loadTexts('search')]);
  return { default: module.Shortcuts };
});

/** Opens the search over everything; its code arrives when it is first opened. */
export function SearchButton() {
  const open = usePalette();
  useEffect(listenForKeys, []);
  const close = () => showPalette(null);
  return (
    <>
      <IconButton
        icon="search"
        label={t('header.search')}
        aria-keyshortcuts="Control+K Meta+K"
        onClick={() => showPalette('search')}
      />
      <Suspense>
        {open === 'search' && <Palette onClose={close} />}
        {open === 'keys' && <Shortcuts onClose={close} />}
        {typeof open === 'object' && open && <open.Dialog onClose={close} />}
      </Suspense>
    </>
  );
}
