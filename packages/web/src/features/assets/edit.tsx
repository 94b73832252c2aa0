import type { AssetClass } from '@yunxun/contract';
import { useState } from 'react';
import type { Input } from '../../app/api.ts';
import { t } from '../../app/i18n.ts';
import { useWrite } from '../../app/use-call.ts';
import { Dialog, SendFoot } from '../../ui/dialog.tsx';
import { fieldError, SelectField, TextField } from '../../ui/field.tsx';
import { FreeTextField } from '../../ui/rule-fields.tsx';
import { tagsError, tagsOf } from '../../ui/typed-tags.ts';
import { useForm } from '../../ui/use-form.ts';
import { type AssetRow, classes, nameOf, sourceOf } from './labels.ts';

export const stale = ['/api/v3/asset/list', '/api/v3/asset/summary'] as const;

/** Shows a managed device's name, class and tags read-only. */
export function EditAsset({ row, onClose }: { row: AssetRow; onClose: () => void }) {
  const [kind, setKind] = useState<string>(row.class_by === 'operator' ? row.class : '');
  const [name, setName] = useState(row.name ?? '');
  // a host name was not given by a person: keep it unless it is edited
  const text = row.name ?? '';
  const [tags, setTags] = useState(row.tags.join(', '));
  const [note, setNote] = useState(row.note);
  const { wrong, busy, fields, send } = useForm<'name' | 'tags' | 'note'>();
  const save = useWrite('/api/v3/asset/update', stale, { quiet: true });
  const submit = () =>
    send(
      {
        name: row.managed || name === text ? null : fieldError('freeText', name, true),
        tags: tagsError(tagsOf(tags)),
        note: fieldError('freeText', note, true),
      },
      async () => {
        const own: Partial<Input<'/api/v3/asset/update'>> = row.managed
          ? {}
          : {
              class: (kind || null) as AssetClass | null,
              tags: tagsOf(tags),
              ...(name === text ? {} : { name: name || null }),
            };
        await save.mutateAsync({ gwid: row.gwid, ids: [row.id], note, ...own });
        onClose();
      },
    );
  return (
    <Dialog
      title={nameOf(row)}
      onClose={onClose}
      onSubmit={submit}
      foot={
        <SendFoot onClose={onClose} busy={busy}>
          {t('action.save')}
        </SendFoot>
      }
    >
      <div className="stack" ref={fields}>
        {row.managed ? (
          <p className="notice">{t('assets.managed_note')}</p>
        ) : (
          <>
            <SelectField
              label={t('assets.class')}
              value={kind}
              onChange={setKind}
              options={[
                { value: '', label: t('assets.class_auto') },
                ...classes.map((value) => ({ value, label: t(`assets.class_${value}`) })),
              ]}
              hint={sourceOf(row)}
            />
            <FreeTextField label={t('assets.name')} value={name} onChange={setName} optional error={wrong.name} />
            <TextField
              label={t('assets.tags')}
              value={tags}
              onChange={setTags}
              error={wrong.tags}
              hint={t('assets.tags_hint')}
            />
          </>
        )}
        <FreeTextField
          label={t('assets.note')}
          value={note}
          onChange={setNote}
          optional
          maxLength={100}
          error={wrong.note}
          hint={t('assets.note_hint')}
        />
      </div>
    </Dialog>
  );
}
