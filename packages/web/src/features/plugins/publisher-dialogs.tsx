import { useState } from 'react';
import { call } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { base64Of } from '../../ui/base64-of.ts';
import { Dialog, SendFoot } from '../../ui/dialog.tsx';
import { fieldError, TextField } from '../../ui/field.tsx';
import { FileField } from '../../ui/fields/file-field.tsx';
import { notify } from '../../ui/toast.tsx';
import { useForm } from '../../ui/use-form.ts';

interface Props {
  onClose: () => void;
  onDone: () => Promise<void>;
}

export function TrustDialog({ onClose, onDone }: Props) {
  const [name, setName] = useState('');
  const [key, setKey] = useState('');
  const { wrong, busy, fields, send } = useForm<'name' | 'key'>();
  const submit = () =>
    send({ name: fieldError('nameText', name), key: fieldError('required', key) }, async () => {
      await call('/api/v3/install/plugin/trust', { name, key: key.trim() });
      notify('ok', t('plugins.trusted', { name }));
      onClose();
      await onDone();
    });
  return (
    <Dialog
      title={t('plugins.trust')}
      onClose={onClose}
      onSubmit={() => void submit()}
      foot={
        <SendFoot onClose={onClose} busy={busy}>
          {t('plugins.trust')}
        </SendFoot>
      }
    >
      <div className="stack" ref={fields}>
        <TextField
          label={t('plugins.publisher_name')}
          value={name}
          onChange={setName}
          error={wrong.name}
          maxLength={64}
        />
        <TextField
          label={t('plugins.key')}
          hint={t('plugins.key_hint')}
          value={key}
          onChange={setKey}
          error={wrong.key}
          maxLength={100}
        />
      </div>
    </Dialog>
  );
}

export function ImportDialog({ onClose, onDone }: Props) {
  const [file, setFile] = useState<File | null>(null);
  const [uri, setUri] = useState('');
  const { wrong, busy, fields, send } = useForm<'file' | 'uri'>();
  const submit = () =>
    send({}, async () => {
      const given = file ? { file: await base64Of(file) } : uri.trim() === '' ? {} : { uri: uri.trim() };
      const { plugins: n } = await call('/api/v3/install/plugin/import', given);
      notify('ok', t('plugins.imported', { n }));
      onClose();
      await onDone();
    });
  return (
    <Dialog
      title={t('plugins.import')}
      onClose={onClose}
      onSubmit={() => void submit()}
      foot={
        <SendFoot onClose={onClose} busy={busy}>
          {t('plugins.import')}
        </SendFoot>
      }
    >
      <div className="stack" ref={fields}>
        <FileField
          label={t('plugins.import_file')}
          hint={t('plugins.import_file_hint')}
          error={wrong.file}
          accept=".gz,.tgz"
          onChoose={(chosen) => setFile(chosen ?? null)}
        />
        <TextField label={t('plugins.import_uri')} value={uri} onChange={setUri} error={wrong.uri} maxLength={2000} />
      </div>
    </Dialog>
  );
}
