import { type ReactNode, useState } from 'react';
import { t } from '../app/i18n.ts';
import { Button } from './button.tsx';
import { Popup, type PopupTrigger } from './popup.tsx';
import { notifyError } from './toast.tsx';

/** Asks at the button (level 1), before an easily repaired action on one thing. */
export function ConfirmPopover(props: {
  question: string;
  confirm: string;
  act: () => Promise<unknown>;
  children: (trigger: PopupTrigger) => ReactNode;
}) {
  const [busy, setBusy] = useState(false);
  const act = async (close: () => void) => {
    setBusy(true);
    try {
      await props.act();
      close();
    } catch (error) {
      notifyError(error);
    }
    setBusy(false);
  };
  return (
    <Popup kind="dialog" label={props.confirm} trigger={props.children} width={300}>
      {(close) => (
        <div className="question">
          <p>{props.question}</p>
          <div className="row">
            <Button onClick={close}>{t('action.cancel')}</Button>
            <Button kind="primary" busy={busy} onClick={() => void act(close)}>
              {props.confirm}
            </Button>
          </div>
        </div>
      )}
    </Popup>
  );
}
