import { useState } from 'react';
import { t } from '../../app/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { FileField } from '../../ui/fields/file-field.tsx';
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
      <FileField
        label={label}
        error={error}
        hint={hint}
        accept="image/jpeg,image/png,image/gif"
        chosen={null}
        onChoose={(chosen) => setFile(chosen ?? null)}
      />
      {file && (
        <CropDialog
          file={file}
          slot={slot}
          onClose={() => setFile(null)}
          onUploaded={(uploaded) => {
            setFile(null);
            onUploaded(uploaded);
          }}
        />
      )}
    </div>
  );
}
