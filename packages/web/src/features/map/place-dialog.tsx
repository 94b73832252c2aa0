import { useState } from 'react';
import { t } from '../../app/i18n.ts';
import { useWrite } from '../../app/use-call.ts';
import { Dialog, SendFoot } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { FreeTextField } from '../../ui/rule-fields.tsx';
import { notify } from '../../ui/toast.tsx';
import { useForm } from '../../ui/use-form.ts';

function degrees(text: string, max: number): number | null {
  const value = text.trim() === '' ? Number.NaN : Number(text.trim());
  return Number.isFinite(value) && Math.abs(value) <= max ? value : null;
}

export function PlaceDialog(props: {
  gwid: string;
  remark: string;
  at: { lat: number; lng: number };
  address: string;
  onClose: () => void;
}) {
  const [lat, setLat] = useState(props.at.lat.toFixed(5));
  const [lng, setLng] = useState(props.at.lng.toFixed(5));
  const [address, setAddress] = useState(props.address);
  const { wrong, busy, fields, send } = useForm<'lat' | 'lng' | 'address'>();
  const save = useWrite('/api/v3/map/place', ['/api/v3/map/list'], { quiet: true });
  const submit = () => {
    const [north, east] = [degrees(lat, 85), degrees(lng, 180)];
    return send(
      {
        lat: north === null ? t('map.wrong_lat') : null,
        lng: east === null ? t('map.wrong_lng') : null,
        address: null,
      },
      async () => {
        await save.mutateAsync({ gwid: props.gwid, lat: north!, lng: east!, address: address || null });
        notify('ok', t('map.placed', { name: props.remark }));
        props.onClose();
      },
    );
  };
  return (
    <Dialog
      title={t('map.place_title', { name: props.remark })}
      onClose={props.onClose}
      onSubmit={submit}
      foot={
        <SendFoot onClose={props.onClose} busy={busy}>
          {t('action.save')}
        </SendFoot>
      }
    >
      <div className="stack" ref={fields}>
        <TextField label={t('map.lat')} value={lat} onChange={setLat} error={wrong.lat} hint={t('map.lat_hint')} />
        <TextField label={t('map.lng')} value={lng} onChange={setLng} error={wrong.lng} hint={t('map.lng_hint')} />
        <FreeTextField
          label={t('map.address')}
          value={address}
          onChange={setAddress}
          optional
          maxLength={100}
          error={wrong.address}
        />
      </div>
    </Dialog>
  );
}
