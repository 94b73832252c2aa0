import { useState } from 'react';
import type { Data } from '../../app/api.ts';
import { t } from '../../app/i18n.ts';
import { useRead } from '../../app/use-call.ts';
import { Empty, Failed, NoHits } from '../../ui/empty.tsx';
import { CheckField, TextField } from '../../ui/field.tsx';
import { Link } from '../../ui/link.tsx';
import { Card, Page } from '../../ui/page.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { Tag } from '../../ui/status.tsx';
import { useDebounced } from '../../ui/use-debounced.ts';
import { shownText } from './plugin.ts';

type Row = Data<'/api/v3/plugin/list'>['list'][number];

export function PluginMarketScreen() {
  const [keyword, setKeyword] = useState('');
  const [fits, setFits] = useState(false);
  const [installed, setInstalled] = useState(false);
  const word = useDebounced(keyword, 300);
  const input = { keyword: word, ...(fits && { fits }), ...(installed && { installed }) };
  const { data, error, refetch } = useRead('/api/v3/plugin/list', input, { keepPrevious: true });
  const filtered = word !== '' || fits || installed;
  const clear = () => {
    setKeyword('');
    setFits(false);
    setInstalled(false);
  };
  return (
    <Page title={t('plugin.index')}>
      <div className="stack">
        <div className="row">
          <TextField
            label={t('plugins.search')}
            hideLabel
            placeholder={t('plugins.search')}
            value={keyword}
            onChange={setKeyword}
          />
          <CheckField checked={fits} onChange={setFits}>
            {t('plugins.only_fits')}
          </CheckField>
          <CheckField checked={installed} onChange={setInstalled}>
            {t('plugins.only_installed')}
          </CheckField>
        </div>
        {error && !data ? (
          <Failed error={error} retry={() => void refetch()} />
        ) : !data ? (
          <Skeleton height={200} />
        ) : data.list.length > 0 ? (
          <div className="grid">
            {data.list.map((row) => (
              <PluginCard key={row.id} row={row} />
            ))}
          </div>
        ) : filtered ? (
          <NoHits clear={clear} />
        ) : (
          <Empty icon="puzzle" title={t('plugins.never')}>
            {t('plugins.never_body')}
          </Empty>
        )}
      </div>
    </Page>
  );
}

function PluginCard({ row }: { row: Row }) {
  return (
    <div className="span-4">
      <Card title={<Link to={`/plugin_apps/${row.id}`}>{shownText(row.name)}</Link>}>
        <div className="stack stack-s">
          <p className="small dim">
            {row.publisher} · {row.version} · {row.licence}
          </p>
          <p>{shownText(row.description)}</p>
          <div className="row">
            <Tag tone={row.fits > 0 ? 'ok' : 'none'}>{t('plugins.fits', { n: row.fits })}</Tag>
            {row.installed > 0 && <Tag tone="info">{t('plugins.installed', { n: row.installed })}</Tag>}
            {row.outdated > 0 && <Tag tone="warn">{t('plugins.outdated', { n: row.outdated })}</Tag>}
          </div>
        </div>
      </Card>
    </div>
  );
}
