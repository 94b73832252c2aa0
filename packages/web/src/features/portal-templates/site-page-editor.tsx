import { useState } from 'react';
import type { Data } from '../../app/api.ts';
import { ApiError } from '../../app/api-error.ts';
import { call } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { queryClient } from '../../app/session.ts';
import { useParam } from '../../app/shell/current.ts';
import { useRead } from '../../app/use-call.ts';
import { Button } from '../../ui/button.tsx';
import { ask } from '../../ui/dialog-host.tsx';
import { Failed } from '../../ui/empty.tsx';
import { Link } from '../../ui/link.tsx';
import { Card } from '../../ui/page.tsx';
import { SaveBar } from '../../ui/save-bar.tsx';
import { Conflict } from '../../ui/saving.tsx';
import { SiteCrumb } from '../../ui/site-crumb.tsx';
import { Loading } from '../../ui/skeleton.tsx';
import { Tag } from '../../ui/status.tsx';
import { notify } from '../../ui/toast.tsx';
import { useDraft, useHeld } from '../../ui/unsaved.ts';
import { useForm } from '../../ui/use-form.ts';
import { type PageDraft, pageDraftOf, pageInputOf } from './draft.ts';
import { HistoryButtons, historyKeys } from './history-buttons.tsx';
import { PageBlocks } from './page-blocks.tsx';
import { pageErrors } from './page-errors.ts';
import { useHistory } from './use-history.ts';
import './portal-templates.css';

const path = '/api/v3/auth_template/site/detail';
type Own = Data<typeof path>;

/** The copy of template `tempid`'s page that only network `id` shows. */
export function SitePageScreen() {
  const place = { gwid: useParam('id'), id: useParam('tempid') };
  return <Loaded key={`${place.gwid} ${place.id}`} place={place} />;
}

interface Place {
  gwid: string;
  id: string;
}

function Loaded({ place }: { place: Place }) {
  const { data, error, refetch } = useRead(path, place);
  const held = useHeld('portal-site-page', data);
  return (
    <div className="page">
      {error && !data ? (
        <Card>
          <Failed error={error} retry={() => void refetch()} />
        </Card>
      ) : (
        <Loading until={data !== undefined} lines={8}>
          {data && held && (
            <Editor
              key={`${held.own} ${held.revision}`}
              place={place}
              newest={data}
              held={held}
              reload={() => void refetch()}
            />
          )}
        </Loading>
      )}
    </div>
  );
}

function Editor(props: { place: Place; newest: Own; held: Own; reload: () => void }) {
  const { place, newest, held, reload } = props;
  const saved = pageDraftOf(held.page);
  const { draft, setDraft, changed, forget } = useDraft<PageDraft>({
    name: 'portal-site-page',
    basis: held,
    begin: (kept) => kept ?? saved,
    isChanged: (now) => JSON.stringify(pageInputOf(now)) !== JSON.stringify(pageInputOf(saved)),
  });
  const history = useHistory<PageDraft>(draft, setDraft);
  const [conflict, setConflict] = useState(false);
  const form = useForm<string>();
  const again = () => queryClient.invalidateQueries({ queryKey: [path] });
  const save = () =>
    form.send(
      pageErrors(draft),
      async () => {
        const content = { revision: held.revision, ...pageInputOf(draft) };
        await call('/api/v3/auth_template/site/save', { ...place, ...content });
        forget();
        notify('ok', t('portal.site_saved', { network: held.network }));
        await again();
      },
      (error) => {
        const overtaken = error instanceof ApiError && error.code === 4104;
        if (overtaken) setConflict(true);
        return overtaken;
      },
    );
  const remove = () =>
    ask({
      title: t('portal.site_remove_title', { network: held.network }),
      body: t('portal.site_remove_body'),
      confirm: t('portal.site_remove'),
      danger: true,
      act: async () => {
        await call('/api/v3/auth_template/site/delete', place);
        forget();
        notify('ok', t('portal.site_removed'));
        await again();
      },
    });
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: listens to the keys of the fields inside
    <div className="stack" ref={form.fields} onKeyDown={historyKeys(history)}>
      <div>
        <SiteCrumb gwid={place.gwid}>
          <Link to={`/auth/${place.gwid}`} className="crumb">
            {t('home.auth_index')}
          </Link>
        </SiteCrumb>
        <div className="page-head">
          <div className="page-title">
            <h1 className="ellipsis">{held.name}</h1>
            <Tag tone={held.own ? 'ok' : 'none'}>{t(held.own ? 'portal.site_own' : 'portal.site_shared')}</Tag>
          </div>
          <div className="row">
            <HistoryButtons history={history} />
            {held.own && <Button onClick={remove}>{t('portal.site_remove')}</Button>}
          </div>
        </div>
      </div>
      <p className="notice">
        {t('portal.site_notice', { network: held.network, name: held.name })} {!held.in_use && t('portal.site_unused')}{' '}
        <Link to={`/config/auth_portal/${place.gwid}/${place.id}`}>{t('portal.site_template')}</Link>
      </p>
      <PageBlocks
        page={draft}
        methods={held.methods}
        pictures={held.pictures}
        wrong={form.wrong}
        change={(part, key) => history.change({ ...draft, ...part }, key)}
      />
      <SaveBar
        changed={changed}
        overtaken={held.revision !== newest.revision}
        labels={{ changed: t('portal.unsaved'), never: t('portal.site_shared') }}
        saved={held}
      >
        <Button disabled={!changed} onClick={() => history.change(saved, 'discard')}>
          {t('wireless.discard')}
        </Button>
        <Button kind="primary" disabled={!changed} busy={form.busy} onClick={() => void save()}>
          {t('portal.site_save')}
        </Button>
      </SaveBar>
      {conflict && (
        <Conflict
          title={t('wireless.conflict')}
          body={t('portal.conflict_body')}
          onClose={() => setConflict(false)}
          onReload={() => {
            setConflict(false);
            forget();
            reload();
          }}
        />
      )}
    </div>
  );
}
