import { type ReactNode, useId, useLayoutEffect, useRef } from 'react';
import { t } from '../app/i18n.ts';
import { Button } from './button.tsx';
import { Icon } from './icon.tsx';

interface Props {
  title: string;
  children: ReactNode;
  /** The row of buttons; a drawer or a mere notice may have none. */
  foot?: ReactNode;
  wide?: boolean;
  drawer?: boolean;
  /** Absent: the dialog cannot be left but by its own buttons. */
  onClose?: (() => void) | undefined;
  onSubmit?: (() => void) | undefined;
}

/**
 * A modal dialog or side drawer on the browser's own `dialog`: focus stays inside, Esc closes, the page behind is inert
 * and nothing is injected into it.
 */
export function Dialog({ title, children, foot, wide, drawer, onClose, onSubmit }: Props) {
  const box = useRef<HTMLDialogElement>(null);
  const heading = useId();
  // before the element is taken away: closing it gives the focus back to where it was
  useLayoutEffect(() => {
    const element = box.current;
    if (!element?.open) element?.showModal();
    // The browser would focus the cross; a person came to fill in the first field.
    element?.querySelector<HTMLElement>('.dialog-body :is(input:not([type=checkbox]), select, textarea)')?.focus();
    return () => element?.close();
  }, []);
  const inner = (
    <>
      <div className="dialog-head">
        <h2 id={heading}>{title}</h2>
        {onClose && (
          <button type="button" className="btn btn-quiet btn-icon" aria-label={t('action.close')} onClick={onClose}>
            <Icon name="close" size={16} />
          </button>
        )}
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long body must scroll by keyboard too */}
      <div className="dialog-body" tabIndex={drawer ? 0 : undefined}>
        {children}
      </div>
      {foot && <div className="dialog-foot">{foot}</div>}
    </>
  );
  return (
    <dialog
      ref={box}
      className={drawer ? 'drawer' : wide ? 'dialog dialog-wide' : 'dialog'}
      aria-labelledby={heading}
      // Esc twice closes a dialog whatever the page says, unless nothing closes it
      {...(onClose ? {} : { closedby: 'none' })}
      onCancel={(event) => {
        event.preventDefault();
        onClose?.();
      }}
      onClose={() => {
        // the browser closed it without asking: whether it goes is still for `onClose` to say
        if (!box.current || box.current.open) return;
        box.current.showModal();
        onClose?.();
      }}
      onMouseDown={(event) => {
        if (drawer && event.target === box.current) onClose?.();
      }}
    >
      {onSubmit ? (
        <form
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            onSubmit();
          }}
        >
          {inner}
        </form>
      ) : (
        <div>{inner}</div>
      )}
    </dialog>
  );
}

/** The buttons of a dialog that is filled in: leave it, or send it. */
export function SendFoot(props: { onClose: () => void; busy?: boolean; disabled?: boolean; children: ReactNode }) {
  const { onClose, ...send } = props;
  return (
    <>
      <Button onClick={onClose}>{t('action.cancel')}</Button>
      <Button kind="primary" type="submit" {...send} />
    </>
  );
}
