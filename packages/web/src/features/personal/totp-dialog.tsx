import { useEffect, useRef, useState } from 'react';
import type { Data } from '../../app/api.ts';
import { call } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { CopyText } from '../../ui/copy.tsx';
import { Dialog, SendFoot } from '../../ui/dialog.tsx';
import { Icon } from '../../ui/icon.tsx';
import { QrCode } from '../../ui/qr-code.tsx';
import { CodeField } from '../../ui/rule-fields.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { notifyError } from '../../ui/toast.tsx';
import { useForm } from '../../ui/use-form.ts';
import { RecoveryCodesDialog } from './recovery-codes.tsx';

type Secret = Data<'/api/v3/security/totp/begin'>;

export function TotpDialog({ onClose }: { onClose: () => void }) {
  const [secret, setSecret] = useState<Secret | null>(null);
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const [code, setCode] = useState('');
  const form = useForm<'code'>({ 4017: 'code' });
  const close = useRef(onClose);
  const begun = useRef(false);
  useEffect(() => {
    // one secret per dialog, although StrictMode runs effects twice
    if (begun.current) return;
    begun.current = true;
    call('/api/v3/security/totp/begin', {}).then(setSecret, (error: unknown) => {
      notifyError(error);
      close.current();
    });
  }, []);
  const enable = () =>
    form.send({ code: /^\d{6}$/.test(code) ? null : t('code.required') }, async () => {
      const { recovery_codes } = await call('/api/v3/security/totp/enable', { code });
      setCodes(recovery_codes);
    });
  if (codes) {
    const head = (
      <p className="notice notice-ok" role="status">
        <Icon name="check" size={16} />
        <span>{t('totp.enabled')}</span>
      </p>
    );
    return <RecoveryCodesDialog codes={codes} head={head} onClose={onClose} />;
  }
  return (
    <Dialog
      title={t('totp.enable_title')}
      onClose={onClose}
      onSubmit={enable}
      foot={
        <SendFoot onClose={onClose} busy={form.busy} disabled={secret === null}>
          {t('totp.enable')}
        </SendFoot>
      }
    >
      <p className="quiet">{t('totp.scan')}</p>
      <div className="totp">
        {secret ? <QrCode text={secret.uri} label={t('totp.qr')} /> : <Skeleton width={176} height={176} />}
        <div className="stack stack-s">
          <span className="field-label">{t('totp.secret')}</span>
          {secret ? <CopyText text={secret.secret} label={t('totp.copy_secret')} block /> : <Skeleton height={32} />}
          <p className="small dim">{t('totp.secret_hint')}</p>
        </div>
      </div>
      <div className="fields" ref={form.fields}>
        <CodeField label={t('totp.code')} value={code} onChange={setCode} error={form.wrong.code} autoFocus />
      </div>
    </Dialog>
  );
}
