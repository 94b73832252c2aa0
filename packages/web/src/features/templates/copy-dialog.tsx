import { useState } from 'react';
import { call } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { queryClient } from '../../app/session.ts';
import { Dialog, SendFoot } from '../../ui/dialog.tsx';
import { fieldError } from '../../ui/field.tsx';
import { NameField } from '../../ui/rule-fields.tsx';
import { useForm } from '../../ui/use-form.ts';

export function CopyDialog(props: {
  template: { id: string; name: string };
  onClose: () => void;
  onCopied: (id: string) => void;
}) {
  const { template, onClose, onCopied } = props;
  const [name, setName] = useState(t('template.copy_name', { name: template.name }));
  const { wrong, busy, fields, send } = useForm<'name'>({ 4105: 'name' });
  const submit = () =>
    send({ name: fieldError('nameText', name) }, async () => {
      const { id } = await call('/api/v3/wireless_template/copy', { id: template.id, name });
      await queryClient.invalidateQueries({ queryKey: ['/api/v3/wireless_template/list'] });
      onCopied(id);
    });
  return (
    <Dialog
      title={t('template.copy_title', { name: template.name })}
      onClose={onClose}
      onSubmit={() => void submit()}
      foot={
        <SendFoot onClose={onClose} busy={busy}>
          {t('template.copy')}
        </SendFoot>
      }
    >
      <div ref={fields}>
        <NameField label={t('template.name')} value={name} onChange={setName} error={wrong.name} autoFocus />
      </div>
    </Dialog>
  );
}
