import { useEffect, useRef, useState } from 'react';
import { call } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { base64Of } from '../../ui/base64-of.ts';
import { Dialog, SendFoot } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { bytes } from '../../ui/format.ts';
import { useForm } from '../../ui/use-form.ts';
import type { Picture, Slot } from './draft.ts';
import { boxOf, type Crop, compress } from './picture-file.ts';

type Result = Awaited<ReturnType<typeof compress>>;

export function CropDialog(props: {
  file: File;
  slot: Slot;
  onClose: () => void;
  onUploaded: (picture: Picture) => void;
}) {
  const { file, slot, onClose, onUploaded } = props;
  const [image, setImage] = useState<ImageBitmap | null>(null);
  const [crop, setCrop] = useState<Crop>({ zoom: 100, left: 50, top: 50 });
  const [result, setResult] = useState<Result | null>(null);
  const form = useForm<'file'>({}, 'file');
  const { setWrong } = form;
  const gif = file.type === 'image/gif';
  useEffect(() => {
    let gone = false;
    createImageBitmap(file).then(
      (bitmap) => !gone && setImage(bitmap),
      () => !gone && setWrong({ file: t('validation.image') }),
    );
    return () => {
      gone = true;
    };
  }, [file, setWrong]);
  useEffect(() => {
    if (!image || gif) return;
    let gone = false;
    setResult(null);
    void compress(image, boxOf(image, slot, crop), slot, file.type === 'image/png').then(
      (made) => !gone && setResult(made),
    );
    return () => {
      gone = true;
    };
  }, [image, crop, slot, gif, file.type]);
  const ready = gif ? image && file : result?.file;
  const upload = () =>
    form.send({}, async () => {
      if (!ready) return;
      onUploaded(await call('/api/v3/auth_template/picture/upload', { slot, file: await base64Of(ready) }));
    });
  return (
    <Dialog
      title={t('portal.crop_title')}
      onClose={onClose}
      onSubmit={() => void upload()}
      foot={
        <SendFoot onClose={onClose} busy={form.busy} disabled={!ready}>
          {t('portal.crop_upload')}
        </SendFoot>
      }
    >
      <div className="stack stack-s" ref={form.fields}>
        {image && <Drawn image={image} slot={slot} crop={crop} />}
        {!gif && image && (
          <>
            <Range label={t('portal.crop_zoom')} min={100} max={400} crop={crop} field="zoom" onChange={setCrop} />
            <Range label={t('portal.crop_left')} min={0} max={100} crop={crop} field="left" onChange={setCrop} />
            <Range label={t('portal.crop_top')} min={0} max={100} crop={crop} field="top" onChange={setCrop} />
          </>
        )}
        {form.wrong.file ? (
          <p className="field-error" role="alert">
            {form.wrong.file}
          </p>
        ) : (
          <p className="small" role="status">
            {gif
              ? t('portal.crop_gif', { size: bytes(file.size) })
              : result
                ? t('portal.crop_size', { ...result, size: bytes(result.file.size) } as never)
                : t('portal.crop_working')}
          </p>
        )}
      </div>
    </Dialog>
  );
}

function Drawn({ image, slot, crop }: { image: ImageBitmap; slot: Slot; crop: Crop }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const box = boxOf(image, slot, crop);
  const scale = Math.min(1, 400 / box.width, 260 / box.height);
  const [width, height] = [Math.max(1, Math.round(box.width * scale)), Math.max(1, Math.round(box.height * scale))];
  useEffect(() => {
    const context = canvas.current?.getContext('2d');
    context?.clearRect(0, 0, width, height);
    context?.drawImage(image, box.x, box.y, box.width, box.height, 0, 0, width, height);
  });
  return (
    <canvas
      ref={canvas}
      className="crop"
      width={width}
      height={height}
      role="img"
      aria-label={t('portal.crop_preview')}
    />
  );
}

function Range(props: {
  label: string;
  min: number;
  max: number;
  crop: Crop;
  field: keyof Crop;
  onChange: (crop: Crop) => void;
}) {
  const { label, min, max, crop, field, onChange } = props;
  return (
    <Field label={label}>
      {({ id }) => (
        <input
          id={id}
          type="range"
          min={min}
          max={max}
          step={5}
          value={crop[field]}
          onChange={(event) => onChange({ ...crop, [field]: Number(event.target.value) })}
        />
      )}
    </Field>
  );
}
