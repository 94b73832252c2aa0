import { probeUnder } from '@yunxun/contract/probe-hosts';
import { siteHostOf } from '@yunxun/contract/rules';
import { useState } from 'react';
import { ApiError } from '../../app/api-error.ts';
import { call } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { queryClient } from '../../app/session.ts';
import { fieldError } from '../../ui/field.tsx';
import { timeOf } from '../../ui/fields/typed-time.ts';
import { whole } from '../../ui/rule-fields.tsx';
import { Conflict } from '../../ui/saving.tsx';
import { notify } from '../../ui/toast.tsx';
import { useDraft } from '../../ui/unsaved.ts';
import { useForm, type Wrong } from '../../ui/use-form.ts';
import { bounds, type Detail, type Draft, inputOf, isChanged, limitFields } from './draft.ts';
import { settingsOf } from './methods/index.ts';
import { pageErrors } from './page-errors.ts';

/** By the server's field names. */
function errorsIn(draft: Draft): Wrong<string> {
  const wrong: Wrong<string> = { name: fieldError('nameText', draft.name) };
  const number = (field: string, value: string, [min, max]: readonly [number, number]) => {
    wrong[field] = fieldError(whole(min, max), value);
  };
  if (draft.methods.length === 0) wrong.methods = t('portal.no_method');
  for (const [index, method] of draft.methods.entries()) {
    for (const field of limitFields) number(`methods.${index}.${field}`, method[field], bounds[field]);
    const own = settingsOf(method.kind)?.errorsIn?.(method.own, method.kept) ?? {};
    for (const [field, error] of Object.entries(own)) wrong[`methods.${index}.${field}`] = error;
  }
  for (const [index, row] of draft.whitelist.entries()) {
    wrong[`whitelist.${index}.name`] = fieldError('nameText', row.name);
    const probe = probeUnder(siteHostOf(row.link) ?? '');
    wrong[`whitelist.${index}.link`] = probe
      ? t('validation.probeHost', { host: probe })
      : fieldError('siteLink', row.link);
  }
  for (const [index, { days, from, to }] of draft.hours.entries()) {
    wrong[`hours.${index}.days`] = days.length === 0 ? t('portal.hours_no_day') : null;
    wrong[`hours.${index}.from`] = timeOf(from) === from ? null : t('portal.hours_no_time');
    wrong[`hours.${index}.to`] = timeOf(to) === to ? null : t('portal.hours_no_time');
  }
  wrong.jump = fieldError('url', draft.jump.trim(), true);
  number('remember_days', draft.remember_days, bounds.remember_days);
  return { ...wrong, ...pageErrors(draft.page) };
}

export function useTemplateEditor(props: {
  template: Detail | null;
  saved: Draft;
  onSaved: (id: string) => void;
  reload: () => void;
}) {
  const { template, saved } = props;
  const { draft, setDraft, changed, forget } = useDraft<Draft>({
    name: 'portal-template',
    basis: template,
    begin: (kept) => kept ?? saved,
    isChanged: (now) => isChanged(now, saved),
  });
  const [conflict, setConflict] = useState(false);
  const form = useForm<string>({ 4105: 'name' });
  const store = async () => {
    const content = { name: draft.name, ...inputOf(draft) };
    if (!template) return (await call('/api/v3/auth_template/create', content)).id;
    await call('/api/v3/auth_template/save', { id: template.id, revision: template.revision, ...content });
    return template.id;
  };
  const save = () =>
    form.send(
      errorsIn(draft),
      async () => {
        const id = await store();
        forget();
        notify('ok', t('portal.saved'));
        await queryClient.invalidateQueries();
        props.onSaved(id);
      },
      (error) => {
        const overtaken = error instanceof ApiError && error.code === 4104;
        if (overtaken) setConflict(true);
        return overtaken;
      },
    );
  const question = conflict && (
    <Conflict
      title={t('wireless.conflict')}
      body={t('portal.conflict_body')}
      onClose={() => setConflict(false)}
      onReload={() => {
        setConflict(false);
        forget();
        props.reload();
      }}
    />
  );
  return { draft, setDraft, changed, form, save, question };
}
