import { previewBody, styleSheet } from '@yunxun/portal';
import { useLayoutEffect, useRef } from 'react';
import { t } from '../../app/i18n.ts';
import type { MethodKind, Picture, PortalPage } from './draft.ts';
import { filledPage } from './of-shop.ts';

export interface PreviewProps {
  page: PortalPage;
  methods: readonly MethodKind[];
  pictures: readonly Picture[];
  language: 'zh' | 'en';
  dark: boolean;
  /** Shows the advertisement instead of the sign-in, or opens the terms. */
  show?: 'countdown' | 'terms' | undefined;
}

/** Shows an example shop where the page has none. */
export function PortalPreview({ page: of, methods, pictures, language, dark, show }: PreviewProps) {
  const host = useRef<HTMLDivElement>(null);
  const page = filledPage(of, { shop_name: t('portal.sample_shop'), shop_phone: t('portal.sample_phone') });
  const picture = (id: string) => pictures.find((one) => one.id === id)?.url ?? '';
  const locale = language === 'en' ? 'en' : 'zh-CN';
  const markup = previewBody({ locale, page, picture }, { ways: methods, countdown: show === 'countdown' });
  const css = styleSheet({
    colour: page.colour,
    background: page.background && picture(page.background),
    scheme: dark ? 'dark' : 'light',
    place: 'shadow',
  });
  useLayoutEffect(() => sheetOf(host.current!).replaceSync(css), [css]);
  useLayoutEffect(() => {
    const body = document.createElement('div');
    body.className = 'body';
    body.lang = locale;
    body.innerHTML = markup;
    disableControls(body, show === 'terms');
    shadowOf(host.current!).replaceChildren(body);
  }, [markup, locale, show]);
  return <div ref={host} />;
}

function shadowOf(host: HTMLElement): ShadowRoot {
  if (host.shadowRoot) return host.shadowRoot;
  const root = host.attachShadow({ mode: 'open' });
  root.adoptedStyleSheets = [new CSSStyleSheet()];
  root.addEventListener('submit', (event) => event.preventDefault());
  root.addEventListener('click', (event) => {
    if (!(event.target as Element).closest('summary')) event.preventDefault();
  });
  return root;
}

const sheetOf = (host: HTMLElement) => shadowOf(host).adoptedStyleSheets[0]!;

/** `inert` would hide the page from screen readers. */
function disableControls(body: HTMLElement, termsOpen: boolean): void {
  body.querySelector('main')!.setAttribute('role', 'presentation');
  for (const control of body.querySelectorAll<HTMLInputElement | HTMLButtonElement>('input, button'))
    control.disabled = true;
  for (const reachable of body.querySelectorAll<HTMLElement>('a, summary')) reachable.tabIndex = -1;
  for (const strip of body.querySelectorAll<HTMLElement>('.strip')) {
    strip.removeAttribute('tabindex');
    strip.style.overflow = 'hidden';
  }
  for (const terms of body.querySelectorAll<HTMLDetailsElement>('.terms')) terms.open = termsOpen;
}

/** The page in small; `width` in pixels. */
export function Thumbnail({ width, ...props }: PreviewProps & { width: number }) {
  return (
    <span className="thumbnail" aria-hidden="true" inert style={{ width, height: width * 1.6 }}>
      <span className="thumbnail-page" style={{ transform: `scale(${width / 320})` }}>
        <PortalPreview {...props} />
      </span>
    </span>
  );
}
