import { type ReactNode, useState } from 'react';
import { ApiError } from '../../../app/api-error.ts';
import { call } from '../../../app/client.ts';
import { t } from '../../../app/i18n.ts';
import { useRead } from '../../../app/use-call.ts';
import { Dialog, SendFoot } from '../../../ui/dialog.tsx';
import { fieldError, SelectField, TextField } from '../../../ui/field.tsx';
import { NameField } from '../../../ui/rule-fields.tsx';
import { Loading } from '../../../ui/skeleton.tsx';
import type { Selection } from '../../../ui/table/columns.ts';
import { notify, notifyError } from '../../../ui/toast.tsx';
import { refreshFleet } from '../batch-actions.ts';
import { chosenDevices } from '../chosen.ts';
import { NetworkChoice, useNetworkChoice } from '../networks/network-choice.tsx';

interface Props {
  selection: Omit<Selection<unknown>, 'rows'>;
  onClose: () => void;
  done: () => void;
}

function ChangeDialog(props: {
  title: string;
  send: string;
  children: ReactNode;
  ready?: boolean;
  /** @returns number of changed devices; null if the form shows an error */
  change: () => Promise<number | null>;
  onClose: () => void;
  done: () => void;
}) {
  const [busy, setBusy] = useState(false);
  const submit = async () => {
    if (props.ready === false || busy) return;
    setBusy(true);
    try {
      const changed = await props.change();
      if (changed === null) return setBusy(false);
      notify('ok', t('batch.changed', { n: changed }));
      props.onClose();
      props.done();
      await refreshFleet();
    } catch (error) {
      setBusy(false);
      notifyError(error);
    }
  };
  return (
    <Dialog
      title={props.title}
      onClose={props.onClose}
      onSubmit={submit}
      foot={
        <SendFoot onClose={props.onClose} busy={busy} disabled={props.ready === false}>
          {props.send}
        </SendFoot>
      }
    >
      {props.children}
    </Dialog>
  );
}

const NONE = 'none';
const NEW = 'new';

export function GroupDialog({ selection, ...rest }: Props) {
  const { data } = useRead('/api/v3/ap/group/list', {});
  const [chosen, setChosen] = useState<string | null>(null);
  const [name, setName] = useState('');
  const [wrong, setWrong] = useState<string | null>(null);
  const to = chosen ?? data?.list[0]?.id ?? NEW;
  const change = async () => {
    const inputError = to === NEW ? (name === '' ? t('validation.required') : fieldError('nameText', name)) : null;
    setWrong(inputError);
    if (inputError) return null;
    try {
      const id = to === NEW ? (await call('/api/v3/ap/group/create', { name })).id : to === NONE ? null : to;
      return (await call('/api/v3/ap/group/assign', { ...chosenDevices(selection), id })).changed;
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 4105) throw error;
      setWrong(error.message);
      return null;
    }
  };
  return (
    <ChangeDialog
      title={t('groups.put_title', { n: selection.count })}
      send={t('action.save')}
      ready={data !== undefined}
      change={change}
      {...rest}
    >
      <p className="quiet">{t('groups.put_body')}</p>
      <Loading until={data !== undefined} lines={2}>
        <SelectField
          label={t('groups.group')}
          value={to}
          onChange={setChosen}
          options={[
            ...(data?.list ?? []).map((group) => ({ value: group.id, label: group.name })),
            { value: NEW, label: t('groups.new') },
            { value: NONE, label: t('groups.out') },
          ]}
        />
      </Loading>
      {to === NEW && <NameField label={t('groups.name')} value={name} onChange={setName} error={wrong} />}
    </ChangeDialog>
  );
}

export function MoveDialog({ selection, from, ...rest }: Props & { from: string | null }) {
  const choice = useNetworkChoice();
  const { networks, chosen, settled } = choice;
  const offered = networks?.filter(({ gwid }) => gwid !== from) ?? null;
  const to = offered?.find((row) => row.gwid === chosen)?.gwid ?? offered?.[0]?.gwid;
  return (
    <ChangeDialog
      title={t('batch.move_title', { n: selection.count })}
      send={t('batch.move')}
      ready={settled && to !== undefined}
      change={async () => (await call('/api/v3/ap/move', { ...chosenDevices(selection), gwid: to ?? '' })).moved}
      {...rest}
    >
      <p className="quiet">{t('batch.move_body')}</p>
      {offered?.length === 0 && !choice.many ? (
        <p className="notice">{t('batch.move_nowhere')}</p>
      ) : (
        <NetworkChoice choice={{ ...choice, networks: offered }} value={to ?? ''} />
      )}
    </ChangeDialog>
  );
}

export function RenameDialog({ selection, ...rest }: Props) {
  const [prefix, setPrefix] = useState('');
  const [start, setStart] = useState('1');
  const [wrong, setWrong] = useState<{ prefix?: string | null; start?: string | null }>({});
  const first = /^\d{1,5}$/.test(start) ? Number(start) : null;
  const digits = String((first ?? 0) + selection.count - 1).length;
  const name = (at: number) => `${prefix}${String((first ?? 0) + at).padStart(digits, '0')}`;
  const change = async () => {
    const inputErrors = {
      prefix: prefix === '' ? t('validation.required') : fieldError('freeText', prefix),
      start: first === null || digits > 5 ? t('batch.rename_number') : null,
    };
    setWrong(inputErrors);
    if (inputErrors.prefix || inputErrors.start || first === null) return null;
    const input = { ...chosenDevices(selection), prefix, start: first, digits };
    return (await call('/api/v3/ap/batch_rename', input)).renamed;
  };
  return (
    <ChangeDialog
      title={t('batch.rename_title', { n: selection.count })}
      send={t('batch.rename')}
      change={change}
      {...rest}
    >
      <TextField
        label={t('batch.rename_prefix')}
        value={prefix}
        onChange={setPrefix}
        error={wrong.prefix}
        maxLength={56}
        autoFocus
      />
      <TextField
        label={t('batch.rename_start')}
        value={start}
        onChange={setStart}
        error={wrong.start}
        inputMode="numeric"
      />
      {prefix !== '' && first !== null && (
        <p className="quiet">
          {selection.count === 1
            ? t('batch.rename_one', { name: name(0) })
            : t('batch.rename_many', { first: name(0), last: name(selection.count - 1) })}
        </p>
      )}
    </ChangeDialog>
  );
}
