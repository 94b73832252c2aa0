import { useState } from 'react';
import { call } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { type CreationOptionsJson, makePasskey, passkeyRefusal } from '../../app/passkey.ts';
import { browserName } from '../../ui/browser-name.ts';
import { Dialog, SendFoot } from '../../ui/dialog.tsx';
import { fieldError } from '../../ui/field.tsx';
import { FreeTextField } from '../../ui/rule-fields.tsx';
import { notify } from '../../ui/toast.tsx';
import { useForm } from '../../ui/use-form.ts';

export function PasskeyDialog({ onClose }: { onClose: () => void }) {
  const [name, setName] = useState(() => browserName(navigator.userAgent).system ?? '');
  const form = useForm<'name'>({ 4014: 'name', 4106: 'name' });
  const save = () =>
    form.send({ name: fieldError('freeText', name) }, async () => {
      const { ticket, options } = await call('/api/v3/security/passkey/begin', {});
      let response: object;
      try {
        response = await makePasskey(options as CreationOptionsJson);
      } catch (error) {
        const refusal = passkeyRefusal(error);
        form.setWrong({ name: t(`passkey.refused_${refusal ?? 'other'}`) });
        return;
      }
      await call('/api/v3/security/passkey/create', { ticket, name, response });
      notify('ok', t('passkey.added', { name }));
      onClose();
    });
  return (
    <Dialog
      title={t('passkey.add')}
      onClose={onClose}
      onSubmit={save}
      foot={
        <SendFoot onClose={onClose} busy={form.busy}>
          {t('passkey.make')}
        </SendFoot>
      }
    >
      <p className="quiet">{t('passkey.body')}</p>
      <div className="fields" ref={form.fields}>
        <FreeTextField
          label={t('passkey.name')}
          hint={t('passkey.name_hint')}
          maxLength={32}
          value={name}
          onChange={setName}
          error={form.wrong.name}
          autoFocus
        />
      </div>
    </Dialog>
  );
}
