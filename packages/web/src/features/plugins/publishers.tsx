import { useState } from 'react';
import { call } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { queryClient } from '../../app/session.ts';
import { useRead } from '../../app/use-call.ts';
import { Button } from '../../ui/button.tsx';
import { ask } from '../../ui/dialog-host.tsx';
import { Failed } from '../../ui/empty.tsx';
import { Card } from '../../ui/page.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { RelativeTime } from '../../ui/time.tsx';
import { refreshPlugins } from './plugin.ts';
import { ImportDialog, TrustDialog } from './publisher-dialogs.tsx';

const path = '/api/v3/install/plugin/publishers';

async function refresh(): Promise<void> {
  await Promise.all([queryClient.invalidateQueries({ queryKey: [path] }), refreshPlugins()]);
}

export function PluginPublishers() {
  const [open, setOpen] = useState<'trust' | 'import' | null>(null);
  const { data, error, refetch } = useRead(path, {});
  const distrust = (name: string, key: string) =>
    ask({
      title: t('plugins.distrust_title', { name }),
      body: t('plugins.distrust_body'),
      confirm: t('plugins.distrust'),
      danger: true,
      act: async () => {
        await call('/api/v3/install/plugin/distrust', { key });
        await refresh();
      },
    });
  return (
    <Card
      title={t('plugins.publishers')}
      actions={
        <div className="row">
          <Button onClick={() => setOpen('trust')}>{t('plugins.trust')}</Button>
          <Button kind="primary" onClick={() => setOpen('import')}>
            {t('plugins.import')}
          </Button>
        </div>
      }
    >
      <div className="stack">
        <p className="quiet">{t('plugins.publishers_about')}</p>
        {!data ? (
          error ? (
            <Failed small error={error} retry={() => void refetch()} />
          ) : (
            <Skeleton height={120} />
          )
        ) : data.list.length === 0 ? (
          <p className="dim">{t('plugins.publishers_none')}</p>
        ) : (
          <table className="plain-table">
            <thead>
              <tr>
                <th scope="col">{t('plugins.publisher')}</th>
                <th scope="col">{t('plugins.key')}</th>
                <th scope="col">{t('plugins.publisher_plugins')}</th>
                <th scope="col">{t('plugins.trusted_at')}</th>
                <th scope="col">
                  <span className="sr">{t('table.actions')}</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {data.list.map((row) => (
                <tr key={row.key}>
                  <td>{row.name}</td>
                  <td className="small mono">{row.key}</td>
                  <td>{row.plugins.join(', ') || '—'}</td>
                  <td>
                    <RelativeTime at={row.trusted_at} />
                  </td>
                  <td>
                    <Button onClick={() => distrust(row.name, row.key)}>{t('plugins.distrust')}</Button>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </div>
      {open === 'trust' && <TrustDialog onClose={() => setOpen(null)} onDone={refresh} />}
      {open === 'import' && <ImportDialog onClose={() => setOpen(null)} onDone={refresh} />}
    </Card>
  );
}
