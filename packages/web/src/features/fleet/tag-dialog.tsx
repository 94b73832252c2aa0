import { type ReactNode, useState } from 'react';
import { ApiError } from '../../app/api-error.ts';
import { call } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { useRead } from '../../app/use-call.ts';
import { Dialog, SendFoot } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import type { Selection } from '../../ui/table/columns.ts';
import { notify, notifyError } from '../../ui/toast.tsx';
import { tagsError, tagsOf } from '../../ui/typed-tags.ts';
import { refreshFleet } from './batch-actions.ts';
import { chosenDevices, chosenNetworks } from './chosen.ts';

export function TagDialog(props: {
  of: 'networks' | 'devices';
  selection: Omit<Selection<unknown>, 'rows'>;
  onClose: () => void;
  done: () => void;
  /** Above the fields. */
  head?: ReactNode;
}) {
  const { selection, onClose } = props;
  const [add, setAdd] = useState('');
  const [remove, setRemove] = useState('');
  const [wrong, setWrong] = useState<{ add?: string | null; remove?: string | null }>({});
  const [busy, setBusy] = useState(false);
  const { data } = useRead('/api/v3/network/tag/list', {});
  const submit = async () => {
    const change = { add: tagsOf(add), remove: tagsOf(remove) };
    const found = { add: tagsError(change.add), remove: tagsError(change.remove) };
    if (change.add.length + change.remove.length === 0) found.add = t('validation.required');
    setWrong(found);
    if (found.add || found.remove) return;
    setBusy(true);
    try {
      const { changed } =
        props.of === 'networks'
          ? await call('/api/v3/network/tag', { ...chosenNetworks(selection), ...change })
          : await call('/api/v3/ap/tag', { ...chosenDevices(selection), ...change });
      notify('ok', t('batch.changed', { n: changed }));
      onClose();
      props.done();
      await refreshFleet();
    } catch (error) {
      setBusy(false);
      if (error instanceof ApiError && error.code === 422) setWrong({ add: error.message });
      else if (error instanceof ApiError && error.code === 4106) setWrong({ add: fullText(error) });
      else notifyError(error);
    }
  };
  return (
    <Dialog
      title={t(`batch.tags_${props.of}`, { n: selection.count })}
      onClose={onClose}
      onSubmit={submit}
      foot={
        <SendFoot onClose={onClose} busy={busy}>
          {t('action.save')}
        </SendFoot>
      }
    >
      {props.head}
      <TextField
        label={t('batch.tags_add')}
        value={add}
        onChange={setAdd}
        error={wrong.add}
        hint={t('network.tag_hint')}
        autoFocus
      />
      <TextField label={t('batch.tags_remove')} value={remove} onChange={setRemove} error={wrong.remove} />
      {data && data.list.length > 0 && (
        <div>
          <p className="small dim">{t('batch.tags_known')}</p>
          <div className="tags">
            {data.list.slice(0, 30).map(({ tag }) => (
              <button
                key={tag}
                type="button"
                className="label label-button"
                onClick={() =>
                  setAdd([...tagsOf(add), tag].filter((one, at, all) => all.indexOf(one) === at).join(', '))
                }
              >
                {tag}
              </button>
            ))}
          </div>
        </div>
      )}
    </Dialog>
  );
}

function fullText({ data, message }: ApiError): string {
  const refs = Array.isArray(data.refs) ? data.refs : [];
  return refs.length > 0 ? t('batch.tags_full', { names: refs.join(', ') }) : message;
}
