import { useState } from 'react';
import { t } from '../../app/i18n.ts';
import { useMay } from '../../app/shell/current.ts';
import { useRead } from '../../app/use-call.ts';
import { Button } from '../../ui/button.tsx';
import { ChangeTable, leavesOf } from '../../ui/changes/change-table.tsx';
import { Failed } from '../../ui/empty.tsx';
import { SelectField } from '../../ui/field.tsx';
import { Card } from '../../ui/page.tsx';
import { Loading } from '../../ui/skeleton.tsx';
import { RelativeTime } from '../../ui/time.tsx';
import type { Template } from './draft.ts';
import { inWords } from './field-labels.ts';
import { PushDialog } from './push-dialog.tsx';
import { VersionDialog } from './version-dialog.tsx';

export function Versions({ template }: { template: Template }) {
  const { id, version: newest } = template;
  const may = useMay('config.write');
  const { data, error, refetch } = useRead('/api/v3/wireless_template/versions', { id });
  const [pushing, setPushing] = useState<number | null>(null);
  const [seen, setSeen] = useState<number | null>(null);
  if (error && !data) {
    return (
      <Card>
        <Failed error={error} retry={() => void refetch()} />
      </Card>
    );
  }
  return (
    <Loading until={data !== undefined} lines={6}>
      {data && (
        <div className="stack">
          <Card title={t('template.tab_versions')}>
            <table className="plain-table">
              <thead>
                <tr>
                  <th>{t('template.version')}</th>
                  <th>{t('template.created')}</th>
                  <th>{t('template.author')}</th>
                  <th className="right">{t('template.devices')}</th>
                  <th aria-label={t('template.push')} />
                </tr>
              </thead>
              <tbody>
                {data.list.map((row) => (
                  <tr key={row.version}>
                    <td>{t('template.version_n', { n: row.version })}</td>
                    <td>
                      <RelativeTime at={row.created_at} />
                    </td>
                    <td>{row.created_by}</td>
                    <td className="right">{row.devices}</td>
                    <td className="right">
                      <span className="version-acts">
                        <Button kind="link" onClick={() => setSeen(row.version)}>
                          {t('template.see')}
                        </Button>
                        {may && (
                          <Button kind="link" onClick={() => setPushing(row.version)}>
                            {t('template.push')}
                          </Button>
                        )}
                      </span>
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </Card>
          {newest > 1 && <Compare id={id} versions={data.list.map((row) => row.version)} />}
        </div>
      )}
      {seen !== null && <VersionDialog template={template} version={seen} onClose={() => setSeen(null)} />}
      {pushing !== null && <PushDialog template={template} version={pushing} onClose={() => setPushing(null)} />}
    </Loading>
  );
}

function Compare({ id, versions }: { id: string; versions: readonly number[] }) {
  const [first, setFrom] = useState<number | null>(null);
  const [last, setTo] = useState<number | null>(null);
  const from = first ?? versions[1] ?? 1;
  const to = last ?? versions[0] ?? 1;
  const { data, error, refetch } = useRead('/api/v3/wireless_template/diff', { id, from, to }, { keepPrevious: true });
  const options = versions.map((n) => ({ value: String(n), label: t('template.version_n', { n }) }));
  const lines = data?.changes.flatMap(leavesOf).flatMap((change) => inWords(change) ?? []) ?? [];
  return (
    <Card title={t('template.compare')}>
      <div className="row row-wide compare-of">
        <SelectField
          label={t('template.from')}
          value={String(from)}
          options={options}
          onChange={(value) => setFrom(Number(value))}
        />
        <SelectField
          label={t('template.to')}
          value={String(to)}
          options={options}
          onChange={(value) => setTo(Number(value))}
        />
      </div>
      {error && !data ? (
        <Failed error={error} retry={() => void refetch()} small />
      ) : (
        <Loading until={data !== undefined}>
          {lines.length === 0 ? <p className="quiet">{t('template.same')}</p> : <ChangeTable lines={lines} labels />}
        </Loading>
      )}
    </Card>
  );
}
