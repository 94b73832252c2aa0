import { useEffect, useRef } from 'react';

const DELAY_MS = 250;
const GAP = 6;

/** Shows the `data-hint` of the hovered or focused element; its accessible name or description has it too. */
export function HintLayer() {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const hide = () => {
      clearTimeout(timer);
      if (element.matches(':popover-open')) element.hidePopover();
    };
    const show = (target: HTMLElement) => {
      if (!target.isConnected || !target.dataset.hint) return;
      element.textContent = target.dataset.hint;
      if (!element.matches(':popover-open')) element.showPopover();
      const anchor = target.getBoundingClientRect();
      const { width, height } = element.getBoundingClientRect();
      const left = anchor.left + anchor.width / 2 - width / 2;
      const below = anchor.bottom + GAP;
      element.style.left = `${Math.max(8, Math.min(left, innerWidth - width - 8))}px`;
      element.style.top = `${below + height > innerHeight ? anchor.top - GAP - height : below}px`;
    };
    const reach = (event: Event) => {
      const target = (event.target as Element).closest?.<HTMLElement>('[data-hint]');
      hide();
      if (!target) return;
      if (event.type === 'focusin' && !target.matches(':focus-visible')) return;
      timer = setTimeout(() => show(target), DELAY_MS);
    };
    const events = ['pointerover', 'focusin'] as const;
    const endings = ['pointerdown', 'keydown', 'scroll', 'focusout'] as const;
    for (const name of events) addEventListener(name, reach);
    for (const name of endings) addEventListener(name, hide, { capture: true, passive: true });
    return () => {
      for (const name of events) removeEventListener(name, reach);
      for (const name of endings) removeEventListener(name, hide, { capture: true });
      clearTimeout(timer);
    };
  }, []);
  return <div ref={box} className="hint" popover="manual" role="tooltip" />;
}
