import { useState } from 'react';
import { t } from '../../app/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { CopyText } from '../../ui/copy.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { CheckField } from '../../ui/field.tsx';
import { Icon } from '../../ui/icon.tsx';
import type { MadeSecret } from './radius-client.ts';

export function SecretShown({ made, onClose }: { made: MadeSecret; onClose: () => void }) {
  const [isSaved, setIsSaved] = useState(false);
  return (
    <Dialog
      title={t('radius.secret_of', { name: made.name })}
      onSubmit={() => isSaved && onClose()}
      foot={
        <Button kind="primary" type="submit" why={isSaved ? undefined : t('radius.secret_save_first')}>
          {t('radius.secret_done')}
        </Button>
      }
    >
      <p className="notice notice-warn">
        <Icon name="alert" size={16} />
        <span>{t('radius.secret_once')}</span>
      </p>
      <CopyText text={made.secret} label={t('radius.secret_copy')} block />
      <CheckField checked={isSaved} onChange={setIsSaved}>
        {t('radius.secret_saved')}
      </CheckField>
    </Dialog>
  );
}
