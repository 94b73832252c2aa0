import { t } from '../../app/i18n.ts';
import { useParam } from '../../app/shell/current.ts';
import { useRead } from '../../app/use-call.ts';
import { Button } from '../../ui/button.tsx';
import { Failed } from '../../ui/empty.tsx';
import { Link } from '../../ui/link.tsx';
import { Card } from '../../ui/page.tsx';
import { SaveBar } from '../../ui/save-bar.tsx';
import { Loading } from '../../ui/skeleton.tsx';
import { Tag } from '../../ui/status.tsx';
import { notifyError } from '../../ui/toast.tsx';
import { useHeld } from '../../ui/unsaved.ts';
import { askPublish } from './actions.ts';
import { type Detail, type Draft, draftOf, type PageDraft } from './draft.ts';
import { HistoryButtons, historyKeys } from './history-buttons.tsx';
import { statusName, statusTone } from './labels.ts';
import { PageBlocks } from './page-blocks.tsx';
import { Crumb } from './template-crumb.tsx';
import { useHistory } from './use-history.ts';
import { useTemplateEditor } from './use-template-editor.tsx';
import './portal-templates.css';

export const PageEditorScreen = () => <Loaded key={useParam('tempid')} id={useParam('tempid')} />;

function Loaded({ id }: { id: string }) {
  const { data, error, refetch } = useRead('/api/v3/auth_template/detail', { id });
  const held = useHeld('portal-template', data);
  if (error && !data) {
    return (
      <div className="page">
        <Card>
          <Failed error={error} retry={() => void refetch()} />
        </Card>
      </div>
    );
  }
  return (
    <div className="page">
      <Loading until={data !== undefined} lines={8}>
        {data && held && (
          <PageEditor
            key={held.revision}
            template={held}
            newest={data}
            onSaved={() => void refetch()}
            reload={() => void refetch()}
          />
        )}
      </Loading>
    </div>
  );
}

function PageEditor(props: { template: Detail; newest: Detail; onSaved: () => void; reload: () => void }) {
  const { template, newest } = props;
  const saved = draftOf(template);
  const { draft, setDraft, changed, form, save, question } = useTemplateEditor({ ...props, saved });
  const history = useHistory<PageDraft>(draft.page, (page) => setDraft((now: Draft) => ({ ...now, page })));
  const { wrong } = form;
  const elsewhere = Object.keys(wrong).some((field) => !field.startsWith('page.') && wrong[field]);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: listens to the keys of the fields inside
    <div className="stack" ref={form.fields} onKeyDown={historyKeys(history)}>
      <div>
        <Crumb />
        <div className="page-head">
          <div className="page-title">
            <h1 className="ellipsis">{template.name}</h1>
            <Tag tone={statusTone[newest.status]}>{statusName(newest.status)}</Tag>
            <Link to={`/config/template_edit/${template.id}`}>{t('portal.edit')}</Link>
          </div>
          <div className="row">
            <HistoryButtons history={history} />
            <Button
              icon="share"
              why={
                changed
                  ? t('portal.save_first')
                  : newest.status === 'published'
                    ? t('portal.nothing_to_publish')
                    : undefined
              }
              onClick={() => void askPublish(newest).catch(notifyError)}
            >
              {t('portal.publish')}
            </Button>
          </div>
        </div>
      </div>
      {elsewhere && (
        <p className="notice" role="alert">
          {t('portal.wrong_settings')}
        </p>
      )}
      <PageBlocks
        page={draft.page}
        methods={draft.methods.map(({ kind }) => kind)}
        pictures={template.pictures}
        wrong={wrong}
        change={(part, key) => history.change({ ...draft.page, ...part }, key)}
      />
      <SaveBar
        changed={changed}
        overtaken={template.revision !== newest.revision}
        labels={{ changed: t('portal.unsaved'), never: t('portal.never_saved') }}
        saved={template}
      >
        <Button disabled={!changed} onClick={() => history.change(saved.page, 'discard')}>
          {t('wireless.discard')}
        </Button>
        <Button kind="primary" disabled={!changed} busy={form.busy} onClick={() => void save()}>
          {t('portal.save')}
        </Button>
      </SaveBar>
      {question}
    </div>
  );
}
