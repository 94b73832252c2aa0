import { type KeyboardEvent, type ReactNode, type ToggleEvent, useEffect, useId, useRef, useState } from 'react';
import { flushSync } from 'react-dom';

export interface PopupTrigger {
  popoverTarget: string;
  'aria-haspopup': 'menu' | 'dialog';
  'aria-expanded': boolean;
}

const GAP = 6;

const anchorOf = (id: string): DOMRect | undefined =>
  document.querySelector(`[popovertarget="${CSS.escape(id)}"]`)?.getBoundingClientRect();

/** Uses the native popover: above open dialogs, closes on Esc and outside clicks, returns the focus. */
export function Popup(props: {
  trigger: (trigger: PopupTrigger) => ReactNode;
  children: (close: () => void) => ReactNode;
  kind: 'menu' | 'dialog';
  label: string;
  width?: number;
  onKeyDown?: (event: KeyboardEvent<HTMLDivElement>) => void;
}) {
  const id = useId();
  const box = useRef<HTMLDivElement>(null);
  const placedAt = useRef(0);
  const [open, setOpen] = useState(false);
  const close = () => box.current?.hidePopover();
  const place = (event: ToggleEvent) => {
    if (event.newState !== 'open') return;
    const anchor = anchorOf(id);
    const style = box.current?.style;
    if (!anchor || !style) return;
    placedAt.current = anchor.top;
    // Rendered now: placing needs the size.
    flushSync(() => setOpen(true));
    const room = document.documentElement.clientWidth;
    // phones may lack the room
    style.right = `${Math.max(0, Math.min(room - anchor.right, room - (props.width ?? 0) - GAP))}px`;
    style.top = `${anchor.bottom + GAP}px`;
    style.bottom = 'auto';
    style.maxHeight = 'none';
  };
  const settle = (event: ToggleEvent) => {
    if (event.newState === 'closed') return setOpen(false);
    const element = box.current;
    if (!element) return;
    const { bottom, height } = element.getBoundingClientRect();
    const anchor = anchorOf(id);
    if (anchor && bottom > innerHeight && anchor.top > height + GAP) {
      element.style.top = 'auto';
      element.style.bottom = `${innerHeight - anchor.top + GAP}px`;
    } else if (bottom > innerHeight) {
      element.style.maxHeight = `${innerHeight - GAP - element.getBoundingClientRect().top}px`;
    }
    element.querySelector<HTMLElement>('[role=menuitem]:not([aria-disabled]),button,input,select')?.focus();
  };
  useEffect(() => {
    if (!open) return;
    const hide = (event: Event) => {
      // content that loads above scrolls the page, but not the control
      const moved = Math.abs((anchorOf(id)?.top ?? Number.POSITIVE_INFINITY) - placedAt.current) > 1;
      if (moved && !box.current?.contains(event.target as Node)) box.current?.hidePopover();
    };
    addEventListener('scroll', hide, { capture: true, passive: true });
    return () => removeEventListener('scroll', hide, { capture: true });
  }, [open, id]);
  return (
    <>
      {props.trigger({ popoverTarget: id, 'aria-haspopup': props.kind, 'aria-expanded': open })}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: its role is `menu` or `dialog`, given by the caller */}
      {/* biome-ignore lint/a11y/useAriaPropsSupportedByRole: both roles take a label */}
      <div
        ref={box}
        id={id}
        popover="auto"
        className="popup"
        role={props.kind}
        aria-label={props.label}
        style={props.width ? { width: props.width } : undefined}
        onBeforeToggle={place}
        onToggle={settle}
        onKeyDown={props.onKeyDown}
      >
        {open && props.children(close)}
      </div>
    </>
  );
}
