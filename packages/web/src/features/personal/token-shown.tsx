import { useState } from 'react';
import { t } from '../../app/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { CopyText } from '../../ui/copy.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { CheckField } from '../../ui/field.tsx';
import { Icon } from '../../ui/icon.tsx';

export function TokenShown(props: { name: string; token: string; onClose: () => void }) {
  const [saved, setSaved] = useState(false);
  return (
    <Dialog
      title={t('token.made', { name: props.name })}
      onSubmit={() => saved && props.onClose()}
      foot={
        <Button kind="primary" type="submit" why={saved ? undefined : t('token.save_first')}>
          {t('steps.finish')}
        </Button>
      }
    >
      <p className="notice notice-warn">
        <Icon name="alert" size={16} />
        <span>{t('token.once')}</span>
      </p>
      <CopyText text={props.token} label={t('token.copy')} block />
      <p className="small dim">{t('token.how')}</p>
      <pre className="code-sample mono">{`Authorization: Bearer ${props.token.slice(0, 6)}…`}</pre>
      <CheckField checked={saved} onChange={setSaved}>
        {t('token.saved')}
      </CheckField>
    </Dialog>
  );
}
