import { useState } from 'react';
import { t } from '../../../app/i18n.ts';
import { useWrite } from '../../../app/use-call.ts';
import { Dialog, SendFoot } from '../../../ui/dialog.tsx';
import { fieldError } from '../../../ui/field.tsx';
import { FreeTextField } from '../../../ui/rule-fields.tsx';
import { notify } from '../../../ui/toast.tsx';
import { useForm } from '../../../ui/use-form.ts';

export function CreateNetwork({ onClose, onCreated }: { onClose: () => void; onCreated?: (gwid: string) => void }) {
  const [name, setName] = useState('');
  const { wrong, fields, send } = useForm<'remark'>({ 4105: 'remark' });
  const create = useWrite('/api/v3/network/create', ['/api/v3/network/list', '/api/v3/overview/attention'], {
    quiet: true,
  });
  const submit = () =>
    send({ remark: fieldError('freeText', name) }, async () => {
      const { gwid } = await create.mutateAsync({ remark: name });
      notify('ok', t('networks.created', { name }));
      onCreated?.(gwid);
      onClose();
    });
  return (
    <Dialog
      title={t('networks.create')}
      onClose={onClose}
      onSubmit={() => void submit()}
      foot={
        <SendFoot onClose={onClose} busy={create.isPending}>
          {t('networks.create_submit')}
        </SendFoot>
      }
    >
      <div ref={fields}>
        <FreeTextField
          label={t('networks.create_name')}
          value={name}
          onChange={setName}
          error={wrong.remark}
          hint={t('networks.create_hint')}
          autoFocus
        />
      </div>
    </Dialog>
  );
}
