import { useEffect } from 'react';
import { t } from '../i18n.ts';

let screen: string | undefined;
let site: string | undefined;

const show = () => {
  document.title = [screen, site, t('product.name')].filter(Boolean).join(' · ');
};

/** Titles the window; a screen without texts has none. */
export function titleScreen(title: string | undefined): void {
  screen = title;
  show();
}

export function useSiteTitle(name: string | undefined): void {
  useEffect(() => {
    site = name;
    if (screen !== undefined) show();
    return () => {
      site = undefined;
    };
  }, [name]);
}
