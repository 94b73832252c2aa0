import { useState } from 'react';
import { call } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { useRead } from '../../app/use-call.ts';
import { Dialog, SendFoot } from '../../ui/dialog.tsx';
import { fieldError, SelectField } from '../../ui/field.tsx';
import { FreeTextField } from '../../ui/rule-fields.tsx';
import { Loading } from '../../ui/skeleton.tsx';
import { notify, notifyError } from '../../ui/toast.tsx';
import { type Peripheral, refreshPeripherals } from './peripheral.ts';

interface Props {
  rows: readonly Peripheral[];
  onClose: () => void;
  done: () => void;
}

/** No names: these have no leading blank. */
const [none, added] = [' none', ' new'];

export function GroupDialog({ rows, onClose, done }: Props) {
  const { data } = useRead('/api/v3/peripheral/group/list', {});
  const [chosen, setChosen] = useState<string | null>(null);
  const [name, setName] = useState('');
  const [wrong, setWrong] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const to = chosen ?? data?.list[0]?.name ?? added;
  const submit = async () => {
    const error = to === added ? fieldError('freeText', name) : null;
    setWrong(error);
    if (error || busy || !data) return;
    setBusy(true);
    try {
      const group = to === none ? null : to === added ? name.trim() : to;
      const ids = rows.map(({ id }) => id);
      const { changed } = await call('/api/v3/peripheral/group/assign', { ids, group });
      notify('ok', t('peripherals.group_changed', { n: changed }));
      onClose();
      done();
      await refreshPeripherals();
    } catch (failure) {
      setBusy(false);
      notifyError(failure);
    }
  };
  return (
    <Dialog
      title={t('peripherals.group_title', { n: rows.length })}
      onClose={onClose}
      onSubmit={() => void submit()}
      foot={
        <SendFoot onClose={onClose} busy={busy} disabled={!data}>
          {t('action.save')}
        </SendFoot>
      }
    >
      <p className="quiet">{t('peripherals.group_body')}</p>
      <Loading until={data !== undefined} lines={2}>
        <SelectField
          label={t('peripherals.group')}
          value={to}
          onChange={setChosen}
          options={[
            ...(data?.list ?? []).map((group) => ({ value: group.name, label: group.name })),
            { value: added, label: t('peripherals.group_new') },
            { value: none, label: t('peripherals.group_none') },
          ]}
        />
      </Loading>
      {to === added && (
        <FreeTextField
          label={t('peripherals.group_name')}
          maxLength={32}
          value={name}
          onChange={setName}
          error={wrong}
        />
      )}
    </Dialog>
  );
}
