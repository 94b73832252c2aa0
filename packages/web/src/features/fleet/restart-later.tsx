import { useState } from 'react';
import { call } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { queryClient } from '../../app/session.ts';
import { useRead } from '../../app/use-call.ts';
import { Choice } from '../../ui/choice.tsx';
import { Dialog, SendFoot } from '../../ui/dialog.tsx';
import { exactTime, momentTyped } from '../../ui/format.ts';
import { openJobs } from '../../ui/job-drawer-state.ts';
import { notify } from '../../ui/toast.tsx';
import { useForm } from '../../ui/use-form.ts';
import { StartAt, startWrong } from '../firmware/index.ts';
import {
  groupWrong,
  type RestartScope,
  ScopeFields,
  usualWeekly,
  WeeklyFields,
  weeklyWrong,
} from './weekly-fields.tsx';

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
  const { wrong, busy, fields, send } = useForm<'start_at' | 'weekdays' | 'start' | 'scope' | 'group_id'>();
  const [of, setOf] = useState<RestartScope>({ scope: 'gateway' });
  const { data } = useRead('/api/v3/network/restart/list', { gwid: gwid ?? '' }, { enabled: gwid !== null });
  const saved = data?.list.find((one) =>
    serial === null
      ? one.scope === of.scope && one.group_id === (of.group_id ?? null)
      : one.scope === 'device' && one.serial === serial,
  );
  const { weekdays, start } = { ...usualWeekly, ...saved, ...typed };
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
    send({ ...weeklyWrong({ weekdays, start }), group_id: serial === null ? groupWrong(of) : null }, async () => {
      const subject = serial === null ? of : { serial };
      const input = { gwid: gwid ?? '', ...subject, ...(saved ? typed : { weekdays, start }) };
      const { next_at } = await call('/api/v3/network/restart/save', input);
      notify('ok', t('restart.saved', { time: exactTime(new Date(next_at)) }));
      onClose();
      await queryClient.invalidateQueries({ queryKey: ['/api/v3/network/restart/list'] });
    });
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
            {serial === null && <ScopeFields value={of} onChange={setOf} wrong={wrong} />}
            <WeeklyFields
              value={{ weekdays, start }}
              onChange={(changed) => setTyped({ ...typed, ...changed })}
              wrong={wrong}
              zone={data?.time_zone ?? ''}
            />
          </>
        )}
        <p className="small dim">{t('restart.note')}</p>
      </div>
    </Dialog>
  );
}
