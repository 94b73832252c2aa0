import { useState } from 'react';
import { ApiError } from '../../app/api-error.ts';
import { t } from '../../app/i18n.ts';
import { useWrite } from '../../app/use-call.ts';
import { Dialog, SendFoot } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { notifyError } from '../../ui/toast.tsx';
import { tagsError, tagsOf } from '../../ui/typed-tags.ts';
import type { NetworkRow } from './networks/network-columns.tsx';

export function EditTags({ row, onClose }: { row: NetworkRow; onClose: () => void }) {
  const [text, setText] = useState(row.tags.join(', '));
  const [wrong, setWrong] = useState<string | null>(null);
  const save = useWrite('/api/v3/network/update', ['/api/v3/network/list', '/api/v3/network/detail'], { quiet: true });
  const submit = async () => {
    const tags = tagsOf(text);
    const inputError = tagsError(tags);
    setWrong(inputError);
    if (inputError) return;
    try {
      await save.mutateAsync({ gwid: row.gwid, tags });
      onClose();
    } catch (error) {
      if (error instanceof ApiError && error.code === 422) setWrong(error.message);
      else notifyError(error);
    }
  };
  return (
    <Dialog
      title={t('network.edit_tags')}
      onClose={onClose}
      onSubmit={submit}
      foot={
        <SendFoot onClose={onClose} busy={save.isPending}>
          {t('action.save')}
        </SendFoot>
      }
    >
      <TextField
        label={row.remark}
        value={text}
        onChange={setText}
        error={wrong}
        hint={t('network.tag_hint')}
        autoFocus
      />
    </Dialog>
  );
}
