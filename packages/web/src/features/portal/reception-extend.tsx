import { useState } from 'react';
import { call } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog, SendFoot } from '../../ui/dialog.tsx';
import { fieldError } from '../../ui/field.tsx';
import { duration, minuteTime } from '../../ui/format.ts';
import { NumberField, whole } from '../../ui/rule-fields.tsx';
import { notify } from '../../ui/toast.tsx';
import { useForm } from '../../ui/use-form.ts';
import { type ActedGuest, closedBy, nameOf, refreshGuests } from './reception-guest.ts';

const maxMinutes = 43_200;
const usual = [30, 60, 120, 1440] as const;

/** Starts empty: no time is given by one touch. */
export function ExtendDialog({ gwid, guest, onClose }: { gwid: string; guest: ActedGuest; onClose: () => void }) {
  const [minutes, setMinutes] = useState('');
  const form = useForm<'minutes'>();
  const submit = () =>
    form.send(
      { minutes: minutes === '' ? t('validation.required') : fieldError(whole(1, maxMinutes), minutes) },
      async () => {
        const input = { gwid, id: guest.id, minutes: Number(minutes) };
        const { result, until } = await call('/api/v3/portal/reception/guest/extend', input);
        if (result !== 'extended') notify('bad', t(`reception.extend_${result}`));
        else notify('ok', t('reception.extended_until', { until: until === null ? '' : minuteTime(new Date(until)) }));
        await refreshGuests();
        onClose();
      },
      (error) => closedBy(error, onClose),
    );
  return (
    <Dialog
      title={t('reception.extend_title', { name: nameOf(guest) })}
      onClose={onClose}
      onSubmit={() => void submit()}
      foot={
        <SendFoot onClose={onClose} busy={form.busy}>
          {t('reception.extend')}
        </SendFoot>
      }
    >
      <div className="fields" ref={form.fields}>
        {guest.expires_at !== null && (
          <p className="small dim">{t('reception.ends_at', { until: minuteTime(new Date(guest.expires_at)) })}</p>
        )}
        <div className="row reception-usual">
          {usual.map((value) => (
            <Button key={value} aria-pressed={minutes === String(value)} onClick={() => setMinutes(String(value))}>
              {duration(value * 60)}
            </Button>
          ))}
        </div>
        <NumberField
          label={t('reception.minutes')}
          min={1}
          max={maxMinutes}
          value={minutes}
          onChange={setMinutes}
          error={form.wrong.minutes}
        />
      </div>
    </Dialog>
  );
}
