import { type ReactNode, useState } from 'react';
import { t } from '../../app/i18n.ts';
import { useMay } from '../../app/shell/current.ts';
import { useRead, useWrite } from '../../app/use-call.ts';
import { Button } from '../../ui/button.tsx';
import { Choice } from '../../ui/choice.tsx';
import { Dialog, SendFoot } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { MomentField } from '../../ui/fields/moment-field.tsx';
import { exactTime, isPast, momentTyped } from '../../ui/format.ts';
import { notify } from '../../ui/toast.tsx';
import { useForm } from '../../ui/use-form.ts';
import { stale } from './stale-calls.ts';

const lengths = ['480', '1440', '4320', 'until'] as const;
const paths = [...stale, '/api/v3/alarm_silence/detail', '/api/v3/log/action/list'] as const;

interface Props {
  gwids: readonly string[];
  /** Of the network; absent: their number is named. */
  name?: string;
  onClose: () => void;
  /** Above the fields. */
  head?: ReactNode;
  done?: () => void;
}

/** Silences the alarms of networks until a time. */
export function SiteSilenceDialog({ gwids, name, onClose, head, done }: Props) {
  const n = gwids.length;
  const [length, setLength] = useState<(typeof lengths)[number]>('1440');
  const [until, setUntil] = useState('');
  const [note, setNote] = useState('');
  const { wrong, busy, fields, send } = useForm<'until' | 'minutes' | 'note'>();
  const save = useWrite('/api/v3/alarm_silence/create', paths, { quiet: true });
  const late = () => {
    if (length !== 'until') return null;
    return until === '' ? t('validation.required') : isPast(until) ? t('validation.future') : null;
  };
  const submit = () =>
    send({ until: late() }, async () => {
      const end = length === 'until' ? { until: momentTyped(until).toISOString() } : { minutes: Number(length) };
      const silenced = await save.mutateAsync({ gwids: [...gwids], ...end, ...(note && { note }) });
      const time = exactTime(new Date(silenced.until));
      notify(
        'ok',
        name === undefined ? t('site_silence.saved_n', { n, time }) : t('site_silence.saved', { name, time }),
      );
      onClose();
      done?.();
    });
  return (
    <Dialog
      title={name === undefined ? t('site_silence.title_n', { n }) : t('site_silence.title', { name })}
      onClose={onClose}
      onSubmit={() => void submit()}
      foot={
        <SendFoot onClose={onClose} busy={busy}>
          {t('site_silence.silence')}
        </SendFoot>
      }
    >
      {head}
      <div ref={fields} className="stack">
        <p className="quiet">{t('site_silence.body', { n })}</p>
        <Choice
          label={t('site_silence.for')}
          value={length}
          onChange={setLength}
          options={lengths.map((value) => ({ value, label: t(`site_silence.for_${value}`) }))}
        />
        {length === 'until' && (
          <MomentField label={t('site_silence.until')} value={until} onChange={setUntil} error={wrong.until} />
        )}
        <TextField label={t('site_silence.note')} value={note} onChange={setNote} maxLength={500} error={wrong.note} />
      </div>
    </Dialog>
  );
}

/** Shows end and person; nothing without a silence. */
export function SiteSilenceNotice({ gwid }: { gwid: string }) {
  const mayRead = useMay('message.read');
  const mayWrite = useMay('message.write');
  const { data } = useRead('/api/v3/alarm_silence/detail', { gwid }, { enabled: mayRead });
  const end = useWrite('/api/v3/alarm_silence/end', paths);
  if (!data?.silence) return null;
  const { until, person, note } = data.silence;
  const finish = async () => {
    await end.mutateAsync({ gwid });
    notify('ok', t('site_silence.ended'));
  };
  return (
    <div className="notice spread">
      <span>
        {t('site_silence.notice', { time: exactTime(new Date(until)), person })}
        {note && <span className="dim"> · {note}</span>}
      </span>
      {mayWrite && (
        <Button icon="bell" busy={end.isPending} onClick={() => void finish().catch(() => undefined)}>
          {t('site_silence.end')}
        </Button>
      )}
    </div>
  );
}
