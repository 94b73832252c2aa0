import { type ReactNode, useRef, useState } from 'react';
import { t } from '../../app/i18n.ts';
import { useUser } from '../../app/shell/current.ts';
import { Button } from '../../ui/button.tsx';
import { copyText } from '../../ui/copy.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { CheckField } from '../../ui/field.tsx';
import { date } from '../../ui/format.ts';
import { Icon } from '../../ui/icon.tsx';
import { download } from '../../ui/table/csv.ts';

/** Shown once; closes after the person confirms saving. */
export function RecoveryCodesDialog(props: { codes: readonly string[]; head?: ReactNode; onClose: () => void }) {
  const [saved, setSaved] = useState(false);
  return (
    <Dialog
      title={t('recovery.title')}
      onSubmit={() => saved && props.onClose()}
      foot={
        <Button kind="primary" type="submit" why={saved ? undefined : t('recovery.save_first')}>
          {t('steps.finish')}
        </Button>
      }
    >
      {props.head}
      <RecoveryCodes codes={props.codes} />
      <CheckField checked={saved} onChange={setSaved}>
        {t('recovery.saved')}
      </CheckField>
    </Dialog>
  );
}

function RecoveryCodes({ codes }: { codes: readonly string[] }) {
  const login = useUser();
  const shown = useRef<HTMLOListElement>(null);
  const name = login.email ?? login.mobile ?? '';
  const heading = t('recovery.sheet', { login: name, date: date(new Date()) });
  const text = `${heading}\r\n\r\n${codes.join('\r\n')}\r\n`;
  return (
    <>
      <p className="notice notice-warn">
        <Icon name="alert" size={16} />
        <span>{t('recovery.once')}</span>
      </p>
      <div className="codes-sheet">
        <p className="codes-heading">{heading}</p>
        <ol ref={shown} className="codes mono">
          {codes.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </ol>
      </div>
      <div className="row">
        <Button icon="copy" onClick={() => void copyText(codes.join('\n'), shown.current)}>
          {t('action.copy')}
        </Button>
        <Button icon="download" onClick={() => download('yunxun-recovery-codes.txt', text, 'text/plain;charset=utf-8')}>
          {t('recovery.download')}
        </Button>
        <Button icon="printer" onClick={() => print()}>
          {t('recovery.print')}
        </Button>
      </div>
    </>
  );
}
