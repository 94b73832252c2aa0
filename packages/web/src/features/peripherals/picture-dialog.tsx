import type { RemoteReason } from '@yunxun/contract';
import { useCallback, useEffect, useRef, useState } from 'react';
import type { Data } from '../../app/api.ts';
import { ApiError } from '../../app/api-error.ts';
import { call } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Empty, Failed } from '../../ui/empty.tsx';
import { exactTime } from '../../ui/format.ts';
import type { Peripheral } from './peripheral.ts';
import './peripherals.css';

type Snapshot = Data<'/api/v3/peripheral/snapshot'>;

/** A canvas shows the picture: the content policy allows none from memory. */
export function PictureDialog({ peripheral, onClose }: { peripheral: Peripheral; onClose: () => void }) {
  const { id, name } = peripheral;
  const canvas = useRef<HTMLCanvasElement>(null);
  const [taken, setTaken] = useState<{ at: string; reason: Snapshot['reason']; bitmap: ImageBitmap | null } | null>(
    null,
  );
  const [failure, setFailure] = useState<unknown>(null);
  const [isOff, setOff] = useState(false);
  const [busy, setBusy] = useState(true);
  const fetchPicture = useCallback(async () => {
    setBusy(true);
    setFailure(null);
    setOff(false);
    try {
      const { at, picture, reason } = await call('/api/v3/peripheral/snapshot', { id });
      const bitmap = picture === null ? null : await bitmapOf(picture).catch(() => null);
      setTaken({ at, bitmap, reason: bitmap ? null : (reason ?? 'wrong') });
    } catch (error) {
      if (error instanceof ApiError && error.data.reason === ('off' satisfies RemoteReason)) setOff(true);
      else setFailure(error);
    }
    setBusy(false);
  }, [id]);
  useEffect(() => void fetchPicture(), [fetchPicture]);
  const bitmap = taken?.bitmap ?? null;
  useEffect(() => {
    if (bitmap) canvas.current?.getContext('2d')?.drawImage(bitmap, 0, 0);
  }, [bitmap]);
  return (
    <Dialog
      wide
      title={t('peripherals.picture', { name })}
      onClose={onClose}
      foot={
        <>
          <Button onClick={onClose}>{t('action.close')}</Button>
          <Button kind="primary" icon="refresh" busy={busy} onClick={() => void fetchPicture()}>
            {t('peripherals.picture_again')}
          </Button>
        </>
      }
    >
      <div className="stack">
        <p className="small dim">{t('peripherals.picture_hint')}</p>
        {isOff && (
          <Empty icon="lock" title={t('peripherals.picture_none')}>
            {t('peripherals.picture_off')}
          </Empty>
        )}
        {failure !== null && <Failed error={failure} retry={() => void fetchPicture()} />}
        {busy && !taken && <p role="status">{t('peripherals.picture_fetching')}</p>}
        {failure === null && taken?.reason && (
          <Empty icon="eye" title={t('peripherals.picture_none')}>
            {t(`peripherals.picture_why_${taken.reason}`)}
          </Empty>
        )}
        {failure === null && bitmap && (
          <canvas
            ref={canvas}
            className="peripheral-picture"
            role="img"
            aria-label={t('peripherals.picture', { name })}
            width={bitmap.width}
            height={bitmap.height}
          />
        )}
        {failure === null && taken && (
          <p className="small dim">{t('peripherals.picture_at', { time: exactTime(new Date(taken.at)) })}</p>
        )}
      </div>
    </Dialog>
  );
}

function bitmapOf(base64: string): Promise<ImageBitmap> {
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  return createImageBitmap(new Blob([bytes], { type: 'image/jpeg' }));
}
