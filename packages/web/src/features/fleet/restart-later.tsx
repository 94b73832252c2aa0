import { useState } from 'react';
import { call } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { queryClient } from '../../app/session.ts';
import { useRead } from '../../app/use-call.ts';
import { Choice } from '../../ui/choice.tsx';
import { Dialog, SendFoot } from '../../ui/dialog.tsx';
import { CheckField, TextField } from '../../ui/field.tsx';
import { exactTime, momentTyped } from '../../ui/format.ts';
import { openJobs } from '../../ui/job-drawer-state.ts';
import { notify } from '../../ui/toast.tsx';
import { useForm } from '../../ui/use-form.ts';
import { StartAt, startWrong } from '../firmware/index.ts';

const days = [1, 2, 3, 4, 5, 6, 7] as const;
const usual = { weekdays: [1], start: '04:00' };
const timeOfDay = /^([01]\d|2[0-3]):[0-5]\d$/;

interface Props {
  /** Null: no network, so no weekly restart. */
  gwid: string | null;
  /** Null: the network. */
  serial: string | null;
  name: string;
  onClose: () => void;
}

export function RestartLater({ gwid, serial, name, onClose }: Props) {
  const [when, setWhen] = useState<'once' | 'weekly'>('once');
  const [startAt, setStartAt] = useState('');
  const [typed, setTyped] = useState<{ weekdays?: number[]; start?: string }>({});
  const { wrong, busy, fields, send } = useForm<'start_at' | 'weekdays' | 'start'>();
  const { data } = useRead('/api/v3/network/restart/list', { gwid: gwid ?? '' }, { enabled: gwid !== null });
  const saved = data?.list.find((one) => one.serial === serial);
  const { weekdays, start } = { ...usual, ...saved, ...typed };
  const once = () =>
    send({ start_at: startWrong(startAt) }, async () => {
      const at = { start_at: momentTyped(startAt).toISOString() };
      const { job_id } = await (serial
        ? call('/api/v3/ap/reboot', { serials: [serial], ...at })
        : call('/api/v3/network/reboot', { gwids: [gwid ?? ''], ...at }));
      onClose();
      await queryClient.invalidateQueries({ queryKey: ['/api/v3/job/list'] });
      openJobs(job_id);
    });
  const weekly = () =>
    send(
      {
        weekdays: weekdays.length === 0 ? t('window.no_day') : null,
        start: timeOfDay.test(start) ? null : t('window.start_wrong'),
      },
      async () => {
        const input = { gwid: gwid ?? '', serial, ...(saved ? typed : { weekdays, start }) };
        const { next_at } = await call('/api/v3/network/restart/save', input);
        notify('ok', t('restart.saved', { time: exactTime(new Date(next_at)) }));
        onClose();
        await queryClient.invalidateQueries({ queryKey: ['/api/v3/network/restart/list'] });
      },
    );
  return (
    <Dialog
      title={t('restart.title', { name })}
      onClose={onClose}
      onSubmit={() => void (when === 'once' ? once() : weekly())}
      foot={
        <SendFoot onClose={onClose} busy={busy}>
          {t('action.save')}
        </SendFoot>
      }
    >
      <div ref={fields} className="stack">
        {gwid !== null && (
          <Choice
            label={t('restart.when')}
            value={when}
            onChange={setWhen}
            options={[
              { value: 'once', label: t('firmware.begin_at') },
              { value: 'weekly', label: t('restart.weekly') },
            ]}
          />
        )}
        {when === 'once' ? (
          <StartAt value={startAt} onChange={setStartAt} error={wrong.start_at} />
        ) : (
          <>
            <fieldset className="row days">
              <legend className="sr">{t('window.days')}</legend>
              {days.map((day) => (
                <CheckField
                  key={day}
                  checked={weekdays.includes(day)}
                  onChange={(on) =>
                    setTyped({ ...typed, weekdays: on ? [...weekdays, day] : weekdays.filter((one) => one !== day) })
                  }
                >
                  {t(`window.day_${day}`)}
                </CheckField>
              ))}
            </fieldset>
            {wrong.weekdays && <p className="field-error">{wrong.weekdays}</p>}
            <TextField
              label={t('window.start', { zone: data?.time_zone ?? '' })}
              value={start}
              onChange={(value) => setTyped({ ...typed, start: value })}
              error={wrong.start}
              maxLength={5}
            />
          </>
        )}
        <p className="small dim">{t('restart.note')}</p>
      </div>
    </Dialog>
  );
}
