import { lazy, Suspense } from 'react';
import { t } from '../../app/i18n.ts';
import { useMay } from '../../app/shell/current.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/page.tsx';
import { NameField, NumberField, UrlField } from '../../ui/rule-fields.tsx';
import { SaveBar } from '../../ui/save-bar.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { bounds, type Detail, type Draft, type Picture, pageOf } from './draft.ts';
import { Methods } from './methods.tsx';
import { Opening } from './opening.tsx';
import { useTemplateEditor } from './use-template-editor.tsx';
import { Whitelist } from './whitelist.tsx';

const Phone = lazy(async () => ({ default: (await import('./phone.tsx')).Phone }));

/** Settings beside the page that guests get with them. */
export function TemplateForm(props: {
  template: Detail | null;
  pictures: readonly Picture[];
  saved: Draft;
  overtaken?: boolean;
  onSaved: (id: string) => void;
  reload: () => void;
}) {
  const { template, saved } = props;
  const { draft, setDraft, changed, form, save, question } = useTemplateEditor(props);
  const readOnly = !useMay('config.write');
  const change = (part: Partial<Draft>) => setDraft((now) => ({ ...now, ...part }));
  const { wrong } = form;
  const onPage = Object.keys(wrong).some((field) => field.startsWith('page.') && wrong[field]);
  return (
    <div className="stack" ref={form.fields}>
      {readOnly && <p className="notice">{t('template.readonly')}</p>}
      {onPage && (
        <p className="notice" role="alert">
          {t('portal.wrong_page')}
        </p>
      )}
      <div className="beside">
        <div className="stack">
          <Card title={t('portal.basic')}>
            <div className="portal-basic">
              <NameField
                label={t('template.name')}
                value={draft.name}
                disabled={readOnly}
                error={wrong.name}
                onChange={(name) => change({ name })}
              />
              <UrlField
                label={t('portal.jump')}
                hint={t('portal.jump_hint')}
                placeholder="https://example.com"
                optional
                maxLength={255}
                value={draft.jump}
                disabled={readOnly}
                error={wrong.jump}
                onChange={(jump) => change({ jump })}
              />
              <NumberField
                label={t('portal.remember_days')}
                hint={t('portal.remember_hint')}
                min={bounds.remember_days[0]}
                max={bounds.remember_days[1]}
                value={draft.remember_days}
                disabled={readOnly}
                error={wrong.remember_days}
                onChange={(remember_days) => change({ remember_days })}
              />
            </div>
          </Card>
          <Methods
            methods={draft.methods}
            wrong={wrong}
            readOnly={readOnly}
            onChange={(methods) => change({ methods })}
          />
          <Whitelist
            rows={draft.whitelist}
            wrong={wrong}
            readOnly={readOnly}
            onChange={(whitelist) => change({ whitelist })}
          />
          <Opening draft={draft} wrong={wrong} readOnly={readOnly} onChange={change} />
        </div>
        <Card title={t('portal.guest_page')}>
          <Suspense fallback={<Skeleton height={640} />}>
            <Phone
              page={pageOf(draft.page)}
              methods={draft.methods.map(({ kind }) => kind)}
              pictures={props.pictures}
            />
          </Suspense>
        </Card>
      </div>
      <SaveBar
        changed={changed}
        overtaken={props.overtaken}
        labels={{ changed: t('portal.unsaved'), never: t('portal.never_saved') }}
        saved={template ?? { updated_at: null, updated_by: null }}
      >
        {!readOnly && (
          <>
            <Button disabled={!changed} onClick={() => setDraft(saved)}>
              {t('wireless.discard')}
            </Button>
            <Button kind="primary" disabled={!changed} busy={form.busy} onClick={() => void save()}>
              {t(template ? 'portal.save' : 'portal.create')}
            </Button>
          </>
        )}
      </SaveBar>
      {question}
    </div>
  );
}
