import { type ReactNode, useId, useLayoutEffect, useRef } from 'react';
import { t } from '../app/i18n.ts';
import { Button } from './button.tsx';
import { Icon } from './icon.tsx';

interface Props {
  title: string;
  children: ReactNode;
  foot?: ReactNode;
  wide?: boolean;
  drawer?: boolean;
  /** Absent: only the dialog's own buttons close it. */
  onClose?: (() => void) | undefined;
  onSubmit?: (() => void) | undefined;
}

const firstFields = 'input:not([type=checkbox], [type=radio]:not(:checked)), select, textarea';

/** Uses the native `dialog`: traps focus, closes on Esc, makes the page inert. */
export function Dialog({ title, children, foot, wide, drawer, onClose, onSubmit }: Props) {
  const box = useRef<HTMLDialogElement>(null);
  const heading = useId();
  // layout effect: closing before removal returns the focus
  useLayoutEffect(() => {
    const element = box.current;
    if (!element?.open) element?.showModal();
    // The browser would focus the close button.
    element?.querySelector<HTMLElement>(`.dialog-body :is(${firstFields})`)?.focus();
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
      className={`${drawer ? 'drawer' : 'dialog'}${wide ? ` ${drawer ? 'drawer' : 'dialog'}-wide` : ''}`}
      aria-labelledby={heading}
      // otherwise a second Esc closes the dialog even if prevented
      {...(onClose ? {} : { closedby: 'none' })}
      onCancel={(event) => {
        event.preventDefault();
        onClose?.();
      }}
      onClose={() => {
        // closed by the browser: `onClose` still decides
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

export function SendFoot(props: { onClose: () => void; busy?: boolean; disabled?: boolean; children: ReactNode }) {
  const { onClose, ...send } = props;
  return (
    <>
      <Button onClick={onClose}>{t('action.cancel')}</Button>
      <Button kind="primary" type="submit" {...send} />
    </>
  );
}
