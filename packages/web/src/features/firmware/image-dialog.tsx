import { useState } from 'react';
import { t } from '../../app/i18n.ts';
import { queryClient } from '../../app/session.ts';
import { useRead } from '../../app/use-call.ts';
import { Choice } from '../../ui/choice.tsx';
import { Dialog, SendFoot } from '../../ui/dialog.tsx';
import { CheckField, fieldError, TextField } from '../../ui/field.tsx';
import { FileField } from '../../ui/fields/file-field.tsx';
import { UrlField } from '../../ui/rule-fields.tsx';
import { notify } from '../../ui/toast.tsx';
import { useForm } from '../../ui/use-form.ts';
import { addImage, checksumOf, fileNameOf, maxBytes } from './upload.ts';

type Wrong = 'version' | 'models' | 'file' | 'uri' | 'sha256' | 'signature';
const hexadecimal = /^[0-9a-f]{64}$/;

export function ImageDialog({ onClose }: { onClose: () => void }) {
  const [source, setSource] = useState<'upload' | 'url'>('upload');
  const [version, setVersion] = useState('');
  const [models, setModels] = useState<readonly string[]>([]);
  const [file, setFile] = useState<File | null>(null);
  const [uri, setUri] = useState('');
  const [sha256, setSha256] = useState('');
  const [signature, setSignature] = useState('');
  const [sent, setSent] = useState<number | null>(null);
  const form = useForm<Wrong>({}, 'file');
  const { data } = useRead('/api/v3/firmware/models', {});
  const wrongFile = () => {
    if (!file) return t('validation.required');
    return file.size > maxBytes ? t('validation.fileSize', { size: '256 MB' }) : null;
  };
  const typedSum = sha256.trim().toLowerCase();
  const needsSum = source === 'url' || !globalThis.crypto?.subtle;
  const send = () =>
    form.send(
      {
        version: version.trim() ? null : t('validation.required'),
        models: models.length > 0 ? null : t('validation.minItems', { min: 1 }),
        file: source === 'upload' ? wrongFile() : null,
        uri: source === 'url' ? (uri ? fieldError('url', uri) : t('validation.required')) : null,
        sha256: typedSum === '' ? (needsSum ? t('validation.required') : null) : sumWrong(typedSum),
      },
      async () => {
        const image = { version: version.trim(), models: [...models], signature: signature.trim() };
        const sum = typedSum || (await checksumOf(file!));
        await addImage(
          source === 'url' ? { ...image, uri, sha256: sum } : { ...image, file: file!, sha256: sum },
          setSent,
        ).finally(() => setSent(null));
        notify('ok', t('firmware.added_image', { version: image.version }));
        onClose();
        await queryClient.invalidateQueries({ queryKey: ['/api/v3/firmware/image/list'] });
      },
    );
  return (
    <Dialog
      title={t('firmware.add')}
      onClose={form.busy ? undefined : onClose}
      onSubmit={send}
      foot={
        <SendFoot onClose={onClose} busy={form.busy}>
          {t('firmware.add')}
        </SendFoot>
      }
    >
      <div className="fields" ref={form.fields}>
        <Choice
          label={t('firmware.source')}
          value={source}
          options={[
            { value: 'upload', label: t('firmware.source_upload') },
            { value: 'url', label: t('firmware.source_url') },
          ]}
          onChange={setSource}
        />
        {source === 'upload' ? (
          <FileField
            label={t('firmware.file')}
            error={form.wrong.file}
            hint={file ? fileNameOf(file.name) : undefined}
            onChoose={(chosen) => setFile(chosen ?? null)}
          />
        ) : (
          <UrlField
            label={t('firmware.uri')}
            hint={t('firmware.uri_hint')}
            maxLength={500}
            value={uri}
            onChange={setUri}
            error={form.wrong.uri}
          />
        )}
        <TextField
          label={t('firmware.version')}
          hint={t('firmware.version_hint')}
          maxLength={100}
          value={version}
          onChange={setVersion}
          error={form.wrong.version}
        />
        <fieldset className="picks" aria-invalid={form.wrong.models ? true : undefined} tabIndex={-1}>
          <legend className="field-label">{t('firmware.models')}</legend>
          <div className="pick-list">
            {data?.list.map(({ model, devices }) => (
              <CheckField
                key={model}
                checked={models.includes(model)}
                onChange={(on) => setModels(on ? [...models, model] : models.filter((one) => one !== model))}
              >
                {t('firmware.model_n', { model, n: devices })}
              </CheckField>
            ))}
            {data?.list.length === 0 && <p className="quiet">{t('firmware.no_models')}</p>}
          </div>
          {form.wrong.models && (
            <p className="field-error" role="alert">
              {form.wrong.models}
            </p>
          )}
        </fieldset>
        <TextField
          label={t('firmware.sha256')}
          hint={needsSum ? t('firmware.sha256_hint') : t('firmware.sha256_computed')}
          maxLength={64}
          value={sha256}
          onChange={setSha256}
          error={form.wrong.sha256}
        />
        <TextField
          label={t('firmware.signature')}
          hint={t('firmware.signature_hint')}
          optional
          maxLength={2000}
          value={signature}
          onChange={setSignature}
          error={form.wrong.signature}
        />
        {sent !== null && (
          <p className="small" role="status">
            {t('firmware.sending', { n: sent })}
          </p>
        )}
      </div>
    </Dialog>
  );
}

function sumWrong(sum: string): string | null {
  return hexadecimal.test(sum) ? null : t('firmware.sha256_wrong');
}
