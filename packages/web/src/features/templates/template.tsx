import { useNavigate } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { t } from '../../app/i18n.ts';
import { oneOf, useSearch } from '../../app/search.ts';
import { useParam } from '../../app/shell/current.ts';
import { useRead } from '../../app/use-call.ts';
import { Failed } from '../../ui/empty.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Link } from '../../ui/link.tsx';
import { Card } from '../../ui/page.tsx';
import { Loading } from '../../ui/skeleton.tsx';
import { Tag } from '../../ui/status.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { useHeld } from '../../ui/unsaved.ts';
import { draftOf, emptyDraft, type Kind } from './draft.ts';
import { TemplateEditor } from './editor.tsx';
import './templates.css';

const Versions = lazy(async () => ({ default: (await import('./versions.tsx')).Versions }));
const Pushes = lazy(async () => ({ default: (await import('./pushes.tsx')).Pushes }));
const tabs = ['settings', 'versions', 'pushes'] as const;
const base = '/config/template_wireless';

export const CreateWirelessScreen = () => <Create kind="wireless" />;
export const CreateAcScreen = () => <Create kind="ac" />;
export const TemplateScreen = () => <Edit key={useParam('id')} id={useParam('id')} />;

function Crumb({ kind }: { kind: Kind }) {
  return (
    <Link to={`${base}/${kind}`} className="crumb">
      {t(kind === 'ac' ? 'config.wireless_ac' : 'config.wireless')}
      <Icon name="chevron_right" size={13} />
    </Link>
  );
}

function Create({ kind }: { kind: Kind }) {
  const navigate = useNavigate();
  const { data, error, refetch } = useRead('/api/v3/wireless_template/defaults', {});
  return (
    <div className="page">
      <div>
        <Crumb kind={kind} />
        <div className="page-head">
          <h1>{t(kind === 'ac' ? 'config.wireless_ac_create' : 'config.wireless_create')}</h1>
        </div>
      </div>
      {error && !data ? (
        <Card>
          <Failed error={error} retry={() => void refetch()} />
        </Card>
      ) : (
        <Loading until={data !== undefined} lines={8}>
          {data && (
            <TemplateEditor
              kind={kind}
              saved={emptyDraft}
              defaults={data.defaults}
              template={null}
              onSaved={(id) =>
                void navigate({ to: `${base}/${kind}_edit/$id`, params: { id } as never, replace: true })
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
  const tab = oneOf(search.tab, tabs) ?? 'settings';
  const { data, error, refetch } = useRead('/api/v3/wireless_template/detail', { id });
  const held = useHeld('template', data);
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
              <Crumb kind={data.kind} />
              <div className="page-head">
                <div className="page-title">
                  <h1 className="ellipsis">{data.name}</h1>
                  <Tag tone="none">{t('template.version_n', { n: data.version })}</Tag>
                </div>
              </div>
            </div>
            <Tabs
              label={data.name}
              tabs={tabs.map((value) => ({ value, label: t(`template.tab_${value}`) }))}
              value={tab}
              onChange={(value) => change({ tab: value === 'settings' ? undefined : value, page: undefined })}
            >
              <Suspense fallback={<Loading until={false}>{null}</Loading>}>
                {tab === 'settings' && held && (
                  <TemplateEditor
                    key={held.version}
                    kind={held.kind}
                    saved={draftOf(held)}
                    defaults={held.defaults}
                    template={held}
                    overtaken={held.version !== data.version}
                    onSaved={() => void refetch()}
                    reload={() => void refetch()}
                  />
                )}
                {tab === 'versions' && <Versions template={data} />}
                {tab === 'pushes' && <Pushes template={data} />}
              </Suspense>
            </Tabs>
          </>
        )}
      </Loading>
    </div>
  );
}
