import { useState } from 'react';
import { call } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { queryClient } from '../../app/session.ts';
import { useUser } from '../../app/shell/current.ts';
import { useRead } from '../../app/use-call.ts';
import { Choice } from '../../ui/choice.tsx';
import { Dialog, SendFoot } from '../../ui/dialog.tsx';
import { SelectField, TextField } from '../../ui/field.tsx';
import { MomentField } from '../../ui/fields/moment-field.tsx';
import { isPast, momentTyped } from '../../ui/format.ts';
import { notify } from '../../ui/toast.tsx';
import { useForm } from '../../ui/use-form.ts';
import { stale } from './stale-calls.ts';

/** Alarms that one call changes. */
const maxAtOnce = 200;

export function refreshAlarms(): Promise<void> {
  const paths: readonly string[] = stale;
  return queryClient.invalidateQueries({ predicate: ({ queryKey }) => paths.includes(String(queryKey[0])) });
}

export type Act = 'acknowledge' | 'silence' | 'resolve';

interface Props {
  act: Act;
  ids: readonly string[];
  onClose: () => void;
  onDone: () => void;
}

/** Calls with 200 alarms at most, and reports the number changed. */
async function each(ids: readonly string[], act: (ids: string[]) => Promise<{ changed: number }>): Promise<number> {
  let changed = 0;
  try {
    for (let at = 0; at < ids.length; at += maxAtOnce) {
      const done = await act(ids.slice(at, at + maxAtOnce));
      changed += done.changed;
    }
  } finally {
    await refreshAlarms();
  }
  return changed;
}

/** Ends the silence of alarms. */
export async function unsilence(ids: readonly string[]): Promise<void> {
  const n = await each(ids, (some) => call('/api/v3/alarm/unsilence', { ids: some }));
  notify('ok', t('alarm.unsilenced', { n }));
}

/** Choices beside the members. */
const [keep, unassigned] = ['keep', 'unassigned'];

const lengths = ['60', '480', '1440', 'until'] as const;
const done = { acknowledge: 'alarm.acknowledged', silence: 'alarm.silenced', resolve: 'alarm.resolved' } as const;

export function ActDialog({ act, ids, onClose, onDone }: Props) {
  const { id } = useUser();
  const [note, setNote] = useState('');
  const [assignee, setAssignee] = useState(id);
  const people = useRead('/api/v3/alarm/people', {}, { enabled: act === 'acknowledge' });
  const [length, setLength] = useState<(typeof lengths)[number]>('60');
  const [until, setUntil] = useState('');
  const { wrong, busy, fields, send } = useForm<'note' | 'assignee' | 'until' | 'minutes'>();
  const late = () => {
    if (act !== 'silence' || length !== 'until') return null;
    return until === '' ? t('validation.required') : isPast(until) ? t('validation.future') : null;
  };
  const change = (some: string[]) => {
    const input = { ids: some, ...(note && { note }) };
    if (act === 'acknowledge')
      return call('/api/v3/alarm/acknowledge', {
        ...input,
        ...(assignee !== keep && { assignee: assignee === unassigned ? null : assignee }),
      });
    if (act === 'resolve') return call('/api/v3/alarm/resolve', input);
    const end = length === 'until' ? { until: momentTyped(until).toISOString() } : { minutes: Number(length) };
    return call('/api/v3/alarm/silence', { ...input, ...end });
  };
  const submit = () =>
    send({ until: late() }, async () => {
      notify('ok', t(done[act], { n: await each(ids, change) }));
      onClose();
      onDone();
    });
  return (
    <Dialog
      title={t(`alarm.${act}_title`, { n: ids.length })}
      onClose={onClose}
      onSubmit={() => void submit()}
      foot={
        <SendFoot onClose={onClose} busy={busy}>
          {t(`alarm.${act}`)}
        </SendFoot>
      }
    >
      <div ref={fields} className="stack">
        <p className="quiet">{t(`alarm.${act}_body`)}</p>
        {act === 'silence' && (
          <Choice
            label={t('alarm.silence_for')}
            value={length}
            onChange={setLength}
            options={lengths.map((value) => ({ value, label: t(`alarm.silence_${value}`) }))}
          />
        )}
        {act === 'silence' && length === 'until' && (
          <MomentField label={t('alarm.until')} value={until} onChange={setUntil} error={wrong.until} />
        )}
        <TextField
          label={t('alarm.note')}
          value={note}
          onChange={setNote}
          maxLength={500}
          error={wrong.note}
          autoFocus={act !== 'silence'}
        />
        {act === 'acknowledge' && (
          <SelectField
            label={t('alarm.assignee')}
            value={assignee}
            onChange={setAssignee}
            error={wrong.assignee}
            options={[
              { value: id, label: t('alarm.mine') },
              ...(people.data?.list ?? []).flatMap((one) =>
                one.id === id ? [] : [{ value: one.id, label: one.name }],
              ),
              { value: keep, label: t('alarm.assignee_keep') },
              { value: unassigned, label: t('alarm.assignee_none') },
            ]}
          />
        )}
      </div>
    </Dialog>
  );
}
