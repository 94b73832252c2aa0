import { type ReactNode, useState } from 'react';
import type { Input } from '../../../app/api.ts';
import { t } from '../../../app/i18n.ts';
import { useWrite } from '../../../app/use-call.ts';
import { Choice } from '../../../ui/choice.tsx';
import { Dialog, SendFoot } from '../../../ui/dialog.tsx';
import { SelectField, TextField } from '../../../ui/field.tsx';
import { minuteTime, momentTyped } from '../../../ui/format.ts';
import { chosenName } from '../../../ui/network-labels.ts';
import { notify } from '../../../ui/toast.tsx';
import { useForm } from '../../../ui/use-form.ts';
import { StartAt, startWrong } from '../../firmware/index.ts';

interface Props {
  chosen: Pick<Input<'/api/v3/network/maintenance/create'>, 'gwids' | 'all'>;
  name?: string;
  onClose: () => void;
  /** Above the fields. */
  head?: ReactNode;
  done?: () => void;
}

const hours = ['1', '2', '4', '8', '12', '24', '48'] as const;

/** Plans maintenance of networks: now, or from a time. */
export function MaintenanceDialog({ chosen, name, onClose, head, done }: Props) {
  const n = chosen.all?.total ?? chosen.gwids?.length ?? 0;
  const [begin, setBegin] = useState<'now' | 'at'>('at');
  const [beginsAt, setBeginsAt] = useState('');
  const [length, setLength] = useState<(typeof hours)[number]>('2');
  const [note, setNote] = useState('');
  const { wrong, busy, fields, send } = useForm<'begins_at' | 'minutes' | 'note'>();
  const create = useWrite(
    '/api/v3/network/maintenance/create',
    ['/api/v3/network/maintenance/list', '/api/v3/log/action/list'],
    { quiet: true },
  );
  const submit = () =>
    send({ begins_at: begin === 'at' ? startWrong(beginsAt) : null }, async () => {
      const { list, ...times } = await create.mutateAsync({
        ...chosen,
        ...(begin === 'at' && { begins_at: momentTyped(beginsAt).toISOString() }),
        minutes: Number(length) * 60,
        ...(note && { note }),
      });
      const [from, to] = [minuteTime(new Date(times.begins_at)), minuteTime(new Date(times.ends_at))];
      notify('ok', t('maintenance.saved', { n: list.length, from, to }));
      onClose();
      done?.();
    });
  return (
    <Dialog
      title={t('network.maintenance_of', { name: chosenName(n, name) })}
      onClose={onClose}
      onSubmit={() => void submit()}
      foot={
        <SendFoot onClose={onClose} busy={busy}>
          {t('maintenance.plan')}
        </SendFoot>
      }
    >
      {head}
      <div ref={fields} className="stack">
        <p className="quiet">{t('maintenance.body')}</p>
        <Choice
          label={t('maintenance.begin')}
          value={begin}
          onChange={setBegin}
          options={[
            { value: 'at', label: t('maintenance.at') },
            { value: 'now', label: t('maintenance.now') },
          ]}
        />
        {begin === 'at' && <StartAt value={beginsAt} onChange={setBeginsAt} error={wrong.begins_at} />}
        <SelectField
          label={t('window.length')}
          value={length}
          onChange={setLength}
          error={wrong.minutes}
          options={hours.map((value) => ({ value, label: t('window.hours', { n: Number(value) }) }))}
        />
        <TextField label={t('maintenance.note')} value={note} onChange={setNote} maxLength={500} error={wrong.note} />
      </div>
    </Dialog>
  );
}
