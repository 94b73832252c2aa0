import { useNavigate } from '@tanstack/react-router';
import type { fleetViews } from '@yunxun/contract';
import { useState } from 'react';
import type { Row } from '../../app/api.ts';
import { ApiError } from '../../app/api-error.ts';
import { t } from '../../app/i18n.ts';
import { type Search, useSearch } from '../../app/search.ts';
import { useMay } from '../../app/shell/current.ts';
import { useRead, useWrite } from '../../app/use-call.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Dialog, SendFoot } from '../../ui/dialog.tsx';
import { CheckField, fieldError, TextField } from '../../ui/field.tsx';
import { Popup } from '../../ui/popup.tsx';
import { notify, notifyError } from '../../ui/toast.tsx';

type View = Row<'/api/v3/view/list'>;
type List = (typeof fleetViews.viewLists)[number];

/** Search parameters not stored in a view. */
const left: readonly string[] = ['page', 'device', 'tab'];
const kept = (search: Search) => Object.fromEntries(Object.entries(search).filter(([key]) => !left.includes(key)));
const same = (a: Search, b: Search) =>
  JSON.stringify(Object.entries(a).toSorted()) === JSON.stringify(Object.entries(b).toSorted());

export function SavedViews({ list }: { list: List }) {
  const [search] = useSearch();
  const navigate = useNavigate();
  const [saving, setSaving] = useState(false);
  const { data } = useRead('/api/v3/view/list', { list });
  const now = kept(search);
  const views = data?.list ?? [];
  const current = views.find((view) => same(view.search, now));
  const choose = (view: View) => {
    const rest = Object.fromEntries(Object.entries(search).filter(([key]) => key === 'tab'));
    void navigate({ to: '.', search: { ...rest, ...view.search } as never });
  };
  return (
    <>
      <Popup
        kind="dialog"
        label={t('views.title')}
        trigger={(trigger) => (
          <Button icon="eye" {...trigger}>
            {current?.name ?? t('views.title')}
          </Button>
        )}
      >
        {(close) => (
          <div className="stack stack-s views">
            {views.length === 0 && <p className="small dim">{t('views.none')}</p>}
            {views.map((view) => (
              <div key={view.id} className="spread">
                <button
                  type="button"
                  className="btn btn-link ellipsis"
                  aria-current={view === current || undefined}
                  onClick={() => {
                    close();
                    choose(view);
                  }}
                >
                  {view.name}
                </button>
                <span className="row">
                  {view.shared && <span className="label">{t('views.shared')}</span>}
                  <RemoveView view={view} />
                </span>
              </div>
            ))}
            <Button
              icon="plus"
              why={Object.keys(now).length === 0 ? t('views.nothing') : undefined}
              onClick={() => {
                close();
                setSaving(true);
              }}
            >
              {t('views.save')}
            </Button>
          </div>
        )}
      </Popup>
      {saving && <SaveView list={list} search={now} onClose={() => setSaving(false)} />}
    </>
  );
}

function RemoveView({ view }: { view: View }) {
  const mayWrite = useMay('network.write');
  const remove = useWrite('/api/v3/view/delete', ['/api/v3/view/list']);
  if (!view.own && !mayWrite) return null;
  return (
    <IconButton
      icon="trash"
      label={t('views.delete', { name: view.name })}
      onClick={() => {
        remove.mutate({ id: view.id }, { onSuccess: () => notify('ok', t('table.deleted')) });
      }}
    />
  );
}

function SaveView({ list, search, onClose }: { list: List; search: Search; onClose: () => void }) {
  const mayShare = useMay('network.write');
  const [name, setName] = useState('');
  const [shared, setShared] = useState(false);
  const [wrong, setWrong] = useState<string | null>(null);
  const save = useWrite('/api/v3/view/save', ['/api/v3/view/list'], { quiet: true });
  const submit = async () => {
    const inputError = name.trim() === '' ? t('validation.required') : fieldError('nameText', name);
    setWrong(inputError);
    if (inputError) return;
    try {
      await save.mutateAsync({ list, name, search, shared });
      notify('ok', t('views.saved', { name }));
      onClose();
    } catch (error) {
      if (error instanceof ApiError && (error.code === 422 || error.code === 4105)) setWrong(error.message);
      else notifyError(error);
    }
  };
  return (
    <Dialog
      title={t('views.save')}
      onClose={onClose}
      onSubmit={submit}
      foot={
        <SendFoot onClose={onClose} busy={save.isPending}>
          {t('action.save')}
        </SendFoot>
      }
    >
      <TextField
        label={t('views.name')}
        value={name}
        onChange={setName}
        error={wrong}
        hint={t('views.hint')}
        autoFocus
      />
      {mayShare && (
        <CheckField checked={shared} onChange={() => setShared(!shared)}>
          {t('views.share')}
        </CheckField>
      )}
    </Dialog>
  );
}

export function useTags(): readonly string[] {
  const { data } = useRead('/api/v3/network/tag/list', {});
  return data?.list.map(({ tag }) => tag) ?? [];
}
