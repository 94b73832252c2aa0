import { useNavigate } from '@tanstack/react-router';
import { t } from '../../app/i18n.ts';
import { oneOf, useSearch } from '../../app/search.ts';
import { useMay, useParam } from '../../app/shell/current.ts';
import { useRead } from '../../app/use-call.ts';
import { Button } from '../../ui/button.tsx';
import { Failed } from '../../ui/empty.tsx';
import { Card } from '../../ui/page.tsx';
import { Loading } from '../../ui/skeleton.tsx';
import { Tag } from '../../ui/status.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { notifyError } from '../../ui/toast.tsx';
import { useHeld } from '../../ui/unsaved.ts';
import { askPublish } from './actions.ts';
import { draftOf, emptyDraft } from './draft.ts';
import { statusName, statusTone } from './labels.ts';
import { Crumb } from './template-crumb.tsx';
import { TemplateForm } from './template-form.tsx';
import { Versions } from './versions.tsx';
import './portal-templates.css';

const tabs = ['settings', 'versions'] as const;

export const AddTemplateScreen = () => <Add key={useParam('id')} from={useParam('id')} />;
export const EditTemplateScreen = () => <Edit key={useParam('id')} id={useParam('id')} />;

/** `from`: a template whose settings the new one begins with; 0 for none. */
function Add({ from }: { from: string }) {
  const navigate = useNavigate();
  const { data, error, refetch } = useRead('/api/v3/auth_template/detail', { id: from }, { enabled: from !== '0' });
  const saved = from === '0' ? emptyDraft({ zh: '欢迎使用无线网络', en: 'Welcome to our Wi-Fi' }) : null;
  const begin = saved ?? (data && { ...draftOf(data), name: '' });
  return (
    <div className="page">
      <div>
        <Crumb />
        <div className="page-head">
          <h1>{t('config.template_add')}</h1>
        </div>
      </div>
      {error && !data ? (
        <Card>
          <Failed error={error} retry={() => void refetch()} />
        </Card>
      ) : (
        <Loading until={begin !== undefined} lines={8}>
          {begin && (
            <TemplateForm
              template={null}
              pictures={data?.pictures ?? []}
              saved={begin}
              onSaved={(id) =>
                void navigate({ to: '/config/template_edit/$id', params: { id } as never, replace: true })
              }
              reload={() => undefined}
            />
          )}
        </Loading>
      )}
    </div>
  );
}

function Edit({ id }: { id: string }) {
  const [search, change] = useSearch();
  const navigate = useNavigate();
  const may = useMay('config.write');
  const tab = oneOf(search.tab, tabs) ?? 'settings';
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
        {data && (
          <>
            <div>
              <Crumb />
              <div className="page-head">
                <div className="page-title">
                  <h1 className="ellipsis">{data.name}</h1>
                  <Tag tone={statusTone[data.status]}>{statusName(data.status)}</Tag>
                  <span className="small dim">{t('portal.used_by', { n: data.networks.length })}</span>
                </div>
                {may && (
                  <div className="row">
                    <Button
                      icon="layout"
                      onClick={() =>
                        void navigate({
                          to: '/config/auth_portal/$id/$tempid',
                          params: { id: '0', tempid: id } as never,
                        })
                      }
                    >
                      {t('portal.edit_page')}
                    </Button>
                    <Button
                      icon="share"
                      why={data.status === 'published' ? t('portal.nothing_to_publish') : undefined}
                      onClick={() => void askPublish(data).catch(notifyError)}
                    >
                      {t('portal.publish')}
                    </Button>
                  </div>
                )}
              </div>
            </div>
            <Tabs
              label={data.name}
              tabs={tabs.map((value) => ({ value, label: t(`template.tab_${value}`) }))}
              value={tab}
              onChange={(value) => change({ tab: value === 'settings' ? undefined : value })}
            >
              {tab === 'settings' && held && (
                <TemplateForm
                  key={held.revision}
                  template={held}
                  pictures={held.pictures}
                  saved={draftOf(held)}
                  overtaken={held.revision !== data.revision}
                  onSaved={() => void refetch()}
                  reload={() => void refetch()}
                />
              )}
              {tab === 'versions' && <Versions template={data} onRestored={() => change({ tab: undefined })} />}
            </Tabs>
          </>
        )}
      </Loading>
    </div>
  );
}
