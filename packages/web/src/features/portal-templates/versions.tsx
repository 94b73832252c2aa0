import { useState } from 'react';
import { t } from '../../app/i18n.ts';
import { useMay } from '../../app/shell/current.ts';
import { useRead } from '../../app/use-call.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Empty, Failed } from '../../ui/empty.tsx';
import { Card } from '../../ui/page.tsx';
import { Loading } from '../../ui/skeleton.tsx';
import { Tag } from '../../ui/status.tsx';
import { RelativeTime } from '../../ui/time.tsx';
import { askRestore } from './actions.ts';
import type { Detail } from './draft.ts';
import { Phone } from './phone.tsx';

export function Versions({ template, onRestored }: { template: Detail; onRestored: () => void }) {
  const may = useMay('config.write');
  const [seen, setSeen] = useState<number | null>(null);
  const { data, error, refetch } = useRead('/api/v3/auth_template/versions', { id: template.id });
  if (error && !data) return <Failed error={error} retry={() => void refetch()} />;
  return (
    <Card title={t('template.tab_versions')}>
      <Loading until={data !== undefined} lines={4}>
        {data?.total === 0 && (
          <Empty icon="layout" title={t('portal.no_versions')} small>
            {t('portal.no_versions_body')}
          </Empty>
        )}
        {data && data.total > 0 && (
          <table className="plain-table">
            <thead>
              <tr>
                <th>{t('template.version')}</th>
                <th>{t('template.created')}</th>
                <th>{t('template.author')}</th>
                <th aria-label={t('portal.restore')} />
              </tr>
            </thead>
            <tbody>
              {data.list.map((row) => (
                <tr key={row.version}>
                  <td>
                    <span className="row">
                      {t('template.version_n', { n: row.version })}
                      {row.version === template.version && <Tag tone="ok">{t('portal.status_published')}</Tag>}
                    </span>
                  </td>
                  <td>
                    <RelativeTime at={row.created_at} />
                  </td>
                  <td>{row.created_by}</td>
                  <td className="right">
                    <span className="portal-acts">
                      <Button kind="link" onClick={() => setSeen(row.version)}>
                        {t('template.see')}
                      </Button>
                      {may && (
                        <Button kind="link" onClick={() => askRestore(template, row.version, onRestored)}>
                          {t('portal.restore')}
                        </Button>
                      )}
                    </span>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </Loading>
      {seen !== null && <PageDialog template={template} version={seen} onClose={() => setSeen(null)} />}
    </Card>
  );
}

/** Without `version`: the draft. */
export function PageDialog(props: { template: { id: string; name: string }; version?: number; onClose: () => void }) {
  const { template, version, onClose } = props;
  const input = { id: template.id, ...(version !== undefined && { version }) };
  const { data, error, refetch } = useRead('/api/v3/auth_template/detail', input);
  return (
    <Dialog
      title={
        version === undefined
          ? t('portal.see_draft', { name: template.name })
          : t('template.see_title', { name: template.name, n: version })
      }
      onClose={onClose}
      foot={<Button onClick={onClose}>{t('action.close')}</Button>}
    >
      {error && !data ? (
        <Failed error={error} retry={() => void refetch()} small />
      ) : (
        <Loading until={data !== undefined} lines={6}>
          {data && (
            <Phone
              page={data.page}
              methods={data.methods.map(({ kind }) => kind)}
              pictures={data.pictures}
              show="terms"
            />
          )}
        </Loading>
      )}
    </Dialog>
  );
}
