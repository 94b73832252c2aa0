import type { ReactNode } from 'react';
import { t } from '../app/i18n.ts';
import { Button } from './button.tsx';

/** Expects that `onSubmit` shows its errors before it rejects. */
export function SettingsForm(props: {
  may: boolean;
  busy: boolean;
  onSubmit: () => Promise<void>;
  children: ReactNode;
}) {
  return (
    <form
      className="stack stack-s"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void props.onSubmit().catch(() => undefined);
      }}
    >
      {props.children}
      {props.may && (
        <div className="row">
          <Button kind="primary" type="submit" busy={props.busy}>
            {t('action.save')}
          </Button>
        </div>
      )}
    </form>
  );
}
