import { useState } from 'react';
import { ApiError } from '../../app/api-error.ts';
import { call } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { queryClient } from '../../app/session.ts';
import { useMay } from '../../app/shell/current.ts';
import { Button } from '../../ui/button.tsx';
import { fieldError, TextField } from '../../ui/field.tsx';
import { Card } from '../../ui/page.tsx';
import { NameField } from '../../ui/rule-fields.tsx';
import { SaveBar } from '../../ui/save-bar.tsx';
import { Conflict } from '../../ui/saving.tsx';
import { notify } from '../../ui/toast.tsx';
import { useDraft } from '../../ui/unsaved.ts';
import { useForm } from '../../ui/use-form.ts';
import { contentOf, type Draft, isChanged, type Kind, type Template } from './draft.ts';
import { LayerFields } from './layer-fields.tsx';
import { locksOf } from './locks.tsx';
import { fieldsOf, type RuleField, wrongRules } from './port-rules.tsx';
import { PushDialog } from './push-dialog.tsx';

/** Saving creates a version; a push sends it. */
export function TemplateEditor(props: {
  kind: Kind;
  saved: Draft;
  defaults: Template['defaults'];
  template: Template | null;
  overtaken?: boolean;
  onSaved: (id: string) => void;
  reload: () => void;
}) {
  const { kind, saved, template } = props;
  const { draft, setDraft, changed, forget } = useDraft<Draft>({
    name: 'template',
    basis: template,
    begin: (kept) => kept ?? saved,
    isChanged: (now) => isChanged(now, saved),
  });
  const [fields, setFields] = useState<ApiError['fields']>({});
  const [conflict, setConflict] = useState(false);
  const [pushing, setPushing] = useState(false);
  const form = useForm<'name' | 'country' | RuleField>({ 4105: 'name' });
  const readOnly = !useMay('config.write');
  const change = (part: Partial<Draft>) => setDraft((now) => ({ ...now, ...part }));
  const lock = locksOf(draft, (locks) => change({ locks }), readOnly);
  const store = async (content: { name: string } & ReturnType<typeof contentOf>): Promise<string> => {
    if (!template) return (await call('/api/v3/wireless_template/create', { kind, ...content })).id;
    await call('/api/v3/wireless_template/update', { id: template.id, version: template.version, ...content });
    return template.id;
  };
  const save = () =>
    form.send(
      { name: fieldError('nameText', draft.name), ...wrongRules(draft.rules) },
      async () => {
        const content = { name: draft.name, ...contentOf(draft) };
        const id = await store(content);
        forget();
        setFields({});
        notify('ok', t('template.saved'));
        await queryClient.invalidateQueries();
        props.onSaved(id);
      },
      (error) => {
        if (!(error instanceof ApiError)) return false;
        if (error.code === 422) setFields(error.fields);
        if (error.code === 4104) setConflict(true);
        return error.code === 4104;
      },
    );
  return (
    <div className="stack" ref={form.fields}>
      {readOnly && <p className="notice">{t('template.readonly')}</p>}
      <Card>
        <div className="country">
          <NameField
            label={t('template.name')}
            value={draft.name}
            disabled={readOnly}
            error={form.wrong.name}
            onChange={(name) => change({ name })}
          />
        </div>
      </Card>
      <LayerFields
        draft={draft}
        change={change}
        defaults={props.defaults}
        fields={{ ...fields, ...fieldsOf(form.wrong) }}
        readOnly={readOnly}
        noSsids={kind === 'wireless' ? t('template.no_ssids') : null}
        ports={kind === 'ac'}
        lock={lock}
      />
      <Card>
        <div className="country lockable">
          <TextField
            label={t('wireless.country')}
            value={draft.country ?? ''}
            maxLength={2}
            disabled={readOnly}
            error={form.wrong.country}
            hint={t('wireless.country_hint')}
            onChange={(value) => change({ country: value.toUpperCase() || null })}
          />
          {lock('country')}
        </div>
      </Card>
      <p className="small dim">{t('template.locks_body')}</p>
      <SaveBar
        changed={changed}
        overtaken={props.overtaken}
        labels={{ changed: t('template.changed'), never: t('template.never_saved') }}
        saved={template ?? { updated_at: null, updated_by: null }}
      >
        {!readOnly && (
          <>
            <Button disabled={!changed} onClick={() => setDraft(saved)}>
              {t('wireless.discard')}
            </Button>
            {template && (
              <Button
                icon="share"
                why={changed ? t('template.save_first') : undefined}
                onClick={() => setPushing(true)}
              >
                {t('template.push')}
              </Button>
            )}
            <Button kind="primary" disabled={!changed} busy={form.busy} onClick={() => void save()}>
              {t(template ? 'template.save' : 'template.create')}
            </Button>
          </>
        )}
      </SaveBar>
      {pushing && template && (
        <PushDialog template={template} version={template.version} onClose={() => setPushing(false)} />
      )}
      {conflict && (
        <Conflict
          title={t('wireless.conflict')}
          body={t('template.conflict_body')}
          onClose={() => setConflict(false)}
          onReload={() => {
            setConflict(false);
            forget();
            props.reload();
          }}
        />
      )}
    </div>
  );
}
