import { useState } from 'react';
import { ApiError } from '../../app/api-error.ts';
import { t } from '../../app/i18n.ts';
import { useWrite } from '../../app/use-call.ts';
import { Dialog, SendFoot } from '../../ui/dialog.tsx';
import { fieldError } from '../../ui/field.tsx';
import { FreeTextField } from '../../ui/rule-fields.tsx';
import { notify, notifyError } from '../../ui/toast.tsx';

export function CreateNetwork({ onClose, onCreated }: { onClose: () => void; onCreated?: (gwid: string) => void }) {
  const [name, setName] = useState('');
  const [wrong, setWrong] = useState<string | null>(null);
  const create = useWrite('/api/v3/network/create', ['/api/v3/network/list', '/api/v3/overview/attention'], {
    quiet: true,
  });
  const submit = async () => {
    const inputError = fieldError('freeText', name);
    setWrong(inputError);
    if (inputError || create.isPending) return;
    try {
      const { gwid } = await create.mutateAsync({ remark: name });
      notify('ok', t('networks.created', { name }));
      onCreated?.(gwid);
      onClose();
    } catch (error) {
      if (error instanceof ApiError && (error.code === 422 || error.code === 4105))
        setWrong(error.field('remark') ?? error.message);
      else notifyError(error);
    }
  };
  return (
    <Dialog
      title={t('networks.create')}
      onClose={onClose}
      onSubmit={submit}
      foot={
        <SendFoot onClose={onClose} busy={create.isPending}>
          {t('networks.create_submit')}
        </SendFoot>
      }
    >
      <FreeTextField
        label={t('networks.create_name')}
        value={name}
        onChange={setName}
        error={wrong}
        hint={t('networks.create_hint')}
        autoFocus
      />
    </Dialog>
  );
}
