import { useRef, useState } from 'react';
import { t } from '../../app/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { bytes } from '../../ui/format.ts';
import { CropDialog } from './crop-dialog.tsx';
import type { Picture, Slot } from './draft.ts';

export function PictureField(props: {
  label: string;
  slot: Slot;
  picture: Picture | undefined;
  error?: string | null | undefined;
  hint: string;
  onUploaded: (picture: Picture) => void;
  onRemove?: () => void;
}) {
  const { label, slot, picture, error, hint, onUploaded, onRemove } = props;
  const [file, setFile] = useState<File | null>(null);
  const input = useRef<HTMLInputElement>(null);
  return (
    <div className="stack stack-s">
      {picture && (
        <div className="row picture-now">
          <img src={picture.url} alt="" />
          <span className="small dim">{bytes(picture.bytes)}</span>
          {onRemove && (
            <Button kind="link" aria-label={`${t('portal.picture_remove')} ${label}`} onClick={onRemove}>
              {t('portal.picture_remove')}
            </Button>
          )}
        </div>
      )}
      <Field label={label} error={error} hint={hint}>
        {({ id, describedBy, invalid }) => (
          <input
            ref={input}
            id={id}
            type="file"
            className="input"
            accept="image/jpeg,image/png,image/gif"
            aria-describedby={describedBy}
            aria-invalid={invalid}
            onChange={(event) => setFile(event.target.files?.[0] ?? null)}
          />
        )}
      </Field>
      {file && (
        <CropDialog
          file={file}
          slot={slot}
          onClose={() => {
            setFile(null);
            if (input.current) input.current.value = '';
          }}
          onUploaded={(uploaded) => {
            setFile(null);
            if (input.current) input.current.value = '';
            onUploaded(uploaded);
          }}
        />
      )}
    </div>
  );
}
