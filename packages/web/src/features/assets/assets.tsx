import { useMemo, useState } from 'react';
import type { Input } from '../../app/api.ts';
import { call } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { oneOf, useSearch } from '../../app/search.ts';
import { useMay, useParam } from '../../app/shell/current.ts';
import { useRead, useWrite } from '../../app/use-call.ts';
import { IconButton } from '../../ui/button.tsx';
import { DeviceDrawing } from '../../ui/device/device-drawing.tsx';
import { Empty } from '../../ui/empty.tsx';
import { count } from '../../ui/format.ts';
import { Icon } from '../../ui/icon.tsx';
import { Link } from '../../ui/link.tsx';
import { Page } from '../../ui/page.tsx';
import { SiteCrumb } from '../../ui/site-crumb.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import type { BatchAct, Selection } from '../../ui/table/columns.ts';
import { DataTable } from '../../ui/table/data-table.tsx';
import { listFiles } from '../../ui/table/files.ts';
import { notifyError } from '../../ui/toast.tsx';
import { NetworkPicker } from '../wireless-monitor/index.ts';
import { AssetDrawer } from './asset-drawer.tsx';
import { assetColumns } from './columns.tsx';
import { EditAsset, stale } from './edit.tsx';
import { assetFilters } from './filters.ts';
import { type AssetRow, classes, drawnOf } from './labels.ts';
import { Labels } from './labels.tsx';
import './assets.css';

const maxAtOnce = 200;

export function AssetsScreen() {
  const gwid = useParam('gwid');
  const [search, change] = useSearch();
  const mayWrite = useMay('network.write');
  const [editing, setEditing] = useState<AssetRow | null>(null);
  const [printing, setPrinting] = useState<readonly AssetRow[] | null>(null);
  const days = oneOf(search.days, ['7', '90', '400']);
  const summary = useRead('/api/v3/asset/summary', { gwid, ...(days ? { days } : {}) }, { keepPrevious: true });
  const columns = useMemo(() => assetColumns(), []);
  const filters = useMemo(() => assetFilters(summary.data?.tags ?? [], search.tag), [summary.data, search.tag]);
  const fixed = useMemo(() => ({ gwid }), [gwid]);
  const open = (row: AssetRow) => change({ asset: row.id }, true);
  const update = useWrite('/api/v3/asset/update', stale);
  const batch: BatchAct<AssetRow>[] = [
    ...(mayWrite
      ? [
          {
            label: t('assets.know'),
            act: withRows((rows, done) =>
              update.mutateAsync({ gwid, ids: rows.map(({ id }) => id), known: true }).then(done),
            ),
          },
        ]
      : []),
    { label: t('assets.labels'), act: withRows((rows) => setPrinting(rows)) },
  ];
  return (
    <Page
      title={t('home.asset')}
      crumb={<SiteCrumb gwid={gwid} />}
      actions={<NetworkPicker gwid={gwid} base="/asset" />}
    >
      {summary.isPending ? <Skeleton height={40} /> : <Counts gwid={gwid} data={summary.data} />}
      <DataTable
        path="/api/v3/asset/list"
        fixed={fixed}
        name="assets"
        title={t('home.asset')}
        columns={columns}
        rowKey={(row) => row.id}
        filters={filters}
        files={files}
        searchHint={t('assets.search')}
        order={{ sort: 'last_seen', order: 'desc' }}
        onOpen={open}
        batch={batch}
        actions={(row) => (
          <span className="row nowrap">
            <IconButton icon="eye" label={t('assets.open')} onClick={() => open(row)} />
            {mayWrite && <IconButton icon="edit" label={t('action.edit')} onClick={() => setEditing(row)} />}
          </span>
        )}
        never={
          <Empty icon="box" title={t('assets.empty')}>
            {t('assets.empty_body')}
          </Empty>
        }
      />
      {search.asset && /^[0-9a-f]{12}$/.test(search.asset) && (
        <AssetDrawer
          gwid={gwid}
          id={search.asset}
          onClose={() => change({ asset: undefined })}
          onEdit={setEditing}
          onLabels={setPrinting}
        />
      )}
      {editing && <EditAsset row={editing} onClose={() => setEditing(null)} />}
      {printing && <Labels rows={printing} onClose={() => setPrinting(null)} />}
    </Page>
  );
}

const withRows =
  (work: (rows: AssetRow[], done: () => void) => unknown) =>
  (selection: Selection<AssetRow>, done: () => void): void =>
    void selection
      .rows()
      .then((rows) => work(rows.slice(0, maxAtOnce), done))
      .catch(notifyError);

interface Summary {
  total: number;
  fresh: number;
  random: number;
  classes: { class: AssetRow['class']; count: number }[];
}

function Counts({ gwid, data }: { gwid: string; data: Summary | undefined }) {
  if (!data || data.total + data.random === 0) return null;
  const of = new Map(data.classes.map((one) => [one.class, one.count]));
  return (
    <ul className="asset-counts">
      {classes
        .filter((name) => of.has(name))
        .map((name) => (
          <li key={name}>
            <Link to={`/asset/${gwid}`} search={{ class: name }} className="asset-count">
              <DeviceDrawing kind={drawnOf(name)} size={24} />
              <strong>{count(of.get(name) ?? 0)}</strong>
              <span className="small">{t(`assets.class_${name}`)}</span>
            </Link>
          </li>
        ))}
      {data.fresh > 0 && (
        <li>
          <Link to={`/asset/${gwid}`} search={{ fresh: 'true' }} className="asset-count">
            <Icon name="plus" size={18} />
            <strong>{count(data.fresh)}</strong>
            <span className="small">{t('assets.new')}</span>
          </Link>
        </li>
      )}
      {data.random > 0 && (
        <li>
          <Link to={`/asset/${gwid}`} search={{ random: 'only' }} className="asset-count">
            <Icon name="eye_off" size={18} />
            <strong>{count(data.random)}</strong>
            <span className="small">{t('assets.random')}</span>
          </Link>
        </li>
      )}
    </ul>
  );
}

const files = listFiles((input) => call('/api/v3/asset/export', input as Input<'/api/v3/asset/export'>));
