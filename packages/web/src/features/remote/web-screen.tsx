import { useCallback } from 'react';
import { call } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { useParam } from '../../app/shell/current.ts';
import { useRead } from '../../app/use-call.ts';
import { Empty } from '../../ui/empty.tsx';
import { Link } from '../../ui/link.tsx';
import { Loading } from '../../ui/skeleton.tsx';
import { endText } from './remote-session.ts';
import { WebEntry } from './web-entry.tsx';
import './remote.css';

/** Waits for the device, and then leaves for its page below the remote host. */
export function WebScreen() {
  const id = useParam('id');
  const enter = useCallback(() => call('/api/v3/remote/web/enter', { id }), [id]);
  return (
    <main className="remote-waiting">
      <h1 className="sr">{t('title.remote_web')}</h1>
      <WebEntry enter={enter} over={<Over id={id} />} />
      <Link to="/remote">{t('home.remote')}</Link>
    </main>
  );
}

function Over({ id }: { id: string }) {
  const { data } = useRead('/api/v3/remote/list', { limit: 50, sort: 'created_at', order: 'desc' });
  const row = data?.list.find((one) => one.id === id);
  return (
    <Loading until={data !== undefined}>
      <Empty icon="monitor" title={t('remote.web_over')}>
        {row?.end_reason ? endText(row.end_reason) : ''}
      </Empty>
    </Loading>
  );
}
